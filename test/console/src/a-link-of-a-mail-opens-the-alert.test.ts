import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let alias: string;
let message: string;
/** The path of the link in the mail. */
let link: string;

const NOTHING = () => Promise.resolve();
/** Mails have links where the notifier knows the address of the installation. The other files have none. */
beforeAll(() => rig.system.without('notifier', NOTHING, { PUBLIC_URL: 'http://127.0.0.1' }));
afterAll(() => rig.system.without('notifier', NOTHING));

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  alias = randomUUID();
  message = `Disk full on ${alias.slice(0, 8)}`;
  await scenario.alert({ message, alias, responders: [scenario.user('ada')] });
  await rig.system.settle();
  const { text } = await rig.system.mailbox.received(scenario.address('ada'), message, { timeoutMs: 0 });
  link = /^Acknowledge: http:\/\/127\.0\.0\.1(\S+)$/m.exec(text)?.[1] ?? '';
});

const acknowledged = async () => {
  await rig.system.settle();
  return (await scenario.alertOf<{ readonly acknowledged: boolean }>(alias)).acknowledged;
};

describe('the acknowledge link of a mail', () => {
  it('opens the page of the alert for the user who is signed in, whose Enter acknowledges it', async () => {
    const page = await rig.open(link, { as: await rig.signIn(scenario.address('ada')) });
    await page.getByRole('heading', { level: 1, name: message }).waitFor();
    const button = page.getByRole('button', { name: 'Acknowledge', exact: true });
    await button.and(page.locator(':focus')).waitFor();
    expect([await acknowledged(), new URL(page.url()).pathname]).toEqual([
      false,
      expect.stringMatching(/^\/console\/alerts\//),
    ]);
    await writeUntil(page.getByRole('definition').filter({ hasText: /^acknowledged$/ }), () => button.press('Enter'));
    expect(await acknowledged()).toBe(true);
  });

  it('acknowledges by its own page for who is not signed in', async () => {
    const page = await rig.open(link);
    await page.getByText(`The button acknowledges this alert as ${scenario.address('ada')}.`).waitFor();
    await rig.isStill(page);
    expect(new URL(page.url()).pathname).toBe(link);
    await rig.expectNoViolations(page);
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('Your acknowledgement is accepted').waitFor();
    expect(await acknowledged()).toBe(true);
  });

  it('stays on its own page where another user is signed in, and has a link to the console', async () => {
    const page = await rig.open(link, { as: await rig.signIn(scenario.address('grace')) });
    await page.getByText(`The button acknowledges this alert as ${scenario.address('ada')}.`).waitFor();
    await rig.isStill(page);
    expect(new URL(page.url()).pathname).toBe(link);
    await page.getByRole('link', { name: 'Open the alert in the console' }).click();
    const heading = page.getByRole('heading', { level: 1, name: message });
    await expect(heading.waitFor()).resolves.toBeUndefined();
  });
});
