import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { type SignedIn, useConsole } from './rig/console.ts';

const rig = useConsole();
let scenario: Scenario;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
});

/** A person with that role whose name is their address, as that of the first owner is. */
async function newPerson(role: string): Promise<SignedIn> {
  const address = scenario.address('ada');
  const change = { fullName: address, role: { name: role } };
  await rig.system.api.expect(200, 'PATCH', `/v2/users/${address}`, change);
  return rig.signIn(address);
}

const step = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });
const done = (page: Page, title: string) => page.getByRole('heading', { name: `${title} ✓ done` });

/** Deletes the alerts of a team: their escalation would page during the tests of other files. */
async function deleteAlerts(team: string): Promise<void> {
  const query = new URLSearchParams({ query: `teams:"${team}"` }).toString();
  const alerts = await rig.system.api.read<readonly { readonly id: string }[]>(`/v2/alerts?${query}`);
  expect(alerts).toHaveLength(2);
  for (const { id } of alerts) await rig.system.api.expect(202, 'DELETE', `/v2/alerts/${id}`);
  await rig.system.settle();
}

/** Goes to another page, and comes back. */
async function lookAway(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'On call' }).click();
  await page.getByRole('heading', { level: 1, name: 'On call' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Set up' }).waitFor();
  await step(page, 'A test alert').waitFor();
}

describe('an account', () => {
  it('is set up in five steps, the last of which pages the person', async () => {
    const page = await rig.open('/console/set-up', { as: await newPerson('admin') });
    const you = step(page, 'Your name and time zone');
    await you.getByLabel('Full name').fill('Ada Lovelace');
    await you.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Nowhere');
    await you.getByRole('button', { name: 'Save' }).click();
    await you.getByRole('alert').filter({ hasText: 'Time zone' }).waitFor();
    await you.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin');
    await you.getByRole('button', { name: 'Save' }).click();
    await done(page, 'Your name and time zone').waitFor();

    const team = scenario.name('Payments');
    await page.getByLabel('Name of the team').fill(team);
    await lookAway(page);
    expect(await page.getByLabel('Name of the team').inputValue()).toBe(team);
    await page.getByRole('button', { name: 'Create the team' }).click();
    await done(page, 'Your team, and who is on call first').waitFor();
    const schedule = encodeURIComponent(`${team}_schedule`);
    const onCalls = `/v2/schedules/${schedule}/on-calls?scheduleIdentifierType=name&flat=true`;
    const { body } = await rig.system.api.expect(200, 'GET', onCalls);
    expect(body).toMatchObject({ data: { onCallRecipients: [scenario.address('ada')] } });

    const people = step(page, 'Who else is in it');
    const grace = scenario.address('grace');
    await people.getByLabel('Mail address').fill(grace);
    await people.getByLabel('Full name of this person').fill('Grace Hopper');
    await people.getByRole('button', { name: 'Invite' }).click();
    await people.getByText(`${scenario.address('ada')}, ${grace}`).waitFor();
    await rig.system.mailed(grace, 'invite');

    await page.getByRole('button', { name: 'Create the integration' }).click();
    const integration = step(page, 'What sends alerts');
    await integration.getByText('GenieKey').waitFor();
    const apiKey = await integration.getByRole('code').first().innerText();
    const { origin } = new URL(page.url());
    const headers = { 'Content-Type': 'application/json', Authorization: `GenieKey ${apiKey}` };
    const message = scenario.name('Hello');
    const sent = await fetch(`${origin}/v2/alerts`, { method: 'POST', headers, body: JSON.stringify({ message }) });
    expect(sent.status).toBe(202);
    await rig.system.mailed(scenario.address('ada'), message);

    await lookAway(page);
    expect(await integration.getByRole('code').first().innerText()).toBe(apiKey);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('status').filter({ hasText: 'The key was copied.' }).waitFor({ state: 'attached' });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(apiKey);

    await page.getByRole('button', { name: 'Send a test alert' }).click();
    await rig.system.mailed(scenario.address('ada'), 'Test alert');
    await page.getByRole('link', { name: 'Open the test alert' }).waitFor();
    await done(page, 'A test alert').waitFor();

    await page.reload();
    for (const title of ['Your name and time zone', 'Who else is in it', 'What sends alerts', 'A test alert'])
      await done(page, title).waitFor();
    expect(await page.getByText(apiKey).count()).toBe(0);
    await page.getByRole('button', { name: 'Replace the key' }).click();
    await page.getByRole('button', { name: 'Replace it' }).click();
    await page.getByText('The key before it is valid until').waitFor();
    await deleteAlerts(team);
  });
});

describe('a person who may not set up an account', () => {
  it('sees why', async () => {
    const page = await rig.open('/console/set-up', { as: await newPerson('user') });
    await page.getByRole('button', { name: 'Create the team' }).click({ force: true });
    const reason = page.getByText('Your role "User" cannot set up an account. Ask an owner or an admin.');
    await expect(reason.first().waitFor()).resolves.toBeUndefined();
  });
});
