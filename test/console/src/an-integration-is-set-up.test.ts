import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;

/** A team of which ada is an admin, and grace a member. */
beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  const members = [
    { user: { username: scenario.address('ada') }, role: 'admin' },
    { user: { username: scenario.address('grace') } },
  ];
  await rig.system.api.create('/v2/teams', { name: scenario.name('Shop'), members });
  person = await rig.signIn(scenario.address('ada'));
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const dialogOf = (page: Page) => page.getByRole('dialog');
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();
const command = (page: Page) => page.getByLabel('Command', { exact: true });
const shownKey = (page: Page) => page.getByRole('region', { name: 'Its new key' }).getByRole('code').innerText();

/** An integration of the team. */
const create = async (name: string, over: object = {}): Promise<string> => {
  const ownerTeam = { name: scenario.name('Shop') };
  const body = { type: 'API', name: scenario.name(name), ownerTeam, ...over };
  return (await rig.system.api.create('/v2/integrations', body)).id;
};

async function opened(id: string, name: string, as = person): Promise<Page> {
  const page = await rig.open(`/console/integrations/${id}`, { as });
  await heading(page, scenario.name(name)).waitFor();
  return page;
}

/** Sends the request of a command of the page, and gives the status of its answer. */
async function statusOf(text: string): Promise<number> {
  const url = /-X POST (\S+)/.exec(text)?.[1] ?? '';
  const [, ...headers] = text.split("-H '").map((part): [string, string] => {
    const [name = '', value = ''] = part.slice(0, part.indexOf("'")).split(': ');
    return [name, value];
  });
  const body = /-d '(.*)'/.exec(text)?.[1] ?? '';
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

/** Takes the mails about the alert of the team, and deletes it: its escalation would page during the tests of other files. */
async function deleteAlert(): Promise<void> {
  for (const name of ['ada', 'grace']) await rig.system.mailed(scenario.address(name), 'Hello from curl');
  const query = new URLSearchParams({ query: `teams:"${scenario.name('Shop')}"` }).toString();
  const alerts = await rig.system.api.read<readonly { readonly id: string }[]>(`/v2/alerts?${query}`);
  expect(alerts).toHaveLength(1);
  for (const { id } of alerts) await rig.system.api.expect(202, 'DELETE', `/v2/alerts/${id}`);
  await rig.system.settle();
}

describe('an integration', () => {
  it('is created, its command is accepted, its key is replaced, and it is disabled and enabled', async () => {
    const name = scenario.name('Scripts');
    const page = await rig.open('/console/integrations', { as: person });
    await press('Create an integration')(page);
    const dialog = dialogOf(page);
    await dialog.getByLabel('Team').selectOption(scenario.name('Shop'));
    await press('Create the integration')(page);
    await dialog.getByRole('alert').filter({ hasText: 'Type a name.' }).waitFor();
    await rig.isStill(page);
    await rig.picture(page, 'integration-new');
    await rig.expectNoViolations(page);
    await dialog.getByLabel('Name').fill(name);
    await writeUntil(heading(page, name), () => press('Create the integration')(page));

    const first = await command(page).innerText();
    expect(first).toContain(await shownKey(page));
    expect(await statusOf(first)).toBe(202);
    await deleteAlert();
    await page.getByLabel('Tool', { exact: true }).selectOption('Alertmanager');
    const text = page.getByLabel('Text for Alertmanager');
    expect(await text.innerText()).toContain(`api_key: ${await shownKey(page)}`);
    await rig.isStill(page);
    await rig.picture(page, 'integration-new-key');
    await rig.expectNoViolations(page);

    await press('Replace the key')(page);
    await dialog.getByText('are refused after that').waitFor();
    await rig.expectNoViolations(page);
    const previous = page.getByText('The key before it is valid until');
    await writeUntil(previous, () => press('Replace it')(page));
    const second = await command(page).innerText();
    expect(second).not.toBe(first);
    await rig.system.pass(2);
    expect(await statusOf(first)).toBe(401);
    expect(await statusOf(second)).toBe(202);
    await deleteAlert();

    await press('Disable')(page);
    await dialog.getByText('Its key is refused at once').waitFor();
    await writeUntil(page.getByText('disabled: its key is refused'), () => press('Disable it')(page));
    expect(await statusOf(second)).toBe(401);
    await writeUntil(page.getByText('enabled', { exact: true }), () => press('Enable')(page));
    await page.reload();
    await heading(page, name).waitFor();
    await page.getByText('YOUR-KEY').first().waitFor();
    expect(await command(page).count()).toBe(0);
  });

  it('of a chat asks for a channel and a token, and says where it posts', async () => {
    const name = scenario.name('Incidents');
    const page = await rig.open('/console/integrations', { as: person });
    await press('Create an integration')(page);
    const dialog = dialogOf(page);
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Type').selectOption('SlackApp');
    await dialog.getByLabel('Team').selectOption(scenario.name('Shop'));
    await press('Create the integration')(page);
    await dialog.getByRole('alert').filter({ hasText: 'Type the token of the bot.' }).waitFor();
    await rig.expectNoViolations(page);
    await dialog.getByLabel('Id of the channel').fill('C1');
    await dialog.getByLabel('Token of the bot').fill('xoxb-1');
    await dialog.getByLabel('Signing Secret of the app').fill('secret-1');
    await dialog.getByLabel('Replies below the post of an alert').selectOption('What changes the state of the alert');
    await writeUntil(heading(page, name), () => press('Create the integration')(page));
    await page.getByRole('definition').filter({ hasText: 'C1' }).waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    expect(await rig.system.api.read(`/v2/integrations/${id}`)).toMatchObject({
      channel: 'C1',
      thread: 'state',
      signingSecret: 'secret-1',
    });

    await press('Delete')(page);
    await writeUntil(page.getByRole('heading', { level: 1, name: 'Integrations' }), () => press('Delete it')(page));
  });

  it('of a chat that is posted to by a webhook asks for its URL, and shows only its host', async () => {
    const name = scenario.name('Operations');
    const url = 'https://discord.example.com/api/webhooks/1/secret-path';
    const page = await rig.open('/console/integrations', { as: person });
    await press('Create an integration')(page);
    const dialog = dialogOf(page);
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Type').selectOption('Discord');
    await dialog.getByLabel('Team').selectOption(scenario.name('Shop'));
    await press('Create the integration')(page);
    await dialog.getByRole('alert').filter({ hasText: 'Paste the URL of the webhook.' }).waitFor();
    await rig.expectNoViolations(page);
    await dialog.getByLabel('URL').fill(url);
    await writeUntil(heading(page, name), () => press('Create the integration')(page));
    await page.getByRole('definition').filter({ hasText: 'a webhook of discord.example.com' }).waitFor();
    expect(await page.getByText('secret-path').count()).toBe(0);
    const id = page.url().split('/').at(-1) ?? '';
    expect(await rig.system.api.read(`/v2/integrations/${id}`)).toMatchObject({ url, thread: 'all' });

    await press('Delete')(page);
    await writeUntil(page.getByRole('heading', { level: 1, name: 'Integrations' }), () => press('Delete it')(page));
  });

  it('of Telegram asks for the chat and the token of BotFather, and shows what the server refuses', async () => {
    const name = scenario.name('Night shift');
    const page = await rig.open('/console/integrations', { as: person });
    await press('Create an integration')(page);
    const dialog = dialogOf(page);
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Type').selectOption('Telegram');
    await dialog.getByLabel('Team').selectOption(scenario.name('Shop'));
    expect(await dialog.getByLabel('Signing Secret of the app').count()).toBe(0);
    await dialog.getByLabel('Id of the channel').fill('the night shift');
    await dialog.getByLabel('Token of the bot').fill('123456:ABC-DEF');
    await press('Create the integration')(page);
    await dialog.getByRole('alert').filter({ hasText: 'Id of the channel' }).waitFor();
    await dialog.getByLabel('Id of the channel').fill('-1001234567890:12');
    await writeUntil(heading(page, name), () => press('Create the integration')(page));
    await page.getByRole('definition').filter({ hasText: '-1001234567890:12' }).waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    const stored = { channel: '-1001234567890:12', token: '123456:ABC-DEF', url: 'https://api.telegram.org' };
    expect(await rig.system.api.read(`/v2/integrations/${id}`)).toMatchObject({ type: 'Telegram', ...stored });

    await press('Delete')(page);
    await writeUntil(page.getByRole('heading', { level: 1, name: 'Integrations' }), () => press('Delete it')(page));
  });

  it('is found, changed after the change of another person was seen, and deleted', async () => {
    const id = await create('Probe');
    const page = await rig.open('/console/integrations', { as: person });
    await page.getByLabel('Name, type or team').fill(scenario.name('Shop'));
    await page.getByRole('link', { name: scenario.name('Probe') }).click();
    await heading(page, scenario.name('Probe')).waitFor();
    await press('Change')(page);
    await dialogOf(page).getByLabel('Name').fill(scenario.name('Pump'));
    const others = { type: 'API', name: scenario.name('Pipe'), ownerTeam: { name: scenario.name('Shop') } };
    await rig.system.api.expect(200, 'PUT', `/v2/integrations/${id}`, { ...others, tags: ['pipes'] });
    const seen = dialogOf(page).getByText(`Its name is “${scenario.name('Pipe')}” now.`);
    await writeUntil(seen, () => press('Save')(page));
    expect(await dialogOf(page).getByLabel('Name').inputValue()).toBe(scenario.name('Pump'));
    await writeUntil(heading(page, scenario.name('Pump')), () => press('Save all the same')(page));
    expect(await rig.system.api.read(`/v2/integrations/${id}`)).toMatchObject({ tags: ['pipes'] });

    await press('Delete')(page);
    await dialogOf(page).getByText('This cannot be taken back.').waitFor();
    await writeUntil(heading(page, 'Integrations'), () => press('Delete it')(page));
    await expect(
      page.getByRole('link', { name: scenario.name('Pump') }).waitFor({ state: 'detached' }),
    ).resolves.toBeUndefined();
  });

  it('has its actions in words, which are moved and deleted', async () => {
    const id = await create('Mixed');
    const filter = {
      type: 'match-all-conditions',
      conditions: [{ field: 'message', operation: 'starts-with', expectedValue: 'Test' }],
    };
    const given = (name: string, over: object = {}) => ({ name, filter, ...over });
    const ignore = [given('Tests'), given('Probes')];
    const makes = [given('Loud', { priority: 'P1' }), { name: 'Create Alert' }];
    await rig.system.api.expect(200, 'PUT', `/v2/integrations/${id}/actions`, { ignore, create: makes });
    const page = await opened(id, 'Mixed');
    const items = page.getByRole('list', { name: 'Actions' }).getByRole('listitem');
    const nth = (index: number, text: string) => items.nth(index).filter({ hasText: text });
    await nth(0, 'Ignores requests whose message starts with “Test”.').waitFor();
    await nth(2, 'priority: P1').waitFor();
    await nth(3, 'Creates an alert of every request.').waitFor();
    await writeUntil(nth(0, 'Probes'), () => press('Move Probes up')(page));
    await rig.isStill(page);
    await rig.picture(page, 'integration-actions');
    await rig.expectNoViolations(page);
    await press('Delete Loud')(page);
    await dialogOf(page).getByText('goes to the actions after it').waitFor();
    await writeUntil(nth(2, 'Create Alert'), () => press('Delete it')(page));
    const actions = await rig.system.api.read<Readonly<Record<string, readonly object[]>>>(
      `/v2/integrations/${id}/actions`,
    );
    expect(actions).toMatchObject({
      ignore: [{ name: 'Probes' }, { name: 'Tests' }],
      create: [{ name: 'Create Alert' }],
    });
  });

  it('of mail has an address in place of a key, and says to a member of its team who may change it', async () => {
    const emailUsername = `shop-${crypto.randomUUID()}`;
    const id = await create('Mail', { type: 'Email', emailUsername });
    const page = await opened(id, 'Mail', await rig.signIn(scenario.address('grace')));
    await page
      .getByLabel('Text for Mail')
      .filter({ hasText: `${emailUsername}@` })
      .waitFor();
    const reason = `Only an admin of team ${scenario.name('Shop')}, or of the account, can change this.`;
    await page.getByRole('button', { name: 'Delete', exact: true }).click({ force: true });
    await page.getByText(reason).first().waitFor();
    await page.getByRole('button', { name: 'Replace the key' }).click({ force: true });
    const said = page.getByRole('status').filter({ hasText: 'It has an address in place of a key.' });
    await expect(said.waitFor({ state: 'attached' })).resolves.toBeUndefined();
  });
});

describe('the traffic of an integration', () => {
  it('is in the list and on its page: the last alert, and why a request was refused', async () => {
    // Of no team, so that its alert pages no user.
    const body = { type: 'API', name: scenario.name('Probe') };
    const { apiKey, id } = await rig.system.api.create<{ readonly id: string; readonly apiKey: string }>(
      '/v2/integrations',
      body,
    );
    await rig.system.api.as(apiKey).expect(202, 'POST', '/v2/alerts', { message: scenario.name('Disk full') });
    await rig.system.api.as(apiKey).expect(422, 'POST', '/v2/alerts', {});
    await eventually(async () => {
      const traffic = await rig.system.api.read(`/v2/integrations/${id}/traffic`);
      expect(traffic).toMatchObject({ hours: [{ alerts: 1, refused: 1 }] });
    });
    const page = await rig.open('/console/integrations', { as: person });
    const row = page.getByRole('listitem').filter({ hasText: scenario.name('Probe') });
    await row.getByText(/^last alert .* · last refused .*: the request was not valid \(422\)$/).waitFor();
    await row.getByRole('link').click();
    const traffic = page.getByRole('region', { name: 'Traffic' });
    await traffic.getByText('1 alert, 1 request refused').first().waitFor();
    await traffic.getByText('the request was not valid (422), create-alert').waitFor();
  });
});
