import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
const DAY_MS = 86_400_000;
let scenario: Scenario;
let person: SignedIn;
let scheduleId: string;

const daysAhead = (days: number) => new Date(rig.system.clock.now().getTime() + days * DAY_MS).toISOString();

/** A schedule of the team of ada and grace, in which ada is on call for some days, then grace; eve is on call beside them. */
beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace', 'eve');
  await scenario.team('Payments', 'ada', 'grace');
  const weeks = { type: 'weekly', startDate: daysAhead(-3) };
  const { id } = await rig.system.api.create('/v2/schedules', {
    name: scenario.name('Ops'),
    timezone: 'Europe/Berlin',
    ownerTeam: { name: scenario.name('Payments') },
    rotations: [
      { ...weeks, name: 'First', participants: [scenario.user('ada'), scenario.user('grace')] },
      { ...weeks, name: 'Second', participants: [scenario.user('eve')] },
    ],
  });
  scheduleId = id;
  person = await rig.signIn(scenario.address('ada'));
});

const card = (page: Page) => page.getByRole('region', { name: 'You', exact: true });
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });
const row = (page: Page, schedule: string) => page.getByRole('listitem').filter({ hasText: scenario.name(schedule) });

async function opened(options: Parameters<typeof rig.open>[1] = {}): Promise<Page> {
  const page = await rig.open('/console/on-call', { as: person, ...options });
  await card(page)
    .getByText(`You are on call in ${scenario.name('Ops')}`)
    .waitFor();
  return page;
}

/** Opens the dialog of a choice. */
async function handOver(page: Page, what: string): Promise<void> {
  await card(page).getByRole('button', { name: 'Hand over' }).click();
  await dialogOf(page, 'Hand over').getByLabel(what).check();
  await dialogOf(page, 'Hand over').getByRole('button', { name: 'Continue' }).click();
}

const rules = () =>
  rig.system.api.read<readonly { readonly toUser: { readonly username: string } }[]>(
    `/v2/users/${scenario.address('ada')}/forwarding-rules`,
  );

describe('a person on call', () => {
  it.each(DEVICES)('hands their shift over by an override of their rotation, from now on (%s)', async (device) => {
    const page = await opened({ device });
    await handOver(page, `${scenario.name('Ops')}, from now`);
    const dialog = dialogOf(page, `Hand over ${scenario.name('Ops')}`);
    await dialog.getByLabel('Person on call').fill(scenario.address('grace'));
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview
      .getByRole('listitem')
      .filter({ hasText: `${scenario.address('grace')}, ${scenario.address('eve')}` })
      .waitFor();
    await rig.isStill(page);
    await rig.expectNoViolations(page);
    await rig.picture(page, `hand-over-a-shift-${device}`);
    const handedOver = card(page).getByText('You are not on call now.');
    await writeUntil(handedOver, () => dialog.getByRole('button', { name: 'Save' }).click());
    await rig.picture(page, `on-call-card-${device}`);
    expect(await rig.system.api.read(`/v2/schedules/${scheduleId}/overrides`)).toEqual([
      expect.objectContaining({
        user: expect.objectContaining({ username: scenario.address('grace') }),
        rotations: [expect.objectContaining({ name: 'First' })],
      }),
    ]);
  });

  it('hands all over by a forwarding rule, and ends it', async () => {
    const page = await opened();
    await handOver(page, 'All that pages me, for a time');
    const dialog = dialogOf(page, 'Hand over all');
    await dialog.getByLabel('Person').fill('unknown@example.com');
    const unknown = dialog.getByRole('alert').filter({ hasText: 'does not exist' });
    await writeUntil(unknown, () => dialog.getByRole('button', { name: 'Hand over' }).click());
    await dialog.getByLabel('Person').fill(scenario.address('grace'));
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview
      .getByRole('listitem')
      .filter({ hasText: `${scenario.name('Ops')}: ${scenario.address('grace')}` })
      .waitFor();
    await rig.isStill(page);
    await rig.expectNoViolations(page);
    await rig.picture(page, 'hand-over-all-desk');
    const forwarded = card(page).getByText(`All that pages you goes to ${scenario.address('grace')}`);
    await writeUntil(forwarded, () => dialog.getByRole('button', { name: 'Hand over' }).click());
    await card(page).getByText('You are not on call now.').waitFor();
    expect((await rules()).map(({ toUser }) => toUser.username)).toEqual([scenario.address('grace')]);
    await card(page)
      .getByRole('button', { name: /^End the forwarding/ })
      .click();
    const back = card(page).getByText(`You are on call in ${scenario.name('Ops')}`);
    await writeUntil(back, () => page.getByRole('button', { name: 'End it' }).click());
    expect(await rules()).toEqual([]);
  });

  it('sees a rule that was written meanwhile before theirs overlaps it', async () => {
    const page = await opened();
    await handOver(page, 'All that pages me, for a time');
    const dialog = dialogOf(page, 'Hand over all');
    await dialog.getByLabel('Person').fill(scenario.address('grace'));
    await rig.system.api.create('/v2/forwarding-rules', {
      fromUser: scenario.user('ada'),
      toUser: scenario.user('eve'),
      startDate: daysAhead(0),
      endDate: daysAhead(2),
    });
    const added = dialog.getByRole('alert').filter({ hasText: `A rule to ${scenario.address('eve')}` });
    await writeUntil(added, () => dialog.getByRole('button', { name: /^Hand over/ }).click());
    expect(await rules()).toHaveLength(1);
    const forwarded = card(page).getByText(`All that pages you goes to ${scenario.address('grace')}`);
    await writeUntil(forwarded, () => dialog.getByRole('button', { name: 'Hand over all the same' }).click());
    expect(await rules()).toHaveLength(2);
  });

  it('sees their shifts on a page of their own, and downloads their calendar', async () => {
    const page = await opened();
    await card(page).getByRole('link', { name: 'All your shifts and your calendar' }).click();
    await page.getByRole('heading', { level: 1, name: 'ada' }).waitFor();
    await row(page, 'Ops').nth(1).waitFor();
    await row(page, 'Ops')
      .nth(1)
      .getByRole('button', { name: /^Hand over/ })
      .click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await dialogOf(page, `Hand over ${scenario.name('Ops')}`)
      .getByRole('button', { name: 'Cancel' })
      .click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the calendar' }).click();
    expect((await download).suggestedFilename()).toBe(`${scenario.address('ada')}.ics`);
  });
});

describe('the calendar link of a person', () => {
  it('is made and copied, opens their shifts without a session, and is renewed and removed', async () => {
    const page = await rig.open(`/console/people/${encodeURIComponent(scenario.address('ada'))}`, { as: person });
    const calendar = page.getByRole('region', { name: 'Calendar' });
    const shown = calendar.getByLabel('Link to the calendar');
    await writeUntil(shown, () => calendar.getByRole('button', { name: 'Make a link' }).click());
    await rig.isStill(page);
    await rig.expectNoViolations(page);
    await calendar.scrollIntoViewIfNeeded();
    await rig.picture(page, 'calendar-link-desk');
    const first = (await shown.innerText()).trim();
    const opens = async (url: string) => {
      const answer = await fetch(url);
      await answer.text();
      return answer.status;
    };
    expect(await (await fetch(first)).text()).toContain(scenario.name('Ops'));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await calendar.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByRole('status').filter({ hasText: 'The link was copied.' }).waitFor({ state: 'attached' });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first);

    await calendar.getByRole('button', { name: 'Renew the link' }).click();
    const renewed = calendar.getByText(/\/v2\/calendars\//).filter({ hasNotText: first });
    await writeUntil(renewed, () => page.getByRole('button', { name: 'Renew it' }).click());
    const second = (await shown.innerText()).trim();
    expect([await opens(first), await opens(second)]).toEqual([404, 200]);

    await calendar.getByRole('button', { name: 'Remove the link' }).click();
    const none = calendar.getByRole('button', { name: 'Make a link' });
    await writeUntil(none, () => page.getByRole('button', { name: 'Remove it' }).click());
    expect([await shown.count(), await opens(second)]).toEqual([0, 404]);
  });
});

describe('a schedule in which no one is on call', () => {
  it('says that it is a gap, unless an override asks for no one', async () => {
    const rotations = [{ name: 'Later', type: 'daily', startDate: daysAhead(5), participants: [scenario.user('eve')] }];
    await rig.system.api.create('/v2/schedules', { name: scenario.name('Gap'), rotations });
    await rig.system.api.create(`/v2/schedules/${scheduleId}/overrides`, {
      alias: 'quiet',
      user: { type: 'none' },
      startDate: daysAhead(-1),
      endDate: daysAhead(1),
    });
    const page = await rig.open('/console/on-call', { as: person });
    await row(page, 'Gap').getByText('Gap: no one is on call. An alert to this schedule pages no one.').waitFor();
    await row(page, 'Ops').getByText('No one is on call, as an override asks.').waitFor();
    await rig.picture(page, 'on-call-gap-desk');
    expect(await row(page, 'Gap').getAttribute('data-gap')).toBe('true');
    expect(await row(page, 'Ops').getAttribute('data-gap')).toBe('false');
  });
});
