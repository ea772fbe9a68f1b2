import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, OUTAGE, type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;
let scheduleId: string;

/** A schedule of Berlin, of the team of ada and grace, who take turns at midnight of UTC. */
beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace', 'eve');
  await scenario.team('Payments', 'ada', 'grace');
  const { id } = await rig.system.api.create('/v2/schedules', {
    name: scenario.name('Ops'),
    timezone: 'Europe/Berlin',
    ownerTeam: { name: scenario.name('Payments') },
    rotations: [
      {
        name: 'Days',
        startDate: '2026-03-01T23:00:00Z',
        type: 'daily',
        participants: [scenario.user('ada'), scenario.user('grace')],
      },
    ],
  });
  scheduleId = id;
  person = await rig.signIn(scenario.address('ada'));
});

const HOUR_MS = 3_600_000;
/** How wide the names of the lanes are. */
const LANE_NAMES_PX = 128;
const overridesPath = () => `/v2/schedules/${scheduleId}/overrides`;

interface Period {
  readonly startDate: string;
  readonly endDate: string;
  readonly type: string;
  readonly recipient: { readonly name: string };
}

interface Layer {
  readonly rotations: readonly { readonly periods: readonly Period[] }[];
}

/** The periods of the timeline of the API, for a week from the midnight of Berlin before an instant. */
async function periodsOf(from: string, layer: 'finalTimeline' | 'overrideTimeline'): Promise<readonly Period[]> {
  const query = `expand=override&interval=1&intervalUnit=weeks&date=${from}`;
  const timeline = await rig.system.api.read<Readonly<Record<typeof layer, Layer>>>(
    `/v2/schedules/${scheduleId}/timeline?${query}`,
  );
  return timeline[layer].rotations.flatMap(({ periods }) => periods);
}

/** Opens the schedule for a week from a date on. */
async function opened(from: string, options: Parameters<typeof rig.open>[1] = {}): Promise<Page> {
  const page = await rig.open(`/console/schedules/${scheduleId}?range=1w&from=${from}`, { as: person, ...options });
  await page.getByRole('heading', { level: 2, name: 'Shifts' }).waitFor();
  return page;
}

/** The rows of the table of shifts. */
const shownShifts = (page: Page) =>
  page
    .getByRole('table')
    .first()
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => {
        const [from, until] = [...row.querySelectorAll('time')].map(({ dateTime }) => dateTime.replace('.000Z', 'Z'));
        return { from, until, name: row.querySelectorAll('td')[2]?.textContent };
      }),
    );

/** Resolves when the page shows what the API answers for the week. */
const showsTheTimeline = (page: Page, from: string) =>
  eventually(async () => {
    const periods = await periodsOf(from, 'finalTimeline');
    expect(await shownShifts(page)).toEqual(
      periods.map(({ endDate, recipient, startDate }) => ({ from: startDate, until: endDate, name: recipient.name })),
    );
  });

const dialogOf = (page: Page) => page.getByRole('dialog');
/** The saved overrides of the page, beside which the preview of a dialog has rows of its own. */
const savedOverride = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Overrides' }).getByRole('listitem').filter({ hasText: text });
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Saves the override of the open dialog under a name. */
async function save(page: Page, name: string): Promise<void> {
  await dialogOf(page).getByLabel('Name', { exact: true }).fill(name);
  await writeUntil(page.getByRole('button', { name: `Change ${name}` }), () =>
    dialogOf(page).getByRole('button', { name: /^Save/ }).click(),
  );
}

/** The clock changes of Berlin, and the hours around each that are overridden. */
const CHANGES = [
  {
    change: 'in March, over the hour that the clocks skip',
    date: '2026-03-28',
    midnight: '2026-03-27T23:00:00Z',
    keys: ['ArrowRight', 'ArrowDown', 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight'],
    fields: ['2026-03-29T01:00', '2026-03-29T05:00'],
    startDate: '2026-03-29T00:00:00Z',
    endDate: '2026-03-29T03:00:00Z',
  },
  {
    change: 'in October, over the hour that the clocks show twice',
    date: '2026-10-24',
    midnight: '2026-10-23T22:00:00Z',
    keys: ['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'Shift+ArrowRight'],
    fields: ['2026-10-25T02:00', '2026-10-25T03:00'],
    startDate: '2026-10-25T00:00:00Z',
    endDate: '2026-10-25T02:00:00Z',
  },
] as const;

describe.each(CHANGES)(
  'an override across the clock change $change',
  ({ date, endDate, fields, keys, midnight, startDate }) => {
    const showsOverride = async (page: Page) => {
      expect(await periodsOf(midnight, 'overrideTimeline')).toEqual([
        expect.objectContaining({
          startDate,
          endDate,
          recipient: expect.objectContaining({ name: scenario.address('eve') }),
        }),
      ]);
      await showsTheTimeline(page, midnight);
    };
    const complete = async (page: Page) => {
      await dialogOf(page).waitFor();
      expect(await dialogOf(page).getByLabel('From (Europe/Berlin)').inputValue()).toBe(fields[0]);
      expect(await dialogOf(page).getByLabel('Until (Europe/Berlin)').inputValue()).toBe(fields[1]);
      await dialogOf(page).getByLabel('Person on call').fill(scenario.address('eve'));
      const preview = dialogOf(page).getByRole('region', { name: 'Preview' });
      await preview
        .getByRole('listitem')
        .filter({ hasText: scenario.address('eve') })
        .waitFor();
      await save(page, 'eve stands in');
    };

    it('is made by mouse', async () => {
      const page = await opened(date);
      const timeline = page.getByRole('application');
      await timeline.scrollIntoViewIfNeeded();
      const box = await timeline.boundingBox();
      const week = (await page.getByRole('row').last().locator('time').last().getAttribute('datetime')) ?? '';
      const span = [Date.parse(midnight), Date.parse(week)] as const;
      const xOf = (at: number) =>
        (box?.x ?? 0) + LANE_NAMES_PX + ((at - span[0]) / (span[1] - span[0])) * ((box?.width ?? 0) - LANE_NAMES_PX);
      const y = (box?.y ?? 0) + 40;
      await page.mouse.move(xOf(Date.parse(startDate) + HOUR_MS / 2), y);
      await page.mouse.down();
      await page.mouse.move(xOf(Date.parse(endDate) - HOUR_MS / 2), y, { steps: 5 });
      await page.mouse.up();
      await complete(page);
      await expect(showsOverride(page)).resolves.toBeUndefined();
    });

    it('is made by keyboard', async () => {
      const page = await opened(date);
      await page.getByRole('application').focus();
      await press(page, ...keys, 'o');
      await complete(page);
      await expect(showsOverride(page)).resolves.toBeUndefined();
    });
  },
);

describe('a shift', () => {
  it.each(DEVICES)('is taken from where it is shown (%s)', async (device) => {
    const page = await opened('2026-03-02', { device });
    const shift = (await periodsOf('2026-03-01T23:00:00Z', 'finalTimeline'))[3];
    await page
      .getByRole('button', { name: `Take this shift: ${scenario.address('grace')}` })
      .nth(1)
      .click();
    await dialogOf(page)
      .getByRole('listitem')
      .filter({ hasText: scenario.address('ada') })
      .first()
      .waitFor();
    await rig.isStill(page);
    await rig.expectNoViolations(page);
    await rig.picture(page, `take-a-shift-${device}`);
    await save(page, 'ada takes it');
    expect(await periodsOf('2026-03-01T23:00:00Z', 'overrideTimeline')).toEqual([
      { ...shift, type: 'override', recipient: expect.objectContaining({ name: scenario.address('ada') }) },
    ]);
  });

  it('is not for people of other teams, and the page says why', async () => {
    const eve = await rig.signIn(scenario.address('eve'));
    const page = await opened('2026-03-02', { as: eve });
    const add = page.getByRole('button', { name: 'Add an override' });
    await add.focus();
    await page.keyboard.press('Enter');
    const reason = page.getByText(`Only a member of team ${scenario.name('Payments')}, or an admin of the account`);
    await expect(reason.first().waitFor()).resolves.toBeUndefined();
  });
});

describe('an override', () => {
  const stored = (name: string) => rig.system.api.read(`${overridesPath()}/${encodeURIComponent(name)}`);
  const swap = (alias: string, user: string) => ({
    alias,
    user: scenario.user(user),
    startDate: '2026-03-03T08:00:00Z',
    endDate: '2026-03-03T16:00:00Z',
  });

  it('keeps what was typed where the server refuses it, and says why at its field', async () => {
    await rig.system.api.create(overridesPath(), swap('swap', 'eve'));
    const page = await opened('2026-03-02');
    await page.getByRole('button', { name: 'Add an override' }).click();
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('swap');
    const conflict = dialogOf(page).getByRole('alert').filter({ hasText: 'already exists' });
    await writeUntil(conflict, () => dialogOf(page).getByRole('button', { name: 'Save' }).click());
    await dialogOf(page).getByLabel('Person on call').fill('unknown@example.com');
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('another');
    const unknown = dialogOf(page).getByRole('alert').filter({ hasText: 'does not exist' });
    await writeUntil(unknown, () => dialogOf(page).getByRole('button', { name: 'Save' }).click());
    expect(await dialogOf(page).getByLabel('Name', { exact: true }).inputValue()).toBe('another');
  });

  it('stays in its dialog where Escape closes the list of people', async () => {
    const page = await opened('2026-03-02');
    await page.getByRole('button', { name: 'Add an override' }).click();
    const field = dialogOf(page).getByLabel('Person on call');
    await field.fill(scenario.address('eve'));
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe(scenario.address('eve'));
    await page.keyboard.press('Escape');
    await expect(dialogOf(page).waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  it('keeps what was typed while the timeline cannot be read in a zone that the schedule has got', async () => {
    rig.causes(OUTAGE);
    const page = await opened('2026-03-02');
    await page.getByRole('button', { name: 'Add an override' }).click();
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('half');
    await page.route(/\/timeline\?/, (route) => route.abort());
    await rig.system.api.expect(200, 'PATCH', `/v2/schedules/${scheduleId}`, { timezone: 'Europe/London' });
    await page.getByText('in the zone of the schedule, Europe/London').waitFor();
    await page.getByRole('button', { name: 'Try again', includeHidden: true }).waitFor();
    expect(await dialogOf(page).getByLabel('Name', { exact: true }).inputValue()).toBe('half');
  });

  it('keeps what was typed when its person leaves the page and comes back, until they cancel', async () => {
    const page = await rig.open('/console/schedules', { as: person });
    await page.getByRole('link', { name: scenario.name('Ops') }).click();
    await page.getByRole('button', { name: 'Add an override' }).click();
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('half');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor();
    expect(await dialogOf(page).count()).toBe(0);
    await page.goForward();
    expect(await dialogOf(page).getByLabel('Name', { exact: true }).inputValue()).toBe('half');
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Add an override' }).waitFor();
    expect(await dialogOf(page).count()).toBe(0);
  });

  it('is changed and deleted', async () => {
    await rig.system.api.create(overridesPath(), swap('swap', 'eve'));
    const page = await opened('2026-03-02');
    await page.getByRole('button', { name: 'Change swap' }).click();
    await dialogOf(page).getByLabel('Until (Europe/Berlin)').fill('2026-03-03T12:30');
    const row = savedOverride(page, '12:30');
    await writeUntil(row, () => dialogOf(page).getByRole('button', { name: 'Save' }).click());
    expect(await stored('swap')).toMatchObject({ startDate: '2026-03-03T08:00:00Z', endDate: '2026-03-03T11:30:00Z' });
    await page.getByRole('button', { name: 'Delete swap' }).click();
    const none = page.getByText('No overrides in the time shown.');
    await writeUntil(none, () => dialogOf(page).getByRole('button', { name: 'Delete' }).click());
    expect(await rig.system.api.read(overridesPath())).toEqual([]);
  });

  it('is not written over a change of another person until the second has seen it', async () => {
    await rig.system.api.create(overridesPath(), swap('swap', 'eve'));
    const page = await opened('2026-03-02');
    await page.getByRole('button', { name: 'Change swap' }).click();
    await dialogOf(page).getByLabel('Until (Europe/Berlin)').fill('2026-03-03T12:30');
    await rig.system.api.expect(200, 'PUT', `${overridesPath()}/swap`, swap('swap', 'grace'));
    const changed = dialogOf(page).getByRole('alert').filter({ hasText: 'The override “swap” was changed.' });
    await writeUntil(changed, () => dialogOf(page).getByRole('button', { name: 'Save' }).click());
    expect(await stored('swap')).toMatchObject({ user: { username: scenario.address('grace') } });
    const row = savedOverride(page, '12:30');
    await writeUntil(row, () => dialogOf(page).getByRole('button', { name: /^Save/ }).click());
    expect(await stored('swap')).toMatchObject({
      user: { username: scenario.address('eve') },
      endDate: '2026-03-03T11:30:00Z',
    });
  });
});
