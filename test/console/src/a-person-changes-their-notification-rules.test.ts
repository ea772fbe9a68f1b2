import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Locator, Page } from 'playwright-core';
import { useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let ada: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  ada = scenario.address('ada');
});

async function opened(device: 'desk' | 'phone' = 'desk'): Promise<Page> {
  const page = await rig.open('/console/me', { as: await rig.signIn(ada), device });
  await rule(page, 'New Alert').waitFor();
  return page;
}

const rule = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('group', { name: `Rule ${name}`, exact: true }) });

/** Presses a button that writes, until the page shows what came of it. */
const pressFor = (shown: Locator, button: Locator): Promise<void> => writeUntil(shown, () => button.click());

const save = (dialog: Locator, name = 'Save') => dialog.getByRole('button', { name, exact: true });

describe('a notification rule', () => {
  it('is changed, and its sentence says the change before and after it is saved', async () => {
    const page = await opened('phone');
    const newAlert = rule(page, 'New Alert');
    await newAlert.getByText('All new alerts: mail at once.').waitFor();
    await newAlert.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Holds for').selectOption('match-any-condition');
    await dialog.getByLabel('Field').selectOption('priority');
    await dialog.getByLabel('Operation').selectOption({ label: 'is' });
    await dialog.getByLabel('Value').fill('P1');
    await dialog.getByRole('button', { name: 'Add a step' }).click();
    await dialog.getByRole('group', { name: 'Step 2' }).getByLabel('After minutes').fill('soon');
    await save(dialog).click();
    await dialog.getByText('Type a whole number of minutes.').waitFor();
    await dialog.getByRole('group', { name: 'Step 2' }).getByLabel('After minutes').fill('2');
    await dialog.getByLabel(/^Repeat the steps/).check();
    const sentence =
      'New alerts of P1: mail at once, mail after 2 minutes, then again every 5 minutes until acknowledged, snoozed or closed.';
    await dialog.getByText(sentence).waitFor();
    await rig.isStill(page);
    await rig.picture(page, 'me-rule-phone');
    await rig.expectNoViolations(page);
    await pressFor(newAlert.getByText(sentence), save(dialog));
    await page.reload();
    await newAlert.getByText(sentence).waitFor();
    await expect(dialog.waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  it('that another person changed meanwhile is not overwritten unseen, and what was typed is kept', async () => {
    const page = await opened();
    await rule(page, 'New Alert').getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('After minutes').fill('3');
    await scenario.changeRule('ada', 'create-alert', { name: 'By an admin', repeat: { loopAfter: 7 } });
    const changed = dialog.getByRole('alert').filter({ hasText: 'again every 7 minutes' });
    await pressFor(changed, save(dialog));
    expect(await dialog.getByLabel('After minutes').inputValue()).toBe('3');
    const saved = rule(page, 'New Alert').getByText('All new alerts: mail after 3 minutes.');
    await pressFor(saved, save(dialog, 'Save all the same'));
    await expect(dialog.waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  it('is added, refused without a name, moved, disabled and deleted', async () => {
    const page = await opened();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('');
    await pressFor(dialog.getByRole('alert').filter({ hasText: 'Rule name' }), save(dialog));
    await dialog.getByLabel('It holds').selectOption('daily');
    await dialog.getByLabel('Name', { exact: true }).fill('Nights');
    const nights = rule(page, 'Nights');
    await pressFor(nights.getByText('All new alerts, from 22:00 to 06:00: mail at once.'), save(dialog));
    await pressFor(
      page.getByRole('main').getByText('Nights is at place 1 now.'),
      nights.getByRole('button', { name: 'Move up' }),
    );
    await nights.getByRole('button', { name: 'Move down' }).waitFor();
    await pressFor(nights.getByText('Nights, disabled'), nights.getByRole('button', { name: 'Disable' }));
    await nights.getByRole('button', { name: 'Delete' }).click();
    const gone = page.getByRole('main').getByText('Nights was deleted.');
    await pressFor(gone, page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
    await expect(nights.waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });
});
