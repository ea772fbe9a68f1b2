import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;

/** A team of which ada is an admin, and grace a member. */
beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  const user = (name: string) => ({ username: scenario.address(name) });
  await rig.system.api.create('/v2/teams', {
    name: scenario.name('Backups'),
    members: [
      { user: user('ada'), role: 'admin' },
      { user: user('grace'), role: 'user' },
    ],
  });
  person = await rig.signIn(scenario.address('ada'));
});

const item = (page: Page, of: string) => page.getByRole('listitem').filter({ hasText: scenario.name(of) });
const pathOf = (of: string) => `/v2/heartbeats/${encodeURIComponent(scenario.name(of))}`;
const dialogOf = (page: Page) => page.getByRole('dialog');

async function opened(options: Parameters<typeof rig.open>[1] = {}): Promise<Page> {
  const page = await rig.open('/console/heartbeats', { as: person, ...options });
  await page.getByRole('heading', { level: 1, name: 'Heartbeats' }).waitFor();
  return page;
}

/** An enabled heartbeat of the team, which had no ping. */
const create = (of: string, over: object = {}) =>
  rig.system.api.create('/v2/heartbeats', {
    name: scenario.name(of),
    interval: 10,
    intervalUnit: 'minutes',
    enabled: true,
    ownerTeam: { name: scenario.name('Backups') },
    ...over,
  });

/** Deletes heartbeats that were pinged: they would expire during the tests of other files. */
async function remove(...names: readonly string[]): Promise<void> {
  for (const name of names) await rig.system.api.expect(200, 'DELETE', pathOf(name));
}

describe('a heartbeat', () => {
  it.each(DEVICES)(
    'is added with its limits at the fields, pinged, disabled, enabled and deleted (%s)',
    async (device) => {
      const page = await opened({ device });
      await page.getByRole('button', { name: 'Add a heartbeat' }).click();
      const dialog = dialogOf(page);
      await dialog.getByLabel('Interval').fill('0');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('alert').filter({ hasText: 'Type a whole number of at least 1.' }).waitFor();
      await dialog.getByLabel('Interval').fill('200000');
      await dialog.getByLabel('Name').fill(scenario.name('nightly'));
      await dialog.getByLabel('Team').selectOption(scenario.name('Backups'));
      const limit = dialog.getByRole('alert').filter({ hasText: 'Interval should be at most 100000.' });
      await writeUntil(limit, () => dialog.getByRole('button', { name: 'Save' }).click());
      await rig.isStill(page);
      await rig.expectNoViolations(page);
      await rig.picture(page, `heartbeat-dialog-${device}`);
      await dialog.getByLabel('Interval').fill('15');
      const fresh = item(page, 'nightly').getByText('No ping yet');
      await writeUntil(fresh, () => dialog.getByRole('button', { name: 'Save' }).click());

      const press = (name: string) => item(page, 'nightly').getByRole('button', { name }).click();
      await writeUntil(item(page, 'nightly').getByText('Expires in'), () => press('Ping'));
      await writeUntil(item(page, 'nightly').getByText('Disabled: it does not expire.'), () => press('Disable'));
      await writeUntil(item(page, 'nightly').getByText('Expires in'), () => press('Enable'));
      await item(page, 'nightly').getByText('How to ping it').click();
      await item(page, 'nightly').getByText('GenieKey YOUR-KEY').waitFor();
      await rig.isStill(page);
      await rig.picture(page, `heartbeat-${device}`);
      expect(await rig.system.api.read(pathOf('nightly'))).toMatchObject({ interval: 15, enabled: true });

      await press('Delete');
      const deleted = page.getByRole('status').filter({ hasText: `${scenario.name('nightly')} was deleted.` });
      await writeUntil(deleted, () => dialogOf(page).getByRole('button', { name: 'Delete' }).click());
      await item(page, 'nightly').waitFor({ state: 'detached' });
    },
  );

  it('that expired stands first, until it is pinged', async () => {
    const silent = { ownerTeam: undefined, interval: 1 };
    await create('silent', silent);
    await create('alive');
    for (const name of ['silent', 'alive']) await rig.system.api.expect(202, 'GET', `${pathOf(name)}/ping`);
    await rig.system.pass(2);
    const page = await opened();
    await page.getByRole('searchbox', { name: 'Name or team' }).fill(scenario.name('').trim());
    await item(page, 'silent').getByText('Expired: no ping for').waitFor();
    const names = page.getByRole('heading', { level: 2 });
    expect(await names.allInnerTexts()).toEqual([scenario.name('silent'), scenario.name('alive')]);
    await rig.picture(page, 'heartbeats-expired-desk');
    await writeUntil(item(page, 'silent').getByText('Expires in'), () =>
      item(page, 'silent').getByRole('button', { name: 'Ping' }).click(),
    );
    expect(await rig.system.api.read(pathOf('silent'))).toMatchObject({ expired: false });
    await remove('silent', 'alive');
  });

  it('is not changed over a change of another person until the second has seen it', async () => {
    await create('nightly');
    const page = await opened();
    await item(page, 'nightly').getByRole('button', { name: 'Change' }).click();
    await dialogOf(page).getByLabel('Interval').fill('20');
    await rig.system.api.expect(200, 'PATCH', pathOf('nightly'), { description: 'of the ledger' });
    const changed = dialogOf(page).getByRole('alert').filter({ hasText: 'Its description is “of the ledger” now.' });
    await writeUntil(changed, () => dialogOf(page).getByRole('button', { name: 'Save' }).click());
    expect(await rig.system.api.read(pathOf('nightly'))).toMatchObject({ interval: 10 });
    await writeUntil(item(page, 'nightly').getByText('every 20 minutes'), () =>
      dialogOf(page).getByRole('button', { name: 'Save all the same' }).click(),
    );
    expect(await rig.system.api.read(pathOf('nightly'))).toMatchObject({ interval: 20, description: 'of the ledger' });
  });

  it('says to a member of its team why they cannot change it, and lets them ping it', async () => {
    await create('nightly');
    const page = await opened({ as: await rig.signIn(scenario.address('grace')) });
    const reason = `Only an admin of team ${scenario.name('Backups')}, or of the account, can change this.`;
    await item(page, 'nightly').getByRole('button', { name: 'Disable' }).click({ force: true });
    await item(page, 'nightly').getByText(reason).first().waitFor();
    await page.getByRole('button', { name: 'Add a heartbeat' }).click({ force: true });
    await page.getByText('Only an admin of a team, or of the account, can add one.').first().waitFor();
    await writeUntil(item(page, 'nightly').getByText('Expires in'), () =>
      item(page, 'nightly').getByRole('button', { name: 'Ping' }).click(),
    );
    expect(await dialogOf(page).count()).toBe(0);
    await remove('nightly');
  });
});
