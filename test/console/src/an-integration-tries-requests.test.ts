import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let admin: SignedIn;
let id: string;
let apiKey: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  const members = [{ user: { username: scenario.address('ada') }, role: 'admin' }];
  const team = await rig.system.api.create('/v2/teams', { name: scenario.name('Database'), members });
  const integration = { type: 'Grafana', name: scenario.name('Boards'), ownerTeam: { id: team.id } };
  ({ id, apiKey = '' } = await rig.system.api.create<{ id: string; apiKey?: string }>('/v2/integrations', integration));
  admin = await rig.signIn(scenario.address('ada'));
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const items = (page: Page) => page.getByRole('list', { name: 'Items of the request' }).getByRole('listitem');
const body = (page: Page) => page.getByLabel('Body of the request');
const alerts = async () => (await rig.system.api.read<readonly object[]>('/v2/alerts')).length;

describe('the page of an integration', () => {
  it.each(DEVICES)('tries a sample of the tool, and writes nothing (%s)', async (device) => {
    const before = await alerts();
    const page = await rig.open(`/console/integrations/${id}`, { as: admin, device });
    expect(await page.getByLabel('URL for requests').innerText()).toMatch(/\/hooks\/YOUR-KEY$/);
    await page.getByLabel('Sample request').selectOption('open');
    await writeUntil(page.getByRole('heading', { name: 'What it would come to' }), () =>
      press(page, 'Try the request'),
    );
    await items(page).first().getByText('It opens the alert').waitFor();
    await items(page)
      .first()
      .getByRole('link', { name: `Team: ${scenario.name('Database')}` })
      .waitFor();
    await items(page).first().getByText('Actions that do not match').first().click();
    await items(page).first().getByText('_state equals [ignore], but it is [open]').waitFor();
    await rig.isStill(page);
    await rig.picture(page, `integration-tries-a-request-${device}`);
    await rig.expectNoViolations(page);
    expect(await alerts()).toBe(before);
  });

  it('shows the URL of another tool, and tries its requests', async () => {
    const page = await rig.open(`/console/integrations/${id}`, { as: admin });
    await page.getByLabel('Preset').selectOption('Alertmanager');
    expect(await page.getByLabel('URL for requests').innerText()).toMatch(/\/hooks\/YOUR-KEY\/alertmanager$/);
    await page.getByText('webhook_configs').first().waitFor();
    await page.getByLabel('Sample request').selectOption('close');
    await writeUntil(page.getByText('Read by the preset alertmanager'), () => press(page, 'Try the request'));
    await items(page).first().getByText('No alert with its alias is open: it closes nothing.').waitFor();
  });

  it('tries a request that came', async () => {
    const sent = JSON.stringify({ alerts: [{ status: 'resolved', fingerprint: 'f7', labels: { alertname: 'Slow' } }] });
    const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: sent };
    expect((await fetch(`${rig.system.api.url}/hooks/${apiKey}`, request)).status).toBe(200);
    await eventually(async () => {
      expect(await rig.system.api.read(`/v2/integrations/${id}/samples`)).toHaveLength(1);
    });
    const page = await rig.open(`/console/integrations/${id}`, { as: admin });
    const samples = page.getByLabel('Sample request');
    await samples.locator('option', { hasText: 'Received' }).waitFor({ state: 'attached' });
    await samples.selectOption({ index: 1 });
    await eventually(async () => {
      expect(await body(page).inputValue()).toContain('f7');
    });
    await writeUntil(items(page).first(), () => press(page, 'Try the request'));
    await items(page).first().getByText('No alert with its alias is open: it closes nothing.').waitFor();
  });

  it('keeps a request that can not be read, and says so at its field', async () => {
    const page = await rig.open(`/console/integrations/${id}`, { as: admin });
    await body(page).fill('{"status":');
    await writeUntil(page.getByText('The request can not be read').first(), () => press(page, 'Try the request'));
    expect(await body(page).inputValue()).toBe('{"status":');
    expect(await body(page).getAttribute('aria-invalid')).toBe('true');
  });
});

it('The form of an action tries the actions that are not saved, with what is refused at its field.', async () => {
  const page = await rig.open(`/console/integrations/${id}/actions`, { as: admin });
  await page.getByLabel('What it does').selectOption('Actions that ignore');
  await press(page, 'Add an action');
  await page.getByLabel('Sample request').selectOption('open');
  await writeUntil(page.getByText('Name can not be empty.').first(), () => press(page, 'Try the request'));
  await page.getByLabel('Name', { exact: true }).fill('Quiet');
  await writeUntil(items(page).first().getByText('Nothing would happen.'), () => press(page, 'Try the request'));
  await rig.expectNoViolations(page);
  const { ignore } = await rig.system.api.read<{ readonly ignore: readonly object[] }>(
    `/v2/integrations/${id}/actions`,
  );
  expect(ignore).toEqual([]);
});
