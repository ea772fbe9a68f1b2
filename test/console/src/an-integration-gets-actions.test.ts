import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let admin: SignedIn;
let id: string;
let teamId: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  const team = await rig.system.api.create('/v2/teams', {
    name: scenario.name('Database'),
    members: [{ user: { username: scenario.address('ada') }, role: 'admin' }],
  });
  teamId = team.id;
  const integration = { type: 'API', name: scenario.name('Scripts'), ownerTeam: { id: teamId } };
  id = (await rig.system.api.create('/v2/integrations', integration)).id;
  admin = await rig.signIn(scenario.address('ada'));
});

const path = () => `/v2/integrations/${id}/actions`;
const saved = () => rig.system.api.read<Readonly<Record<string, readonly object[]>>>(path());
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const opened = (device: 'desk' | 'phone') => rig.open(`/console/integrations/${id}/actions`, { as: admin, device });

describe('the actions of an integration', () => {
  it.each(DEVICES)('are added in a form, with what is refused at its field (%s)', async (device) => {
    const page = await opened(device);
    await page.getByLabel('What it does').selectOption('Actions that close alerts');
    await press(page, 'Add an action');
    await page.getByLabel('Holds for').selectOption({ label: 'Alerts that fulfil all of the conditions' });
    const condition = page.getByRole('group', { name: 'Condition 1' });
    await condition.getByLabel('Operation').selectOption('starts with');
    await condition.getByLabel('Value').fill('Resolved');
    await page.getByLabel('Alias', { exact: true }).fill('{{details.check}}');
    await writeUntil(page.getByText('Name can not be empty.').first(), () => press(page, 'Save'));
    await rig.expectNoViolations(page);
    await page.getByLabel('Name', { exact: true }).fill('Close resolved');
    await writeUntil(status(page, 'The action was saved.'), () => press(page, 'Save'));
    expect(await saved()).toMatchObject({
      create: [{ name: 'Create Alert' }],
      close: [
        {
          name: 'Close resolved',
          alias: '{{details.check}}',
          filter: { conditions: [{ field: 'message', operation: 'starts-with', expectedValue: 'Resolved' }] },
        },
      ],
    });
  });

  it('create alerts by every field of their form', async () => {
    const page = await opened('phone');
    await press(page, 'Change Create Alert');
    await page.getByLabel('Name', { exact: true }).fill('Create with host');
    await page.getByLabel('Message', { exact: true }).fill('{{message}} on {{details.host}}');
    await page.getByLabel('Priority', { exact: true }).selectOption('P2');
    await page.getByLabel('Priority by a template').fill('{{details.severity}}');
    await page.getByLabel('Tags that it adds').fill('db');
    await page.getByLabel('Actions that it adds').fill('restart');
    await press(page, 'Add a detail');
    await page.getByRole('group', { name: 'Detail 1' }).getByLabel('Name').fill('team');
    await page.getByRole('group', { name: 'Detail 1' }).getByLabel('Value').fill('{{source}}');
    await press(page, 'Add a responder');
    await page.getByLabel('Responder', { exact: true }).fill(`Team: ${scenario.name('Database')}`);
    await page.getByRole('checkbox', { name: 'Leave out the tags of the request' }).check();
    await page.getByRole('checkbox', { name: 'Leave out the teams of the request' }).check();
    await rig.isStill(page);
    await rig.picture(page, 'integration-action-phone');
    await rig.expectNoViolations(page);
    await writeUntil(status(page, 'The action was saved.'), () => press(page, 'Save'));
    expect((await saved())['create']?.[0]).toMatchObject({
      name: 'Create with host',
      message: '{{message}} on {{details.host}}',
      priority: 'P2',
      customPriority: '{{details.severity}}',
      tags: ['db'],
      alertActions: ['restart'],
      extraProperties: { team: '{{source}}' },
      responders: [{ type: 'team', id: teamId }],
      ignoreTagsFromPayload: true,
      ignoreTeamsFromPayload: true,
      ignoreRecipientsFromPayload: false,
    });
  });

  it('are not saved over the change of another person', async () => {
    const page = await opened('desk');
    await press(page, 'Change Create Alert');
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await rig.system.api.expect(200, 'PUT', path(), {
      ignore: [{ name: 'Tests' }],
      create: [{ name: 'Create Alert' }],
    });
    await writeUntil(page.getByRole('alert').filter({ hasText: 'Actions that ignore: now Tests.' }), () =>
      press(page, 'Save'),
    );
    await writeUntil(status(page, 'The action was saved.'), () => press(page, 'Save all the same'));
    expect(await saved()).toMatchObject({ ignore: [{ name: 'Tests' }], create: [{ name: 'Mine' }] });
  });
});
