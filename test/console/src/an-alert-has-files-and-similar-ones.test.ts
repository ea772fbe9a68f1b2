import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useConsole } from './rig/console.ts';

const rig = useConsole();
let scenario: Scenario;
let alias: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  alias = randomUUID();
});

describe('the page of an alert', () => {
  it('downloads its files', async () => {
    await scenario.alert({ message: 'Disk full', alias });
    await rig.system.settle();
    const form = new FormData();
    form.append('file', new Blob(['94 %']), 'usage.txt');
    await rig.system.api.create(`/v2/alerts/${alias}/attachments?alertIdentifierType=alias`, form);
    const { id } = await scenario.alertOf<{ readonly id: string }>(alias);
    const page = await rig.open(`/console/alerts/${id}`, { as: await rig.signIn(scenario.address('ada')) });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download usage.txt' }).click();
    expect((await download).suggestedFilename()).toBe('usage.txt');
    expect(await readFile(await (await download).path(), 'utf8')).toBe('94 %');
    await page.getByRole('heading', { level: 1, name: 'Disk full' }).waitFor();
  });

  it('attaches and deletes a file', async () => {
    await scenario.alert({ message: 'Disk full', alias });
    await rig.system.settle();
    const { id } = await scenario.alertOf<{ readonly id: string }>(alias);
    const page = await rig.open(`/console/alerts/${id}`, { as: await rig.signIn(scenario.address('ada')) });
    const file = { name: 'usage.txt', mimeType: 'text/plain', buffer: Buffer.from('94 %') };
    await page.getByLabel('Another file').setInputFiles(file);
    await page.getByRole('button', { name: 'Attach' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download usage.txt' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toBe('94 %');
    await page.getByRole('button', { name: 'Delete the file usage.txt' }).click();
    await rig.expectNoViolations(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
    await page.getByRole('button', { name: 'Download usage.txt' }).waitFor({ state: 'detached' });
    expect(await rig.system.api.read(`/v2/alerts/${id}/attachments`)).toEqual([]);
  });

  it('lists other open alerts of the same entity, and leads to them', async () => {
    const entity = `db-${alias}`;
    await scenario.alert({ message: 'Disk full', alias, entity });
    await scenario.alert({ message: `Replica of ${alias} is late`, alias: `${alias}-2`, entity });
    await scenario.alert({ message: `Closed on ${alias}`, alias: `${alias}-3`, entity });
    await scenario.act(`${alias}-3`, 'close');
    await rig.system.settle();
    const { id } = await scenario.alertOf<{ readonly id: string }>(alias);
    const page = await rig.open(`/console/alerts/${id}`, { as: await rig.signIn(scenario.address('ada')) });
    const similar = page.getByRole('region', { name: 'Similar open alerts' });
    await similar.getByRole('link', { name: `Replica of ${alias} is late` }).waitFor();
    expect(await similar.getByRole('listitem').count()).toBe(1);
    await rig.expectNoViolations(page);
    await similar.getByRole('link', { name: 'Search for all of them' }).click();
    await page.getByRole('row').filter({ hasText: 'Disk full' }).waitFor();
    const other = page.getByRole('row').filter({ hasText: `Replica of ${alias} is late` });
    await expect(other.waitFor()).resolves.toBeUndefined();
  });
});
