import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let tag: string;
let name: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  tag = randomUUID();
  name = `Nights ${tag.slice(0, 8)}`;
});

async function opened(as: SignedIn, query = `tag:${tag}`): Promise<Page> {
  const page = await rig.open(`/console/alerts?${new URLSearchParams({ query }).toString()}`, { as });
  await page.getByRole('button', { name: 'Saved searches' }).click();
  return page;
}

const saved = (page: Page, of: string) =>
  page.getByRole('region', { name: 'Saved searches' }).getByRole('link', { name: of, exact: true });

async function save(page: Page): Promise<void> {
  await page.getByLabel('Name of the search of this page').fill(name);
  await writeUntil(saved(page, name), () => page.getByRole('button', { name: 'Save this search' }).click());
}

describe('a search', () => {
  it('is saved, opened, renamed and deleted', async () => {
    const person = await rig.signIn(scenario.address('ada'));
    await save(await opened(person));
    const page = await opened(person, 'status:open');
    await saved(page, name).click();
    await page.waitForURL((url) => url.searchParams.get('query') === `tag:${tag}`);
    await rig.expectNoViolations(page);
    await page.getByRole('button', { name: `Rename ${name}` }).click();
    await page.getByLabel(`New name of ${name}`).fill(`Later ${tag}`);
    const renamed = saved(page, `Later ${tag}`);
    await writeUntil(renamed, () => page.getByRole('button', { name: 'Change the name' }).click());
    await page.getByRole('button', { name: `Delete Later ${tag}` }).click();
    await page.getByRole('button', { name: `Delete Later ${tag} for all` }).click();
    await expect(renamed.waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  it('of another person says why it cannot be changed, and a name that is taken is refused at its field', async () => {
    await save(await opened(await rig.signIn(scenario.address('ada'))));
    const page = await opened(await rig.signIn(scenario.address('grace')));
    await saved(page, name).waitFor();
    await page.getByRole('button', { name: `Rename ${name}` }).click({ force: true });
    await page.getByText('Another person owns this search.').first().waitFor();
    const field = page.getByLabel('Name of the search of this page');
    await field.fill(name);
    const refused = page.getByRole('alert').filter({ hasText: 'already' });
    await writeUntil(refused, () => page.getByRole('button', { name: 'Save this search' }).click());
    expect(await field.inputValue()).toBe(name);
  });
});
