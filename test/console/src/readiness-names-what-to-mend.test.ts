import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;
let scheduleId: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  await rig.system.api.create('/v2/teams', {
    name: scenario.name('Ops'),
    members: [
      { user: { username: scenario.address('ada') }, role: 'admin' },
      { user: { username: scenario.address('grace') }, role: 'user' },
    ],
  });
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

  it.each(DEVICES)('switches the weekly mail on and off, and says when the next one is due (%s)', async (device) => {
    const { nextAt } = await nextMonday();
    const page = await rig.open('/console/readiness', { device, as: person });
    const section = page.getByRole('region', { name: 'Weekly mail' });
    await section.getByRole('button', { name: 'Mail me each Monday' }).click();
    await section.getByText('The next one is due').waitFor();
    expect(await section.locator('time').getAttribute('datetime')).toBe(nextAt);
    await rig.isStill(page);
    await rig.picture(page, `readiness-mail-${device}`);
    await section.getByRole('button', { name: 'End the weekly mail' }).click();
    await section.getByRole('button', { name: 'Mail me each Monday' }).waitFor();
    const { body } = await rig.system.api.expect(200, 'GET', mailPath());
    expect(body['data']).toEqual({ isActive: false });
  });

  it('says to a member who administers no team that the weekly mail has no findings for them', async () => {
    const grace = await rig.signIn(scenario.address('grace'));
    const page = await rig.open('/console/readiness', { as: grace });
    const section = page.getByRole('region', { name: 'Weekly mail' });
    const order = section.getByRole('button', { name: 'Mail me each Monday' });
    await order.click({ force: true });
    await section.getByText('It has findings for an admin of a team').first().waitFor();
    expect(await order.getAttribute('aria-disabled')).toBe('true');
  });
});

const mailPath = (): string => `/v2/users/${scenario.address('ada')}/readiness-mail`;

/** When the mail would be due, as the server says. */
async function nextMonday(): Promise<{ readonly nextAt: string }> {
  const data = await rig.system.api.create<{ readonly nextAt: string }>(mailPath(), {});
  await rig.system.api.expect(200, 'DELETE', mailPath());
  return data;
}
