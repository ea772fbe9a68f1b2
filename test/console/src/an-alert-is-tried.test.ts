import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Locator, Page } from 'playwright-core';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  await scenario.team('Database', 'ada', 'grace');
  await scenario.schedule('Nights', { participants: ['ada'] });
  await scenario.escalation(
    'Database first',
    { delay: 0, to: { type: 'schedule', name: 'Nights' } },
    { delay: 5, to: { type: 'user', name: 'grace' } },
  );
  person = await rig.signIn(scenario.address('grace'));
});

const opened = async (device: 'desk' | 'phone', search = ''): Promise<Page> => {
  const page = await rig.open(`/console/flow${search}`, { as: person, device });
  await page.getByRole('heading', { level: 1, name: 'Flow' }).waitFor();
  return page;
};
const tryUntil = (page: Page, shown: Locator): Promise<void> =>
  writeUntil(shown, () => page.getByRole('button', { name: 'Try the alert' }).click());
const decisions = (page: Page) => page.getByRole('list', { name: 'Decisions' }).locator(':scope > li');

describe('an alert that is tried', () => {
  it.each(DEVICES)('shows whom it would notify in which minute, and makes no alert (%s)', async (device) => {
    const page = await opened(device);
    await page.getByLabel('Message').fill(`Disk full on ${scenario.name('db-1')}`);
    const responder = page.getByRole('combobox', { name: 'Responder' });
    await responder.pressSequentially(scenario.name('Database first'));
    await page.getByRole('option').filter({ hasText: 'Escalation: ' }).click();
    await page.getByRole('button', { name: 'Add the responder' }).click();
    await page.getByRole('button', { name: 'Try the alert' }).click();
    await decisions(page)
      .filter({ hasText: 'at once' })
      .filter({ hasText: scenario.address('ada') })
      .waitFor();
    await decisions(page)
      .filter({ hasText: 'after 5 min' })
      .filter({ hasText: scenario.address('grace') })
      .waitFor();
    await rig.isStill(page);
    await rig.picture(page, `alert-tried-${device}`);
    await rig.expectNoViolations(page);
    await rig.system.settle();
    const query = encodeURIComponent(`message:"${scenario.name('db-1')}"`);
    expect(await rig.system.api.read(`/v2/alerts?query=${query}`)).toEqual([]);
  });

  it('is in the address of the page, which gives the same answer to another visit', async () => {
    const responders = `Escalation: ${scenario.name('Database first')}`;
    const page = await opened('desk');
    await page.getByLabel('Message').fill('Disk full');
    await page.getByRole('combobox', { name: 'Responder' }).fill(responders);
    await page.getByRole('button', { name: 'Add the responder' }).click();
    await tryUntil(page, decisions(page).filter({ hasText: 'after 5 min' }));
    const { search } = new URL(page.url());
    expect(new URLSearchParams(search).get('responders')).toBe(responders);
    const other = await opened('phone', search);
    await decisions(other).filter({ hasText: 'after 5 min' }).waitFor();
    expect(await other.getByLabel('Message').inputValue()).toBe('Disk full');
  });

  it('says at the field what the server refuses, and keeps what was typed', async () => {
    const alias = 'a'.repeat(600);
    const page = await opened('phone');
    await page.getByLabel('Message').fill('Disk full');
    await page.getByText('More fields').click();
    await page.getByLabel('Alias').fill(alias);
    await tryUntil(page, page.getByRole('alert').filter({ hasText: /^Alias / }));
    expect(await page.getByLabel('Alias').inputValue()).toBe(alias);
    await rig.expectNoViolations(page);
  });
});
