import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const member = (page: Page, name: string) =>
  page
    .getByRole('region', { name: /^Members/ })
    .getByRole('listitem')
    .filter({ hasText: scenario.address(name) });

/** An admin of the account. */
async function signedInAdmin(): Promise<SignedIn> {
  const username = scenario.address('boss');
  const body = { username, fullName: 'Boss', role: { name: 'admin' }, invitationDisabled: true };
  await rig.system.api.create('/v2/users', body);
  return rig.signIn(username);
}

async function openedTeam(as: SignedIn, id: string, name: string): Promise<Page> {
  const page = await rig.open(`/console/teams/${id}`, { as });
  await heading(page, name).waitFor();
  return page;
}

/** A team with ada as its admin, and grace. */
async function team(): Promise<{ readonly id: string; readonly name: string }> {
  const name = scenario.name('Storage');
  const members = [
    { user: { username: scenario.address('ada') }, role: 'admin' },
    { user: { username: scenario.address('grace') } },
  ];
  const { id } = await rig.system.api.create('/v2/teams', { name, members });
  return { id, name };
}

describe('a team', () => {
  it('is created, found, given members and deleted with what goes with it', async () => {
    const page = await rig.open('/console/teams', { as: await signedInAdmin() });
    const name = scenario.name('Disks');
    await page.getByRole('button', { name: 'Create a team' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await writeUntil(heading(page, name), () => page.getByRole('button', { name: 'Create the team' }).click());
    await page.getByRole('link', { name: `${name}_schedule` }).waitFor();
    await page.getByText('all other alerts to escalation').waitFor();
    const form = page.getByRole('form', { name: 'Add a member' });
    await form.getByLabel('Person').fill(scenario.address('ada'));
    await page.keyboard.press('Escape');
    await form.getByLabel('Role in the team').selectOption('admin');
    await writeUntil(member(page, 'ada').getByText('Admin', { exact: true }), () =>
      form.getByRole('button', { name: 'Add' }).click(),
    );
    await page.getByRole('region', { name: 'Log' }).getByText(scenario.address('ada')).first().waitFor();
    await page.getByRole('link', { name: 'All teams' }).click();
    await page.getByLabel('Name or description').fill(name);
    await page.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Delete the team' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete the team ${name}?` });
    await dialog.getByText('Routing rules: 1').waitFor();
    await rig.picture(page, 'team-delete');
    await rig.expectNoViolations(page);
    await writeUntil(heading(page, 'Teams'), () => dialog.getByRole('button', { name: 'Delete the team' }).click());
    await expect(page.getByRole('link', { name }).waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  it('is changed by its admin, whose members get another role and leave it', async () => {
    const { id, name } = await team();
    const page = await openedTeam(await rig.signIn(scenario.address('ada')), id, name);
    const change = member(page, 'grace').getByRole('button', { name: 'Make admin' });
    await writeUntil(member(page, 'grace').getByText('Admin', { exact: true }), () => change.click());
    await member(page, 'grace').getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: `Remove ${scenario.address('grace')} from ${name}?` });
    await dialog.getByText('stay in the rotations').waitFor();
    await writeUntil(page.getByRole('heading', { name: 'Members (1)' }), () =>
      dialog.getByRole('button', { name: 'Remove' }).click(),
    );
    const refused = page.getByText('Your role "User" cannot change this.').first();
    await page.getByRole('button', { name: 'Delete the team' }).click({ force: true });
    await expect(refused.waitFor()).resolves.toBeUndefined();
  });

  it('is not overwritten where another person changed it meanwhile, and what was typed stays', async () => {
    const { id, name } = await team();
    const page = await openedTeam(await rig.signIn(scenario.address('ada')), id, name);
    await page.getByRole('button', { name: 'Change name and description' }).click();
    await page.getByLabel('Name', { exact: true }).fill(`${name} of ada`);
    await rig.system.api.expect(200, 'PATCH', `/v2/teams/${id}`, { name: `${name} of grace` });
    const seen = page.getByText(`Another person changed the name to “${name} of grace”.`);
    await writeUntil(seen, () => page.getByRole('button', { name: 'Save', exact: true }).click());
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(`${name} of ada`);
    const save = page.getByRole('button', { name: 'Save all the same' });
    await expect(writeUntil(heading(page, `${name} of ada`), () => save.click())).resolves.toBeUndefined();
  });

  it('says to its members who may change it, and a person whom the account does not have is refused at the field', async () => {
    const { id, name } = await team();
    const graces = await openedTeam(await rig.signIn(scenario.address('grace')), id, name);
    await graces.getByRole('button', { name: 'Change name and description' }).click({ force: true });
    await graces.getByText(`Only an admin of team ${name}, or of the account, can change this.`).first().waitFor();
    const page = await openedTeam(await rig.signIn(scenario.address('ada')), id, name);
    const form = page.getByRole('form', { name: 'Add a member' });
    await form.getByLabel('Person').fill('no-one@example.com');
    const refused = form.getByRole('alert').filter({ hasText: 'no-one@example.com' });
    await writeUntil(refused, () => form.getByRole('button', { name: 'Add' }).click());
    expect(await form.getByLabel('Person').inputValue()).toBe('no-one@example.com');
  });
});
