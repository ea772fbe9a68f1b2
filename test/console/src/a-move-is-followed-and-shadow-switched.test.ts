import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, THEMES, useConsole } from './rig/console.ts';

const rig = useConsole();
const MOVE = '/v2/account/move';
const SHADOW = '/v2/account/shadow';
const HOUR_MS = 3_600_000;
let scenario: Scenario;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
});

afterEach(async () => {
  await rig.system.api.expect(200, 'PUT', SHADOW, { enabled: false });
  await rig.system.api.expect(200, 'DELETE', MOVE);
});

async function opened(role: string, at = '/console/move', device: 'desk' | 'phone' = 'desk'): Promise<Page> {
  const ada = scenario.address('ada');
  await rig.system.api.expect(200, 'PATCH', `/v2/users/${ada}`, { role: { name: role } });
  const page = await rig.open(at, { device, as: await rig.signIn(ada) });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

const times = Array.from({ length: 30 }, (_, index) => `Time ${index + 1} differs.`);
type State = 'met' | 'unmet' | 'unknown';

/** Publishes a check of so many hours ago, in which the conditions have these states in their order. */
const publish = (hoursAgo: number, states: readonly [State, State, State, State, State]) => {
  const named = (name: string, state: State | undefined, missing: readonly string[] = []) => ({
    name,
    state,
    summary: `Summary of ${name}.`,
    missing,
  });
  const conditions = [
    named('imported', states[0]),
    { ...named('on-call', states[1], states[1] === 'met' ? [] : times), missingCount: 42 },
    named('duration', states[2]),
    named('alerts', states[3], ['Routing rule [Critical] of team [Ops] has had no alert.']),
    named('differences', states[4]),
  ];
  const checkedAt = new Date(rig.system.clock.now().getTime() - hoursAgo * HOUR_MS).toISOString();
  return rig.system.api.expect(200, 'PUT', MOVE, { from: 'https://api.opsgenie.com', checkedAt, conditions });
};

const link = (page: Page) => page.getByRole('link', { name: 'Move', exact: true });
const condition = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
const standing = (page: Page, text: string) => page.getByRole('heading', { level: 2, name: text });

/** Presses the button of the dialog twice at once; the requests that this sent until the first answer. */
async function pressTwice(page: Page, button: string): Promise<number> {
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent += 1;
  });
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('dialog').getByRole('button', { name: button }).dblclick();
  await answered;
  return sent;
}

/** Presses again while the server says that notifier has not confirmed it: a busy machine may be slow. */
const untilClosed = (page: Page, button: string): Promise<void> =>
  eventually(async () => {
    const dialog = page.getByRole('dialog');
    if (await dialog.getByRole('alert').isVisible()) await dialog.getByRole('button', { name: button }).click();
    if (await dialog.isVisible()) throw new Error('The dialog is open.');
  });

describe('the page of a move', () => {
  it('has the first commands before a check, and navigation leads to it from then on', async () => {
    const page = await opened('admin', '/console/alerts');
    await rig.isStill(page);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Readiness' }).waitFor();
    expect(await link(page).count()).toBe(0);

    await page.goto('/console/move');
    await page.getByRole('heading', { name: 'No check of a move is published' }).waitFor();
    const commands = page.getByRole('region', { name: 'The first commands' }).locator('code');
    expect(await commands.allTextContents()).toEqual([
      expect.stringContaining('tocsin import preflight '),
      expect.stringContaining('tocsin import fetch '),
      expect.stringContaining('tocsin import plan '),
    ]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the command tocsin import plan' }).click();
    await page.getByRole('status').filter({ hasText: 'tocsin import plan was copied.' }).waitFor({ state: 'attached' });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await commands.last().textContent());
    await page.getByRole('button', { name: 'More' }).click();
    await link(page).waitFor();
  });

  it.each(DEVICES)('shows each condition, all that is missing, and the next check by itself (%s)', async (device) => {
    await publish(1, ['met', 'unmet', 'unmet', 'unmet', 'unknown']);
    const page = await opened('admin', '/console/move', device);
    await standing(page, '1 of 5 conditions are met. Not ready for the switch.').waitFor();
    await condition(page, 'Met: Import').waitFor();
    await condition(page, 'Not known: Differences').waitFor();
    const onCall = condition(page, 'Not met: Users on call');
    expect(await onCall.getByText('Time 6 differs.').isVisible()).toBe(false);
    await onCall.getByText('25 more', { exact: true }).click();
    for (const time of times) expect(await onCall.getByText(time, { exact: true }).isVisible()).toBe(true);
    await onCall.getByText('12 more are not listed in the check.').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await rig.isStill(page);
      await rig.picture(page, `move-checked-${device}-${theme}`);
      await rig.expectNoViolations(page);
    }
    await publish(0, ['met', 'met', 'met', 'met', 'met']);
    await standing(page, '5 of 5 conditions were met, and shadow is off: Tocsin pages users.').waitFor();
  });

  it('says of a check that is older than a day that it is old', async () => {
    await publish(25, ['met', 'met', 'unmet', 'met', 'met']);
    const page = await opened('admin');
    await standing(page, '4 of 5 conditions were met. Not ready for the switch.').waitFor();
    expect(await page.getByRole('note').allTextContents()).toContainEqual(expect.stringContaining('This check is old'));
  });

  it('goes once its check is deleted', async () => {
    await publish(1, ['met', 'met', 'met', 'met', 'met']);
    const page = await opened('admin');
    await page.getByRole('button', { name: 'Delete the check' }).click();
    const gone = page.getByRole('heading', { name: 'No check of a move is published' });
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
    await gone.waitFor();
    expect((await rig.system.api.request('GET', MOVE)).status).toBe(404);
  });
});

describe('shadow', () => {
  it('is started and stopped by an admin, who is asked first, by one request each', async () => {
    const page = await opened('admin');
    const main = page.getByRole('region', { name: 'Shadow' });
    const banner = page.getByRole('status').filter({ hasText: 'Shadow is on: no user is paged.' });
    await main.getByText('messages are sent').waitFor();

    await main.getByRole('button', { name: 'Start shadow' }).click();
    await rig.expectNoViolations(page);
    expect(await pressTwice(page, 'Start shadow')).toBe(1);
    await untilClosed(page, 'Start shadow');
    await banner.waitFor();
    await main.getByText('no message is sent to any user').waitFor();
    expect(await rig.system.api.read(SHADOW)).toMatchObject({ enabled: true, changedBy: scenario.address('ada') });

    await main.getByRole('button', { name: 'Stop shadow' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Stop shadow' }).click({ force: true });
    await dialog.getByText('Type yes first.').first().waitFor();
    expect(await rig.system.api.read(SHADOW)).toMatchObject({ enabled: true });
    await dialog.getByLabel('Type yes to stop it').fill('yes');
    await rig.picture(page, 'move-stop-shadow');
    await rig.expectNoViolations(page);
    expect(await pressTwice(page, 'Stop shadow')).toBe(1);
    await untilClosed(page, 'Stop shadow');
    await banner.waitFor({ state: 'detached' });
    expect(await rig.system.api.read(SHADOW)).toMatchObject({ enabled: false });
  });

  it.each(DEVICES)('is said to be on in view of a page that is scrolled (%s)', async (device) => {
    await rig.system.api.expect(200, 'PUT', SHADOW, { enabled: true });
    await publish(1, ['met', 'unmet', 'unmet', 'unmet', 'unknown']);
    const page = await opened('admin', '/console/move', device);
    await page.getByRole('button', { name: 'Delete the check' }).scrollIntoViewIfNeeded();
    const box = await page.getByText('Shadow is on: no user is paged.').boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(40);
    await rig.picture(page, `move-shadow-${device}`);
  });

  it('is for a user to read, as the check is, and not to change', async () => {
    await publish(1, ['met', 'unmet', 'unmet', 'unmet', 'unknown']);
    const page = await opened('user');
    await standing(page, '1 of 5 conditions are met. Not ready for the switch.').waitFor();
    await page.getByText('Owners and admins of the account start and stop it.').waitFor();
    await rig.isStill(page);
    expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Copy the command/)]),
    );
    for (const name of ['Start shadow', 'Stop shadow', 'Delete the check'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Readiness' }).waitFor();
    expect(await link(page).count()).toBe(0);
  });
});
