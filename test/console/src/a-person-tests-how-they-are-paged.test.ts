import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Locator, Page } from 'playwright-core';
import { OUTAGE, useConsole } from './rig/console.ts';
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
  await form(page).waitFor();
  return page;
}

const form = (page: Page) => page.getByRole('form', { name: 'Name and time zone' });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const note = (page: Page) => region(page, 'Mute').getByRole('note');

/** Presses a button that writes, until the page shows what came of it. */
const pressFor = (shown: Locator, button: Locator): Promise<void> => writeUntil(shown, () => button.click());

const save = (page: Page, name = 'Save') => form(page).getByRole('button', { name, exact: true });

describe('a test alert', () => {
  it('comes to the mailbox of its person, its log grows on the page, and a button closes it', async () => {
    const page = await opened('phone');
    const section = region(page, 'Test alert');
    const log = section.getByRole('list', { name: 'Log of the test alert' });
    await section.getByLabel('Priority').selectOption('P2');
    const send = section.getByRole('button', { name: 'Send me a test alert' });
    await pressFor(log.getByText('Alert created'), send);
    await rig.system.mailed(ada, 'Test alert');
    await log.getByText(`The mail to ${ada} was handed over`).waitFor();
    await rig.isStill(page);
    await send.scrollIntoViewIfNeeded();
    await rig.picture(page, 'me-test-alert-phone');
    await rig.expectNoViolations(page);

    const close = section.getByRole('button', { name: 'Close the test alert' });
    await pressFor(section.getByText('The alert is closed.'), close);
    await expect(
      log
        .getByText(/closed/i)
        .first()
        .waitFor(),
    ).resolves.toBeUndefined();
  });

  it('whose answer is lost may have been accepted, which the page says', async () => {
    const page = await opened();
    rig.causes(OUTAGE);
    await page.route('**/v2/alerts', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Send me a test alert' }).click();
    const said = page.getByRole('alert').filter({ hasText: 'It may have been accepted. Look at the log' });
    await expect(said.waitFor()).resolves.toBeUndefined();
  });
});

describe('the name and the time zone of a person', () => {
  it('are changed on the page to which their name in the header leads, and the header shows the new name', async () => {
    const page = await rig.open('/console/on-call', { as: await rig.signIn(ada) });
    await page.getByTitle(ada).click();
    await form(page).getByLabel('Full name').fill('Ada King');
    await form(page).getByLabel('Time zone').fill('Europe/Nowhere');
    await pressFor(form(page).getByRole('alert').filter({ hasText: 'Time zone' }), save(page));
    expect(await form(page).getByLabel('Full name').inputValue()).toBe('Ada King');
    await page.getByRole('link', { name: 'your sessions', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    await page.goBack();
    expect(await form(page).getByLabel('Time zone').inputValue()).toBe('Europe/Nowhere');
    await form(page).getByLabel('Time zone').fill('Asia/Tokyo');
    await pressFor(page.getByText('Your name and time zone were saved.').first(), save(page));
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Ada King/ })
      .waitFor();
    await expect(page.getByText('Times are in your zone, Asia/Tokyo.').waitFor()).resolves.toBeUndefined();
  });

  it('that another person changed meanwhile are not overwritten unseen, and what was typed is kept', async () => {
    const page = await opened();
    await form(page).getByLabel('Full name').fill('Ada King');
    await rig.system.api.expect(200, 'PATCH', `/v2/users/${ada}`, { fullName: 'Ada Byron' });
    const changed = form(page)
      .getByRole('alert')
      .filter({ hasText: 'Another person changed the name to “Ada Byron”.' });
    await pressFor(changed, save(page));
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Ada Byron/ })
      .waitFor();
    expect(await form(page).getByLabel('Full name').inputValue()).toBe('Ada King');
    await pressFor(page.getByText('Your name and time zone were saved.').first(), save(page, 'Save all the same'));
    await expect(
      page
        .getByRole('banner')
        .getByRole('link', { name: /^Ada King/ })
        .waitFor(),
    ).resolves.toBeUndefined();
  });
});

describe('a mute', () => {
  it('holds back a test alert, says so on the page, and is ended', async () => {
    const page = await opened();
    const mute = region(page, 'Mute');
    await pressFor(note(page).getByText('You are muted until'), mute.getByRole('button', { name: 'Mute for 4 h' }));
    await rig.isStill(page);
    await mute.scrollIntoViewIfNeeded();
    await rig.picture(page, 'me-muted-desk');
    await rig.expectNoViolations(page);
    const log = page.getByRole('list', { name: 'Log of the test alert' });
    await pressFor(log.getByText('Alert created'), page.getByRole('button', { name: 'Send me a test alert' }));
    await rig.system.settle();
    await log.getByText(`${ada} is muted until`).first().waitFor();
    await pressFor(page.getByText('The alert is closed.'), page.getByRole('button', { name: 'Close the test alert' }));
    await pressFor(mute.getByText('The mute was ended.'), mute.getByRole('button', { name: 'End the mute' }));
    await expect(note(page).waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  it('lasts until the time that its person typed', async () => {
    const page = await opened();
    const mute = region(page, 'Mute');
    await mute.getByLabel('Mute until (Europe/Berlin)').fill('2026-12-24T18:30');
    await pressFor(note(page).getByText('18:30'), mute.getByRole('button', { name: 'Mute until then' }));
    expect(await rig.system.api.read(`/v2/users/${ada}`)).toMatchObject({ mutedUntil: '2026-12-24T17:30:00Z' });
  });
});
