// cspell:ignore prioity rowcount rowindex
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { type SignedIn, useConsole } from './rig/console.ts';
import { pressUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;
let tag: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  person = await rig.signIn(scenario.address('ada'));
  tag = randomUUID();
});

/** Creates alerts that nothing but a search for the tag of the test lists together. */
async function create(...names: readonly string[]): Promise<void> {
  for (const name of names)
    await scenario.alert({
      message: name,
      alias: `${tag}-${name}`,
      tags: [tag],
      priority: name === 'urgent' ? 'P1' : 'P3',
    });
  await rig.system.settle();
}

/** The list has the last one first. Alerts of one instant have the order in which they were processed, which can differ. */
async function createInOrder(...names: readonly string[]): Promise<void> {
  for (const name of names) await create(name);
}

const search = (more = '') =>
  `/console/alerts?${new URLSearchParams({ query: `status:open AND tag:${tag}${more}` }).toString()}`;
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function opened(): Promise<Page> {
  const page = await rig.open(search(), { as: person });
  await page.getByRole('table', { name: 'Alerts' }).waitFor();
  return page;
}

describe('several alerts', () => {
  it('are acknowledged at once, and one that is gone is named with the reason and stays selected', async () => {
    await createInOrder('first', 'second', 'third', 'gone');
    const page = await opened();
    await page.getByLabel('Select first', { exact: true }).click();
    await page.getByLabel('Select gone', { exact: true }).click({ modifiers: ['Shift'] });
    await page.getByText('4 selected').waitFor();
    await scenario.act(`${tag}-gone`, '', undefined, 'DELETE');
    await rig.system.settle();
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByText('3 of 4 acknowledged, 1 not.').waitFor();
    await results.getByRole('listitem').filter({ hasText: 'gone: Alert does not exist' }).waitFor();
    await row(page, 'first').filter({ hasText: 'acknowledged' }).waitFor();
    expect(await scenario.alertOf(`${tag}-second`)).toMatchObject({ acknowledged: true });
  });

  it('are snoozed, assigned and tagged together, with a result for each', async () => {
    await create('first', 'second', 'third');
    const page = await opened();
    const select = async () => {
      await page.getByLabel('Select the 3 alerts of this list').click();
      await page.getByText('3 selected').waitFor();
    };
    const results = page.getByRole('region', { name: 'Results' });
    await select();
    await page.getByRole('button', { name: 'Tag …' }).click();
    await page.getByRole('textbox', { name: 'Tags' }).fill(`nights-${tag}`);
    await rig.expectNoViolations(page);
    await page.getByRole('button', { name: 'Add tags' }).click();
    await results.getByText('3 of 3 tagged.').waitFor();
    await select();
    await page.getByRole('button', { name: 'Assign …' }).click();
    await page.getByRole('combobox', { name: 'New owner' }).fill(scenario.address('ada'));
    await page
      .getByRole('option')
      .filter({ hasText: scenario.address('ada') })
      .click();
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await results.getByText('3 of 3 assigned.').waitFor();
    await select();
    await page.getByRole('button', { name: 'Snooze …' }).click();
    await page.getByRole('button', { name: 'Snooze for 1 h' }).click();
    await results.getByText('3 of 3 snoozed.').waitFor();
    await row(page, 'second').filter({ hasText: 'snoozed' }).waitFor();
    await rig.system.settle();
    expect(await scenario.alertOf(`${tag}-third`)).toMatchObject({
      tags: [tag, `nights-${tag}`],
      owner: scenario.address('ada'),
      snoozed: true,
    });
  });

  it('are selected and closed by the keyboard alone', async () => {
    await createInOrder('first', 'second');
    const page = await opened();
    await pressUntil(row(page, 'second').getByRole('link').and(page.locator(':focus')), async () => {
      // The first row comes after no row.
      await page.locator(':focus').evaluateAll((all) => {
        for (const each of all as HTMLElement[]) each.blur();
      });
      await page.keyboard.press('j');
    });
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await row(page, 'first').getByRole('link').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 2 closed.').first().waitFor();
    const empty = page.getByRole('heading', { name: 'No alert matches this search' });
    await expect(empty.waitFor()).resolves.toBeUndefined();
  });
});

/** Answers the second read of a list with 503: the first alerts were read, the others not. Returns what was refused. */
async function refuseSecondList(page: Page): Promise<readonly string[]> {
  const asked: string[] = [];
  const refused: string[] = [];
  await page.route(/\/v2\/alerts\?/, async (route) => {
    asked.push(route.request().url());
    if (asked.length !== 2) return route.continue();
    refused.push(route.request().url());
    return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { message: 'Try again later.' } });
  });
  return refused;
}

describe('a long list', () => {
  /** Above what a page of the API has, so that the list has to be read on. */
  const COUNT = 130;
  /** Nodes of a row: what makes a list of thousands slow. */
  const MAX_NODES = 15;

  it('has few nodes, says how long it is, and is read on while it is scrolled, also after a read that failed', async () => {
    await create(...Array.from({ length: COUNT }, (_, index) => `alert ${index}.`));
    const page = await rig.open('/console/on-call', { as: person });
    const refused = await refuseSecondList(page);
    await page.goto(search());
    await page
      .getByRole('table')
      .and(page.locator(`[aria-rowcount="${COUNT + 1}"]`))
      .waitFor();
    // The alerts have one instant, and the order in which they were processed.
    const rowAt = (index: number) => page.getByRole('row').and(page.locator(`[aria-rowindex="${index}"]`));
    await rowAt(2).waitFor();
    // The newest are kept up to date.
    expect(await page.getByText('read now').count()).toBe(0);
    const nodes = await page
      .getByRole('row')
      .evaluateAll((rows) => rows.slice(1).map((each) => each.querySelectorAll('*').length + 1));
    expect(Math.max(...nodes)).toBeLessThanOrEqual(MAX_NODES);
    expect(nodes.length).toBeLessThan(COUNT / 2);
    const pressEnd = () => page.keyboard.press('End');
    await pressUntil(rowAt(100), pressEnd);
    await pressUntil(rowAt(COUNT + 1), pressEnd);
    await rowAt(COUNT + 1)
      .getByText('read now')
      .waitFor();
    expect(refused).toHaveLength(1);
  });
});

describe('a person who only reads', () => {
  it('sees why they cannot acknowledge', async () => {
    await create('first');
    const role = { name: `Watcher ${tag}` };
    await rig.system.api.expect(201, 'POST', '/v2/roles', { ...role, extendedRole: 'observer' });
    await rig.system.api.expect(200, 'PATCH', `/v2/users/${scenario.address('ada')}`, { role });
    const page = await opened();
    const acknowledge = page.getByRole('button', { name: 'Acknowledge', exact: true });
    await page.getByLabel('Select first', { exact: true }).click();
    await acknowledge.click({ force: true });
    const reason = `Your role "Watcher ${tag}" can only read alerts.`;
    await page.getByText(reason).first().waitFor();
    await page.getByRole('status').filter({ hasText: reason }).waitFor({ state: 'attached' });
    expect(await acknowledge.getAttribute('aria-disabled')).toBe('true');
    await rig.expectNoViolations(page);
  });
});

describe('new alerts', () => {
  it('come into the list by themselves, and wait while alerts are selected', async () => {
    await create('first');
    const page = await opened();
    await create('second');
    await row(page, 'second').waitFor();
    await page.getByLabel('Select first', { exact: true }).click();
    await create('urgent');
    const show = page.getByRole('button', { name: 'Show 1 new (1 P1)' });
    await show.waitFor();
    expect(await row(page, 'urgent').count()).toBe(0);
    await show.click();
    await row(page, 'urgent').waitFor();
    await page.getByText('1 selected').waitFor();
  });
});

describe('a search', () => {
  it('is completed by fields and their values', async () => {
    await create('first', 'urgent');
    const page = await opened();
    const field = page.getByRole('searchbox', { name: 'Search' });
    const goOn = page.getByRole('group', { name: 'Go on with' });
    await field.fill(`tag:${tag} AND prio`);
    await rig.expectNoViolations(page);
    await goOn.getByRole('button', { name: 'priority:' }).click();
    await field.and(page.locator(':focus')).waitFor();
    await goOn.getByRole('button', { name: 'P1' }).click();
    expect((await field.inputValue()).trim()).toBe(`tag:${tag} AND priority:P1`);
    await row(page, 'first').waitFor({ state: 'detached' });
    await expect(row(page, 'urgent').waitFor()).resolves.toBeUndefined();
  });

  it('says what is wrong at its field, and leaves the list in place', async () => {
    await create('first');
    const page = await opened();
    await page.getByRole('searchbox', { name: 'Search' }).fill('prioity:P1');
    await page.getByRole('alert').filter({ hasText: 'unknown field [prioity]; did you mean [priority]?' }).waitFor();
    await row(page, 'first').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill(`tag:${tag}`);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await expect(row(page, 'first').waitFor()).resolves.toBeUndefined();
  });
});
