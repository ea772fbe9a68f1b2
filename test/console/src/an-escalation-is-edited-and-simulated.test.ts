import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let admin: SignedIn;
let id: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  const ownerTeam = await rig.system.api.create('/v2/teams', {
    name: scenario.name('Database'),
    members: [
      { user: { username: scenario.address('ada') }, role: 'admin' },
      { user: { username: scenario.address('grace') }, role: 'user' },
    ],
  });
  const rules = [{ delay: { timeAmount: 0 }, recipient: scenario.user('ada') }];
  ({ id } = await rig.system.api.create('/v2/escalations', { name: scenario.name('Nights'), ownerTeam, rules }));
  admin = await rig.signIn(scenario.address('ada'));
});

async function opened(device: 'desk' | 'phone', as = admin): Promise<Page> {
  const page = await rig.open(`/console/escalations/${id}`, { as, device });
  await page.getByRole('heading', { level: 1, name: scenario.name('Nights') }).waitFor();
  return page;
}

interface Saved {
  readonly rules: readonly { readonly delay: { readonly timeAmount: number }; readonly recipient: object }[];
}
const saved = () => rig.system.api.read<Saved>(`/v2/escalations/${id}`);
const decisions = (page: Page) => page.getByRole('list', { name: 'Decisions' }).locator(':scope > li');
const rule = (page: Page, place: number) => page.getByRole('group', { name: `Rule ${place}`, exact: true });
const save = (page: Page, name = 'Save') => page.getByRole('button', { name, exact: true });
const status = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text });

async function addGrace(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await rule(page, 2).getByRole('combobox', { name: 'Recipient' }).fill(scenario.address('grace'));
  await rule(page, 2).getByLabel('After minutes').fill('7');
}

describe('the rules of an escalation', () => {
  it.each(DEVICES)('are simulated while they are typed, and then saved (%s)', async (device) => {
    const page = await opened(device);
    await decisions(page)
      .filter({ hasText: 'at once' })
      .filter({ hasText: scenario.address('ada') })
      .waitFor();
    await addGrace(page);
    await decisions(page)
      .filter({ hasText: 'after 7 min' })
      .filter({ hasText: scenario.address('grace') })
      .waitFor();
    expect((await saved()).rules).toHaveLength(1);
    await page.getByRole('button', { name: 'Move rule 2 up' }).click();
    await rig.isStill(page);
    await rig.picture(page, `escalation-edited-${device}`);
    await rig.expectNoViolations(page);
    await writeUntil(status(page, /^The escalation was saved/), () => save(page).click());
    expect((await saved()).rules.map(({ delay }) => delay.timeAmount)).toEqual([7, 0]);
  });

  it('say at their field what is wrong, and keep what was typed on another page', async () => {
    const page = await opened('phone');
    await addGrace(page);
    await rule(page, 2).getByRole('combobox', { name: 'Recipient' }).fill('unknown@example.com');
    await writeUntil(rule(page, 2).getByRole('alert').filter({ hasText: 'does not exist' }), () => save(page).click());
    await rig.expectNoViolations(page);
    await page.getByRole('link', { name: 'All escalations' }).click();
    await page.getByRole('heading', { level: 1, name: 'Escalations' }).waitFor();
    await page.goBack();
    const recipient = rule(page, 2).getByRole('combobox', { name: 'Recipient' });
    await recipient.waitFor();
    expect(await recipient.inputValue()).toBe('unknown@example.com');
    expect((await saved()).rules).toHaveLength(1);
  });

  it('are not saved over the change of another person, until their person saves them all the same', async () => {
    const page = await opened('desk');
    await addGrace(page);
    const rules = [{ delay: { timeAmount: 3 }, recipient: scenario.user('ada') }];
    await rig.system.api.expect(200, 'PATCH', `/v2/escalations/${id}`, { rules });
    await writeUntil(page.getByRole('alert').filter({ hasText: 'Rule 1 is now: After 3 min' }), () =>
      save(page).click(),
    );
    await rig.expectNoViolations(page);
    expect((await saved()).rules).toHaveLength(1);
    await writeUntil(status(page, /^The escalation was saved/), () => save(page, 'Save all the same').click());
    expect((await saved()).rules.map(({ delay }) => delay.timeAmount)).toEqual([0, 7]);
  });

  it('can be tried, and not saved, by a member who is no admin of the team', async () => {
    const page = await opened('desk', await rig.signIn(scenario.address('grace')));
    await addGrace(page);
    await decisions(page).filter({ hasText: 'after 7 min' }).waitFor();
    // A button with a reason says it when it is pressed.
    await save(page).press('Enter');
    await page
      .getByText(/^Only an admin of team .*can change this/)
      .first()
      .waitFor();
    expect((await saved()).rules).toHaveLength(1);
  });
});
