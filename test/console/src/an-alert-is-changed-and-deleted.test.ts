import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let alias: string;
let id: string;
let teamId: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  const team = await scenario.team('Storage', 'ada');
  teamId = team.id;
  alias = randomUUID();
  await scenario.alert({
    message: `Disk full ${alias}`,
    alias,
    description: 'Since 8:00.',
    actions: ['restart now'],
    details: { host: 'db-1' },
    responders: [scenario.responder('team', 'Storage')],
  });
  await rig.system.mailed(scenario.address('ada'), `Disk full ${alias}`);
  await rig.system.settle();
  id = (await scenario.alertOf<{ readonly id: string }>(alias)).id;
});

interface SavedAlert {
  readonly message: string;
  readonly description: string;
  readonly priority: string;
  readonly details: Readonly<Record<string, string>>;
  readonly integration: { readonly name: string };
}
const saved = () => rig.system.api.read<SavedAlert>(`/v2/alerts/${id}`);

const opened = async (device: 'desk' | 'phone'): Promise<Page> => {
  const page = await rig.open(`/console/alerts/${id}`, { as: await rig.signIn(scenario.address('ada')), device });
  await page.getByText('Change or delete the alert').click();
  return page;
};
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

describe('the page of an alert', () => {
  it.each(DEVICES)('changes what the alert says (%s)', async (device) => {
    const page = await opened(device);
    await press(page, 'Change message …');
    await page.getByRole('form', { name: 'Change message' }).getByLabel('Message').fill(`Disk of db-1 full ${alias}`);
    await writeUntil(status(page, 'The message was changed.'), () => press(page, 'Change message'));
    await press(page, 'Change description …');
    await page.getByRole('form', { name: 'Change description' }).getByLabel('Description').fill('');
    await writeUntil(status(page, 'The description was changed.'), () => press(page, 'Change description'));
    await press(page, 'Change priority …');
    await page.getByRole('form', { name: 'Change priority' }).getByLabel('Priority').selectOption('P1');
    await writeUntil(status(page, 'The priority was changed.'), () => press(page, 'Change priority'));
    await press(page, 'Details …');
    const detail = page.getByRole('group', { name: 'Detail 1' });
    await detail.getByLabel('Name').fill('disk');
    await detail.getByLabel('Value').fill('sda');
    await rig.isStill(page);
    await rig.picture(page, `alert-changed-${device}`);
    await rig.expectNoViolations(page);
    await writeUntil(status(page, 'The details were set.'), () => press(page, 'Set details'));
    await press(page, 'Details …');
    await writeUntil(status(page, 'The detail was removed.'), () => press(page, 'Remove host'));
    const { description, details, message, priority } = await saved();
    expect({ description, details, message, priority }).toEqual({
      message: `Disk of db-1 full ${alias}`,
      description: '',
      priority: 'P1',
      details: { disk: 'sda' },
    });
  });

  it('executes a custom action, and leads to its team and its integration', async () => {
    const page = await opened('desk');
    await writeUntil(status(page, 'The action restart now was executed.'), () => press(page, 'Execute restart now'));
    const link = page.getByRole('link', { name: `Team: ${scenario.name('Storage')}` });
    expect(await link.getAttribute('href')).toBe(`/console/teams/${teamId}`);
    const { name } = (await saved()).integration;
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  });

  it('deletes the alert once that is confirmed', async () => {
    const page = await opened('phone');
    await press(page, 'Delete …');
    const dialog = page.getByRole('dialog', { name: `Delete Disk full ${alias}?` });
    await rig.expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    const { body } = await rig.system.api.expect(404, 'GET', `/v2/alerts/${id}`);
    expect(body['message']).toContain('does not exist');
  });
});
