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

const TEXTS = {
  Message: '{{message}} on {{entity}}',
  Alias: '{{alias}}-db',
  'Description of the alert': 'Read the log.',
  Entity: 'db',
  Source: 'check',
};
const IGNORED = ['tags', 'details', 'actions', 'responders'].map((of) => `Remove the ${of} that the alert comes with`);

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

  it('are changed in a form, with conditions and times, and keep what was not changed', async () => {
    const page = await opened('phone');
    await page.getByRole('link', { name: named('Second') }).click();
    await page.getByRole('heading', { level: 1, name: named('Second') }).waitFor();
    await page.getByLabel('Notifications by occurrences').waitFor();
    expect(await page.getByLabel('Occurrences', { exact: true }).inputValue()).toBe('3');
    await page.getByLabel('Holds for').selectOption({ label: 'Alerts that fulfil all of the conditions' });
    const condition = page.getByRole('group', { name: 'Condition 1' });
    await condition.getByLabel('Field').selectOption('Tags');
    await condition.getByLabel('Operation').selectOption('do not contain');
    await condition.getByLabel('Value').fill('backup');
    await page.getByText('It holds for alerts whose tags do not contain “backup”.').waitFor();
    await page.getByLabel('When it holds').selectOption({ label: 'In stretches of each week' });
    await page.getByRole('group', { name: 'Stretch 1' }).getByLabel('Until the day').selectOption('Sunday');
    await page.getByRole('checkbox', { name: 'Notify no user' }).uncheck();
    await page.getByRole('checkbox', { name: 'Start notifications again' }).check();
    await page.getByLabel('Times at most').fill('21');
    await rig.isStill(page);
    await rig.picture(page, 'policy-edited-phone');
    await rig.expectNoViolations(page);
    await writeUntil(page.getByRole('alert').filter({ hasText: 'The number should be a whole number' }), () =>
      press(page, 'Save'),
    );
    await page.getByLabel('Times at most').fill('7');
    await writeUntil(status(page, 'The policy was saved.'), () => press(page, 'Save'));
    expect(await read()).toMatchObject({
      suppress: false,
      autoRestartAction: { duration: { timeAmount: 30, timeUnit: 'minutes' }, maxRepeatCount: 7 },
      deduplicationAction: { count: 3 },
      filter: { conditions: [{ field: 'tags', not: true, operation: 'contains', expectedValue: 'backup' }] },
      timeRestrictions: { restrictions: [{ startDay: 'monday', startHour: 8, endDay: 'sunday', endHour: 18 }] },
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

  it.each(DEVICES)('change every field of an alert, and show the names of its responders (%s)', async (device) => {
    const page = await rig.open(`/console/policies/new?kind=alert&team=${teamId}`, { as: admin, device });
    const fields = { ...TEXTS, Name: named('All of it') };
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByLabel('Tags that it adds').fill('db\n{{ message.substringBetween("a", "b") }}');
    await page.getByLabel('Actions that it adds').fill('restart');
    await press(page, 'Add a detail');
    const detail = page.getByRole('group', { name: 'Detail 1' });
    await detail.getByLabel('Name').fill('host');
    await detail.getByLabel('Value').fill('{{source}}');
    await press(page, 'Add a responder');
    await page.getByLabel('Responder', { exact: true }).fill('Team: none such');
    for (const name of IGNORED) await page.getByRole('checkbox', { name }).check();
    await page.getByRole('checkbox', { name: 'Try the alert policies after it too' }).uncheck();
    await writeUntil(page.getByRole('alert').filter({ hasText: 'Responder does not exist' }), () =>
      press(page, 'Save'),
    );
    await page.getByLabel('Responder', { exact: true }).fill(`Team: ${named('Database')}`);
    await rig.isStill(page);
    await rig.picture(page, `policy-of-all-fields-${device}`);
    await rig.expectNoViolations(page);
    await writeUntil(page.getByRole('heading', { level: 1, name: named('All of it') }), () => press(page, 'Save'));
    await page
      .getByRole('group', { name: 'Responder 1' })
      .getByText(`Team: ${named('Database')}`)
      .waitFor();
    const [made] = await rig.system.api.read<readonly Listed[]>(`/v2/policies/alert?${query()}`);
    expect(await rig.system.api.read(`/v2/policies/${made?.id ?? ''}?${query()}`)).toMatchObject({
      message: '{{message}} on {{entity}}',
      alias: '{{alias}}-db',
      alertDescription: 'Read the log.',
      entity: 'db',
      source: 'check',
      tags: ['db', '{{ message.substringBetween("a", "b") }}'],
      actions: ['restart'],
      details: { host: '{{source}}' },
      responders: [{ type: 'team', id: teamId }],
      continue: false,
      ignoreOriginalTags: true,
      ignoreOriginalDetails: true,
      ignoreOriginalActions: true,
      ignoreOriginalResponders: true,
    });
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
