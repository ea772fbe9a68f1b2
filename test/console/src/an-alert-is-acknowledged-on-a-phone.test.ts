import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;
let alias: string;
let message: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  person = await rig.signIn(scenario.address('ada'));
  alias = randomUUID();
  message = `Disk full on ${alias.slice(0, 8)}`;
  await scenario.alert({
    message,
    alias,
    priority: 'P1',
    description: '94 % of /var/lib are used.',
    details: { host: 'db-1' },
    responders: [scenario.user('ada')],
  });
  await rig.system.settle();
  await rig.system.mailed(scenario.address('ada'), message);
});

describe('the person on call', () => {
  it('finds the alert on their phone, acknowledges it, and adds a note', async () => {
    const page = await rig.open('/console/', { device: 'phone', as: person });
    await page.getByRole('link', { name: message }).tap();
    await page.getByRole('heading', { level: 1, name: message }).waitFor();
    await page.getByRole('status').filter({ hasText: message }).waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Alerts', exact: true }).and(page.locator('[aria-current=true]')).waitFor();
    await page.getByText('94 % of /var/lib are used.').waitFor();
    const acknowledged = page.getByRole('definition').filter({ hasText: /^acknowledged$/ });
    await writeUntil(acknowledged, () => page.getByRole('button', { name: 'Acknowledge', exact: true }).tap());
    await page
      .getByRole('definition')
      .filter({ hasText: scenario.address('ada') })
      .first()
      .waitFor();
    await page.getByLabel('New note').fill('Looking at it.');
    const note = page.getByRole('listitem').filter({ hasText: 'Looking at it.' });
    await writeUntil(note, () => page.getByRole('button', { name: 'Add note' }).tap());
    // Each is closed off: a text with line ends or marks of direction cannot look like another entry.
    expect(await note.locator('bdi').allInnerTexts()).toEqual([scenario.address('ada'), 'Looking at it.']);
    await page.getByRole('status').filter({ hasText: 'The note was added.' }).waitFor({ state: 'attached' });
    expect(await page.getByLabel('New note').inputValue()).toBe('');
    await rig.system.settle();
    expect(await scenario.alertOf(alias)).toMatchObject({ acknowledged: true, owner: scenario.address('ada') });
  });

  it('acknowledges and closes the alert with what they typed as a note', async () => {
    const { id } = await scenario.alertOf<{ readonly id: string }>(alias);
    const page = await rig.open(`/console/alerts/${id}`, { device: 'phone', as: person });
    const sendWith = async (button: string, note: string, result: string) => {
      await page.getByLabel('New note').fill(note);
      const shown = page.getByRole('listitem').filter({ hasText: note });
      await writeUntil(shown, () => page.getByRole('button', { name: button }).tap());
      await page.getByRole('status').filter({ hasText: result }).waitFor({ state: 'attached' });
      expect(await page.getByLabel('New note').inputValue()).toBe('');
    };
    await sendWith('Acknowledge with the note', 'Looking at it.', 'Acknowledged, with the note.');
    await page
      .getByRole('definition')
      .filter({ hasText: /^acknowledged$/ })
      .waitFor();
    await sendWith('Close with the note', 'Freed 20 GB.', 'Closed, with the note.');
    await page
      .getByRole('definition')
      .filter({ hasText: /^closed$/ })
      .waitFor();
    await rig.expectNoViolations(page);
    await rig.system.settle();
    expect(await rig.system.api.read(`/v2/alerts/${id}`)).toMatchObject({ acknowledged: true, status: 'closed' });
  });

  it('finds shortcuts and the end of their session in the list of pages, which a tap elsewhere closes', async () => {
    const page = await rig.open('/console/alerts', { device: 'phone', as: person });
    const more = page.getByRole('button', { name: 'More', exact: true });
    const signOut = page.getByRole('button', { name: 'Sign out' });
    await more.tap();
    await rig.expectNoViolations(page);
    await page.getByText('Tocsin', { exact: true }).tap();
    await signOut.waitFor({ state: 'hidden' });
    await more.tap();
    await page.getByRole('button', { name: 'Shortcuts' }).tap();
    await page.getByRole('dialog', { name: 'Shortcuts' }).getByRole('button', { name: 'Close' }).tap();
    await signOut.waitFor({ state: 'hidden' });
    await more.tap();
    await signOut.tap();
    await expect(page.getByLabel('User name').waitFor()).resolves.toBeUndefined();
  });

  it('keeps a note that was not sent while they look at another page', async () => {
    const page = await rig.open('/console/', { as: person });
    await page.getByRole('link', { name: message }).click();
    await page.getByLabel('New note').fill('Half a note');
    await page.getByRole('link', { name: 'All alerts' }).click();
    await page.getByRole('link', { name: message }).click();
    expect(await page.getByLabel('New note').inputValue()).toBe('Half a note');
  });
});

describe('the page of an alert', () => {
  it('says that an alert does not exist', async () => {
    const page = await rig.open(`/console/alerts/${randomUUID()}`, { as: person });
    const said = page.getByRole('alert').filter({ hasText: 'It may have been deleted' });
    await expect(said.waitFor()).resolves.toBeUndefined();
  });
});
