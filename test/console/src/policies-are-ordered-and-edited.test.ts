import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let admin: SignedIn;
let teamId: string;
let id: string;

const query = () => `teamId=${teamId}`;
const named = (name: string) => scenario.name(name);

async function makePolicy(name: string, body: object): Promise<string> {
  const made = await rig.system.api.create(`/v2/policies?${query()}`, {
    type: 'notification',
    name: named(name),
    ...body,
  });
  return made.id;
}

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  const team = await rig.system.api.create('/v2/teams', {
    name: named('Database'),
    members: [
      { user: { username: scenario.address('ada') }, role: 'admin' },
      { user: { username: scenario.address('grace') }, role: 'user' },
    ],
  });
  teamId = team.id;
  await makePolicy('First', { suppress: true });
  id = await makePolicy('Second', {
    suppress: true,
    deduplicationAction: { deduplicationActionType: 'value-based', count: 3 },
  });
  admin = await rig.signIn(scenario.address('ada'));
});

async function opened(device: 'desk' | 'phone', as = admin): Promise<Page> {
  const page = await rig.open(`/console/policies?team=${teamId}`, { as, device });
  await list(page)
    .filter({ hasText: named('Second') })
    .getByText('No user is notified.')
    .waitFor();
  return page;
}

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}
const saved = () => rig.system.api.read<readonly Listed[]>(`/v2/policies/notification?${query()}`);
const read = () => rig.system.api.read<Readonly<Record<string, unknown>>>(`/v2/policies/${id}?${query()}`);
const list = (page: Page) => page.getByRole('list', { name: 'Notification policies' }).locator(':scope > li');
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('the policies of a team', () => {
  it.each(DEVICES)('are moved, disabled, enabled and deleted in their order (%s)', async (device) => {
    const page = await opened(device);
    await rig.isStill(page);
    await rig.picture(page, `policies-of-team-${device}`);
    await rig.expectNoViolations(page);
    await writeUntil(status(page, `${named('Second')} was moved.`), () => press(page, `Move ${named('Second')} up`));
    expect((await saved()).map(({ name }) => name)).toEqual([named('Second'), named('First')]);
    await writeUntil(status(page, 'is disabled.'), () => press(page, `Disable ${named('First')}`));
    await list(page)
      .filter({ hasText: `${named('First')} – disabled` })
      .waitFor();
    await writeUntil(status(page, 'is enabled.'), () => press(page, `Enable ${named('First')}`));
    await press(page, `Delete ${named('First')}`);
    const dialog = page.getByRole('dialog', { name: `Delete ${named('First')}?` });
    await writeUntil(status(page, 'was deleted.'), () => dialog.getByRole('button', { name: 'Delete' }).click());
    expect((await saved()).map(({ enabled, name }) => [name, enabled])).toEqual([[named('Second'), true]]);
  });

  it('are changed in a form, with conditions, and keep what the form does not have', async () => {
    const page = await opened('phone');
    await page.getByRole('link', { name: named('Second') }).click();
    await page.getByRole('heading', { level: 1, name: named('Second') }).waitFor();
    await page.getByText('Other fields, which stay as they are').click();
    await page.getByText('deduplicationAction').waitFor();
    await page.getByLabel('Holds for').selectOption({ label: 'Alerts that fulfil all of the conditions' });
    const condition = page.getByRole('group', { name: 'Condition 1' });
    await condition.getByLabel('Field').selectOption('Tags');
    await condition.getByLabel('Operation').selectOption('do not contain');
    await condition.getByLabel('Value').fill('backup');
    await page.getByText('It holds for alerts whose tags do not contain “backup”.').waitFor();
    await page.getByLabel('When it holds').selectOption({ label: 'In hours of each day' });
    await page.getByRole('checkbox', { name: 'Notify no user' }).uncheck();
    await rig.isStill(page);
    await rig.picture(page, 'policy-edited-phone');
    await rig.expectNoViolations(page);
    await writeUntil(status(page, 'The policy was saved.'), () => press(page, 'Save'));
    expect(await read()).toMatchObject({
      suppress: false,
      deduplicationAction: { count: 3 },
      filter: { conditions: [{ field: 'tags', not: true, operation: 'contains', expectedValue: 'backup' }] },
      timeRestrictions: { restriction: { startHour: 22, endHour: 6 } },
    });
  });

  it('are created, and what the server refuses of a condition stands at its field', async () => {
    const page = await opened('desk');
    await press(page, 'Add an alert policy');
    await page.getByRole('heading', { level: 1, name: 'New alert policy' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill(named('Loud'));
    await page.getByLabel('Priority').selectOption('P1');
    await page.getByLabel('Holds for').selectOption({ label: 'Alerts that fulfil one of the conditions' });
    const condition = page.getByRole('group', { name: 'Condition 1' });
    await condition.getByLabel('Operation').selectOption('matches the pattern');
    await condition.getByLabel('Value').fill('(');
    await writeUntil(condition.getByRole('alert'), () => press(page, 'Save'));
    await rig.expectNoViolations(page);
    await condition.getByLabel('Value').fill('^disk');
    await writeUntil(page.getByRole('heading', { level: 1, name: named('Loud') }), () => press(page, 'Save'));
    const made = await rig.system.api.read<readonly Listed[]>(`/v2/policies/alert?${query()}`);
    expect(made.map(({ name }) => name)).toEqual([named('Loud')]);
  });

  it('are not saved over the change of another person', async () => {
    const page = await opened('desk');
    await page.getByRole('link', { name: named('Second') }).click();
    await page.getByLabel('Description', { exact: true }).fill('Ask Ada.');
    await rig.system.api.expect(200, 'PUT', `/v2/policies/${id}?${query()}`, {
      type: 'notification',
      name: named('Other'),
      suppress: true,
    });
    await writeUntil(page.getByRole('alert').filter({ hasText: named('Other') }), () => press(page, 'Save'));
    expect(await read()).toMatchObject({ name: named('Other'), policyDescription: '' });
  });

  it('are read, and not changed, by a member who is no admin of the team', async () => {
    const page = await opened('desk', await rig.signIn(scenario.address('grace')));
    await page.getByRole('button', { name: `Disable ${named('First')}` }).press('Enter');
    await page
      .getByText(/^Only an admin of team .*can change this/)
      .first()
      .waitFor();
    expect((await saved()).every(({ enabled }) => enabled)).toBe(true);
  });
});
