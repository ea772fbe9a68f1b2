import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Locator, Page } from 'playwright-core';
import { type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;
let alias: string;
let message: string;
let page: Page;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  person = await rig.signIn(scenario.address('grace'));
  alias = randomUUID();
  message = `Disk full on ${alias.slice(0, 8)}`;
  await scenario.alert({ message, alias, tags: ['disk'] });
  await rig.system.settle();
  const { id } = await scenario.alertOf<{ readonly id: string }>(alias);
  page = await rig.open(`/console/alerts/${id}`, { as: person, device: 'phone' });
  await page.getByRole('heading', { level: 1, name: message }).waitFor();
});

const fact = (text: string | RegExp) => page.getByRole('definition').filter({ hasText: text });
const tags = () => page.getByRole('textbox', { name: 'Tags' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const tapUntil = (shown: Locator, name: string) => writeUntil(shown, () => button(name).tap());

/** Sends an assignment that is not answered before another form is open. */
async function assignMeanwhile(owner: string): Promise<void> {
  const isOpen = Promise.withResolvers<undefined>();
  await page.route(
    '**/assign',
    async (route) => {
      await isOpen.promise;
      await route.fallback();
    },
    { times: 1 },
  );
  await button('Assign …').tap();
  await page.getByRole('combobox', { name: 'New owner' }).fill(owner);
  await button('Assign').tap();
  await button('Tag …').tap();
  await tags().fill('half a tag');
  isOpen.resolve(undefined);
}

describe('an alert on a phone', () => {
  it('is snoozed for an hour by two taps, and until a time that the server takes', async () => {
    await button('Snooze …').tap();
    await rig.expectNoViolations(page);
    await tapUntil(fact('snoozed for 1 h'), 'Snooze for 1 h');
    await button('Snooze …').tap();
    const until = page.getByLabel('Until');
    await until.fill('2099-01-01T08:00:00');
    await tapUntil(page.getByRole('alert').filter({ hasText: 'endTime' }), 'Snooze');
    expect(await until.inputValue()).toContain('2099-01-01T08:00');
    await rig.system.settle();
    expect(await scenario.alertOf(alias)).toMatchObject({ snoozed: true });
  });

  it('is given to a person by their name, and one who does not exist is refused at the field', async () => {
    await button('Assign …').tap();
    const owner = page.getByRole('combobox', { name: 'New owner' });
    await owner.fill('unknown@example.com');
    await tapUntil(page.getByRole('alert').filter({ hasText: 'unknown@example.com' }), 'Assign');
    expect(await owner.inputValue()).toBe('unknown@example.com');
    await owner.fill(scenario.address('ada'));
    await page
      .getByRole('option')
      .filter({ hasText: scenario.address('ada') })
      .tap();
    await page.getByLabel('Note with it').fill('Over to you.');
    await tapUntil(fact(scenario.address('ada')), 'Assign');
    await page.getByRole('listitem').filter({ hasText: 'Over to you.' }).waitFor();
    await tapUntil(fact(scenario.address('grace')), 'Take ownership');
    await button('Take ownership').and(page.locator('[aria-disabled=true]')).waitFor();
    await rig.system.settle();
    expect(await scenario.alertOf(alias)).toMatchObject({ owner: scenario.address('grace') });
  });

  it('gets tags and loses one, and an acknowledgement is taken back', async () => {
    await button('Tag …').tap();
    await tags().fill('database, nights');
    await tapUntil(fact('disk, database, nights'), 'Add tags');
    await button('Tag …').tap();
    await tapUntil(fact(/^database, nights$/), 'Remove disk');
    await button('Unacknowledge').tap({ force: true });
    const more = page.getByRole('region', { name: 'More actions' });
    await more.getByText('The alert is not acknowledged.').waitFor();
    await tapUntil(fact(/^acknowledged$/), 'Acknowledge');
    await tapUntil(fact(/^open$/), 'Unacknowledge');
    await rig.system.settle();
    expect(await scenario.alertOf(alias)).toMatchObject({ acknowledged: false, tags: ['database', 'nights'] });
  });

  it('pages a responder who is added, and the next rule of an escalation that is named', async () => {
    await scenario.escalation('Ops', { delay: 5, to: { type: 'user', name: 'grace' } });
    await button('Add responder …').tap();
    await page.getByRole('combobox', { name: 'Responder' }).fill(scenario.address('ada'));
    await tapUntil(page.getByText('The responder was added.').first(), 'Add');
    await rig.system.settle();
    await rig.system.mailed(scenario.address('ada'), message);
    await button('Escalate …').tap();
    await page.getByRole('combobox', { name: 'Escalation' }).fill(scenario.name('Ops'));
    await page
      .getByRole('option')
      .filter({ hasText: scenario.name('Ops') })
      .tap();
    await tapUntil(page.getByText('The escalation was asked for its next rule.').first(), 'Escalate');
    await rig.system.settle();
    await expect(rig.system.mailed(scenario.address('grace'), message)).resolves.not.toThrow();
  });

  it('says that an action was refused, and closes no other form, while the person fills in another one', async () => {
    const refusal = page.getByRole('alert').filter({ hasText: /^Assign: .*unknown@example\.com/ });
    await writeUntil(refusal, () => assignMeanwhile('unknown@example.com'));
    expect(await tags().inputValue()).toBe('half a tag');
    await rig.expectNoViolations(page);
    const done = page.getByText('The alert has a new owner.').first();
    await writeUntil(done, () => assignMeanwhile(scenario.address('ada')));
    expect(await tags().inputValue()).toBe('half a tag');
  });

  it('keeps what was typed while the person looks at another page', async () => {
    await button('Tag …').tap();
    await tags().fill('half a tag');
    await page.getByRole('link', { name: 'All alerts' }).tap();
    await page.getByRole('link', { name: message }).tap();
    await button('Tag …').tap();
    expect(await tags().inputValue()).toBe('half a tag');
  });
});
