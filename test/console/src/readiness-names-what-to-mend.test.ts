import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;
let scheduleId: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  await scenario.team('Ops', 'ada');
  const ownerTeam = { name: scenario.name('Ops') };
  ({ id: scheduleId } = await rig.system.api.create('/v2/schedules', { name: scenario.name('Empty'), ownerTeam }));
  person = await rig.signIn(scenario.address('ada'));
});

describe('the page Readiness', () => {
  it.each(DEVICES)('lists the findings of a team by kind, and leads to where one is mended (%s)', async (device) => {
    const page = await rig.open('/console/readiness', { device, as: person });
    await page.getByLabel('Team', { exact: true }).selectOption({ label: scenario.name('Ops') });
    await page.getByLabel('Kind', { exact: true }).selectOption('schedule-gap');
    const finding = page.getByRole('listitem').filter({ hasText: `schedule [${scenario.name('Empty')}]` });
    await finding.getByRole('heading', { name: 'Error: Time without a user on call' }).waitFor();
    await rig.isStill(page);
    await rig.picture(page, `readiness-of-a-team-${device}`);
    await finding.getByRole('link', { name: `Open ${scenario.name('Empty')}` }).click();
    await page.getByRole('heading', { level: 1, name: scenario.name('Empty') }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/schedules/${scheduleId}`);
  });
});
