// cspell:ignore requestfailed requestfinished -- names of Playwright
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import type { Page, Route } from 'playwright-core';
import { type SignedIn, useConsole } from './rig/console.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;
let tag: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  person = await rig.signIn(scenario.address('ada'));
  tag = randomUUID();
  await scenario.alert({ message: `Disk ${tag}`, alias: tag, tags: [tag] });
  await rig.system.settle();
});

const search = (query: string) => `/console/alerts?${new URLSearchParams({ query }).toString()}`;
const row = (page: Page) => page.getByRole('row').filter({ hasText: `Disk ${tag}` });
const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'This data is not up to date.' });

describe('a list whose reads fail', () => {
  it.each<[string, (route: Route) => Promise<void>]>([
    ['answered 500', (route) => route.fulfill({ status: 500, json: { message: 'Failed.' } })],
    ['answered 429', (route) => route.fulfill({ status: 429, json: { message: 'Too many requests.' } })],
    ['not answered at all', () => Promise.resolve()],
  ])('stays, and says how old it is, when they are %s', async (_, answer) => {
    const page = await rig.open(search(`tag:${tag}`), { as: person });
    await row(page).waitFor();
    rig.causes(/^answered 500: \/v2\/alerts$/);
    const ended: string[] = [];
    page.on('requestfinished', (request) => ended.push(request.url()));
    page.on('requestfailed', (request) => ended.push(request.url()));
    await page.route(/\/v2\/alerts\?/, answer);
    const present = await page.evaluate(() => Date.now());
    await page.clock.setFixedTime(present + 65_000);
    await eventually(() => {
      expect(ended.filter((url) => url.includes('/v2/alerts?'))).not.toEqual([]);
    });
    await banner(page).waitFor();
    await page.getByText('It is 1 min 5 s old. Retrying.').waitFor();
    expect(await row(page).count()).toBe(1);
    await page.unroute(/\/v2\/alerts\?/);
    await banner(page).waitFor({ state: 'detached' });
  });
});

describe('an alert that is deleted', () => {
  it('is not shown any more as if it were there', async () => {
    const { id } = await scenario.alertOf<{ readonly id: string }>(tag);
    const page = await rig.open(`/console/alerts/${id}`, { as: person });
    const acknowledge = page.getByRole('button', { name: 'Acknowledge', exact: true });
    await acknowledge.waitFor();
    await scenario.act(tag, '', undefined, 'DELETE');
    await acknowledge.waitFor({ state: 'detached' });
    const reason = page.getByText('It may have been deleted, or the address may be wrong.');
    await expect(reason.waitFor()).resolves.toBeUndefined();
  });
});

describe('a new search', () => {
  it('shows no alert of the search before it while it is not answered', async () => {
    const page = await rig.open(search(`tag:${tag}`), { as: person });
    await row(page).waitFor();
    const gate = Promise.withResolvers<undefined>();
    await page.route(/\/v2\/alerts\?.*P5/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.getByRole('searchbox', { name: 'Search' }).fill(`tag:${tag} AND priority:P5`);
    await row(page).waitFor({ state: 'detached' });
    await page.getByText('Loading…').first().waitFor({ state: 'attached' });
    gate.resolve(undefined);
    const empty = page.getByRole('heading', { name: 'No alert matches this search' });
    await expect(empty.waitFor()).resolves.toBeUndefined();
  });
});
