import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { DEVICES, type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let admin: SignedIn;
let teamId: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  ({ id: teamId } = await rig.system.api.create('/v2/teams', {
    name: scenario.name('Database'),
    members: [
      { user: { username: scenario.address('ada') }, role: 'admin' },
      { user: { username: scenario.address('grace') }, role: 'user' },
    ],
  }));
  admin = await rig.signIn(scenario.address('ada'));
});

interface Rotation {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly length: number;
  readonly startDate: string;
  readonly participants: readonly { readonly type: string; readonly username?: string }[];
  readonly timeRestriction?: object;
}

interface Schedule {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly description: string;
  readonly ownerTeam: { readonly id: string };
  readonly rotations: readonly Rotation[];
}

const saved = (name: string) =>
  rig.system.api.read<Schedule>(`/v2/schedules/${encodeURIComponent(scenario.name(name))}?identifierType=name`);
const namesOf = ({ participants }: Rotation | { readonly participants: Rotation['participants'] }) =>
  participants.map(({ type, username }) => username ?? type);
const participant = (page: Page, place: number) => page.getByRole('combobox', { name: `Participant ${place}` });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const status = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text });

/** A schedule of Berlin with one rotation, of ada alone. */
async function made(name: string): Promise<string> {
  const { id } = await rig.system.api.create('/v2/schedules', {
    name: scenario.name(name),
    timezone: 'Europe/Berlin',
    ownerTeam: { id: teamId },
    rotations: [
      { name: 'Days', type: 'daily', startDate: '2026-03-01T23:00:00Z', participants: [scenario.user('ada')] },
    ],
  });
  return id;
}

/** Opens a schedule with the list of its rotations. */
async function opened(id: string, name: string, options: Parameters<typeof rig.open>[1] = {}): Promise<Page> {
  const page = await rig.open(`/console/schedules/${id}`, { as: admin, ...options });
  await page.getByRole('heading', { level: 1, name: scenario.name(name) }).waitFor();
  await page.getByText(/^\d+ rotations?, and changes of the schedule$/).click();
  return page;
}

describe('a new schedule', () => {
  it('is made by keyboard alone, with its first rotation', async () => {
    const page = await rig.open('/console/schedules', { as: admin });
    await button(page, 'Add a schedule').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'New schedule' }).waitFor();
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type(scenario.name('Nights'));
    await page.getByLabel('Time zone', { exact: true }).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('America/New_York');
    await button(page, 'Add a participant').press('Enter');
    await participant(page, 2).focus();
    await page.keyboard.type(scenario.address('grace'));
    await page.keyboard.press('Tab');
    await button(page, 'Move participant 2 up').press('Enter');
    await rig.expectNoViolations(page);
    await writeUntil(page.getByRole('heading', { level: 1, name: scenario.name('Nights') }), () =>
      button(page, 'Create the schedule').press('Enter'),
    );
    const schedule = await saved('Nights');
    expect(schedule).toMatchObject({
      timezone: 'America/New_York',
      ownerTeam: { id: teamId },
      rotations: [{ name: 'Rot1', type: 'weekly', length: 1 }],
    });
    expect(schedule.rotations.map(namesOf)).toEqual([[scenario.address('grace'), scenario.address('ada')]]);
  });

  it('says at their fields what the server refuses, and keeps what was typed on another page', async () => {
    await made('Nights');
    const page = await rig.open(`/console/teams/${teamId}`, { as: admin, device: 'phone' });
    await button(page, 'Add a schedule').click();
    await page.getByRole('heading', { level: 1, name: 'New schedule' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill(scenario.name('Nights'));
    await participant(page, 1).fill('unknown@example.com');
    const refused = (text: string) => page.getByRole('alert').filter({ hasText: text });
    await writeUntil(refused('unknown@example.com'), () => button(page, 'Create the schedule').click());
    await page.getByRole('link', { name: 'All schedules' }).click();
    await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor();
    await button(page, 'Add a schedule').click();
    await participant(page, 1).waitFor();
    expect(await participant(page, 1).inputValue()).toBe('unknown@example.com');
    await participant(page, 1).fill(scenario.address('grace'));
    await page.getByLabel('Each is on call for').fill('20000');
    await writeUntil(refused('The length should be at most 10000.'), () => button(page, 'Create the schedule').click());
    await rig.expectNoViolations(page);
    await page.getByLabel('Each is on call for').fill('2');
    await writeUntil(refused('already exists'), () => button(page, 'Create the schedule').click());
    await page
      .locator(':focus')
      .and(page.getByLabel('Name', { exact: true }))
      .waitFor();
    await rig.picture(page, 'schedule-refused-phone');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(scenario.name('Nights'));
  });
});

interface Period {
  readonly startDate: string;
  readonly endDate: string;
  readonly recipient: { readonly name: string };
}

interface Timeline {
  readonly startDate: string;
  readonly endDate: string;
  readonly finalTimeline: { readonly rotations: readonly { readonly periods: readonly Period[] }[] };
}

/** The shifts that the preview lists: no one where no name is known. */
const previewed = (page: Page) =>
  page
    .getByRole('region', { name: 'Preview' })
    .getByRole('listitem')
    .evaluateAll((items) =>
      items
        .map((item) => {
          const [from, until] = [...item.querySelectorAll('time')].map(({ dateTime }) =>
            dateTime.replace('.000Z', 'Z'),
          );
          return { from, until, name: item.querySelector('strong')?.textContent };
        })
        .filter(({ name }) => name !== undefined && name !== 'No one'),
    );

describe('a rotation', () => {
  it.each(DEVICES)('with stretches of the week is previewed as the timeline becomes (%s)', async (device) => {
    const id = await made('Ops');
    const page = await opened(id, 'Ops', { device });
    await button(page, 'Change the rotation Days').click();
    await page.getByLabel('When it holds').selectOption({ label: 'In stretches of each week' });
    const stretch = page.getByRole('group', { name: 'Stretch 1' });
    await stretch.getByLabel('Until the day').selectOption({ label: 'Tuesday' });
    await stretch.getByLabel('Until the time').fill('12:30');
    await button(page, 'Add a participant').click();
    await participant(page, 2).fill(scenario.address('grace'));
    const listed = page.getByRole('region', { name: 'Preview' }).getByRole('listitem');
    await listed
      .filter({ hasText: scenario.address('grace') })
      .first()
      .waitFor();
    await rig.isStill(page);
    await rig.picture(page, `rotation-previewed-${device}`);
    await rig.expectNoViolations(page);
    const before = await previewed(page);
    expect((await saved('Ops')).rotations[0]?.timeRestriction).toBeUndefined();
    await writeUntil(status(page, /^The rotation was changed/), () => button(page, 'Save').click());
    const date = before[0]?.from ?? '';
    const timeline = await rig.system.api.read<Timeline>(
      `/v2/schedules/${id}/timeline?interval=14&intervalUnit=days&date=${date}`,
    );
    const periods = timeline.finalTimeline.rotations.flatMap((rotation) => rotation.periods);
    expect(before.length).toBeGreaterThan(1);
    expect(
      periods
        .slice(0, before.length)
        .map(({ endDate, recipient, startDate }) => ({ from: startDate, until: endDate, name: recipient.name })),
    ).toEqual(before);
    expect((await saved('Ops')).rotations[0]?.timeRestriction).toEqual({
      type: 'weekday-and-time-of-day',
      restrictions: [{ startDay: 'monday', startHour: 8, startMin: 0, endDay: 'tuesday', endHour: 12, endMin: 30 }],
    });
  });

  it('is not written over a change of another editor until the second has seen it', async () => {
    const id = await made('Ops');
    const page = await opened(id, 'Ops');
    await button(page, 'Change the rotation Days').click();
    await page.getByLabel('Each is on call for').fill('3');
    const [days] = (await saved('Ops')).rotations;
    const others = { name: 'Days of grace', participants: [scenario.user('grace')] };
    await rig.system.api.expect(200, 'PATCH', `/v2/schedules/${id}/rotations/${days?.id}`, others);
    const seen = page.getByRole('alert').filter({ hasText: 'The rotation “Days of grace” was changed.' });
    await writeUntil(seen, () => button(page, 'Save').click());
    expect((await saved('Ops')).rotations).toEqual([expect.objectContaining({ length: 1, name: 'Days of grace' })]);
    expect(await page.getByLabel('Each is on call for').inputValue()).toBe('3');
    await rig.expectNoViolations(page);
    const written = status(page, /^The rotation was changed/);
    await writeUntil(written, () => button(page, 'Save all the same').click());
    expect((await saved('Ops')).rotations.map(({ length, name }) => [length, name])).toEqual([[3, 'Days']]);
  });

  it('loses its restriction, and its schedule the rotation', async () => {
    const id = await made('Ops');
    const [days] = (await saved('Ops')).rotations;
    const restriction = { startHour: 22, startMin: 0, endHour: 6, endMin: 0 };
    await rig.system.api.expect(200, 'PATCH', `/v2/schedules/${id}/rotations/${days?.id}`, {
      timeRestriction: { type: 'time-of-day', restriction },
    });
    const page = await opened(id, 'Ops', { device: 'phone' });
    await button(page, 'Change the rotation Days').click();
    await page.getByLabel('When it holds').selectOption({ label: 'Always' });
    await writeUntil(status(page, /^The rotation was changed/), () => button(page, 'Save').click());
    expect((await saved('Ops')).rotations.map(({ timeRestriction }) => timeRestriction)).toEqual([undefined]);
    await button(page, 'Remove the rotation Days').click();
    await page.getByText('It is the only one: afterwards no one is on call by this schedule.').waitFor();
    await rig.expectNoViolations(page);
    const none = page.getByText('No rotations: no one is on call by this schedule');
    await writeUntil(none, () => button(page, 'Remove').click());
    expect((await saved('Ops')).rotations).toEqual([]);
  });
});

describe('a schedule', () => {
  it('gets another name and zone, and is deleted once no escalation names it', async () => {
    const id = await made('Ops');
    const page = await opened(id, 'Ops');
    await button(page, 'Change the schedule').click();
    await page.getByLabel('Name', { exact: true }).fill(scenario.name('Nights'));
    await page.getByLabel('Time zone', { exact: true }).fill('America/New_York');
    await page.getByText('Rotations keep the instants of their starts').waitFor();
    await rig.expectNoViolations(page);
    const renamed = page.getByRole('heading', { level: 1, name: scenario.name('Nights') });
    await writeUntil(renamed, () => button(page, 'Save').click());
    expect(await saved('Nights')).toMatchObject({ id, timezone: 'America/New_York' });

    await scenario.escalation('Pages', { delay: 0, to: { type: 'schedule', name: 'Nights' } });
    await button(page, 'Delete the schedule').click();
    const refused = page
      .getByRole('dialog')
      .getByRole('alert')
      .filter({ hasText: scenario.name('Pages') });
    await writeUntil(refused, () => button(page, 'Delete').click());
    expect(await saved('Nights')).toMatchObject({ id });
    const pages = encodeURIComponent(scenario.name('Pages'));
    await rig.system.api.expect(200, 'DELETE', `/v2/escalations/${pages}?identifierType=name`);
    const deleted = page.getByRole('heading', { level: 1, name: 'Schedules' });
    await writeUntil(deleted, () => button(page, 'Delete').click());
    await expect(rig.system.api.expect(404, 'GET', `/v2/schedules/${id}`)).resolves.toBeDefined();
  });

  it('is not for a member who is no admin to change, and the page says whom to ask', async () => {
    const id = await made('Ops');
    const grace = await rig.signIn(scenario.address('grace'));
    const page = await opened(id, 'Ops', { as: grace, device: 'phone' });
    const reason = `Only an admin of team ${scenario.name('Database')}, or of the account, can change this.`;
    for (const name of ['Change the rotation Days', 'Add a rotation', 'Change the schedule', 'Delete the schedule']) {
      await button(page, name).click({ force: true });
      expect(await button(page, name).getAttribute('title')).toBe(reason);
    }
    expect(await page.getByRole('dialog').count()).toBe(0);
    await rig.expectNoViolations(page);
  });
});
