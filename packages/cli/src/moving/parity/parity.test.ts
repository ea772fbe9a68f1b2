import { describe, expect, it } from '@jest/globals';
import { ApiReadError } from '../answer.ts';
import type { Json } from '../json.ts';
import { parity, type ParityWanted, type ScheduleParity } from './parity.ts';
import { isIdentical, jsonOf, markdownOf } from './report.ts';
import { ParitySide } from './side.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const RANGE = { from: Date.parse('2026-12-01T10:00:00Z'), until: Date.parse('2027-01-01T00:00:00Z') };

/** A schedule of a side: users take turns of a day, from midnight UTC. */
interface Known {
  readonly id: string;
  readonly name?: string;
  readonly users?: readonly string[];
  /** Hand-offs are so much later. */
  readonly laterMs?: number;
  readonly change?: Json;
  /** Of the list of users on call, where these are others than the timeline says. */
  readonly onCall?: readonly string[];
  readonly fault?: ApiReadError;
  /** What else the answer of the timeline has. */
  readonly timeline?: Json;
  /** Each window ends so much later, and so the next one begins before its end. */
  readonly overlapMs?: number;
  /** Of each item of the list of users on call. */
  readonly onCallItem?: Json;
  readonly enabled?: boolean;
}

const instant = (at: number): string => new Date(at).toISOString();
const turn = ({ laterMs = 0, users = ['ada', 'bob'] }: Known, at: number): string =>
  users[Math.floor((at - laterMs) / DAY_MS) % users.length] ?? '';

/** Answers as the API does: a timeline has ten days from midnight on, whatever is asked for. */
function side(url: string, ...schedules: readonly Known[]): ParitySide {
  const known = (path: string): Known => {
    const found = schedules.find(({ id }) => path.includes(`/${id}/`));
    if (found === undefined) throw new Error(`${path} was not expected`);
    return found;
  };
  return new ParitySide({
    url,
    list: (path, query) =>
      Promise.resolve(
        path === '/v2/schedules'
          ? schedules.map(({ change, enabled = true, id, name = id }) => ({
              ...{ id, name, enabled, timezone: 'Europe/Berlin' },
              rotations: [{ id: `r-${id}`, name: 'Days', type: 'daily', ...change }],
            }))
          : schedules.map((one) => ({
              _parent: { id: one.id },
              onCallRecipients: one.onCall ?? [turn(one, Date.parse(String(query?.['date'])))],
              ...one.onCallItem,
            })),
      ),
    object: (path, query) => {
      const schedule = known(path);
      if (schedule.fault !== undefined) return Promise.reject(schedule.fault);
      const start = Math.floor(Date.parse(String(query?.['date'])) / DAY_MS) * DAY_MS;
      const end = start + 10 * DAY_MS + (schedule.overlapMs ?? 0);
      const periods = [];
      for (let at = start - DAY_MS + (schedule.laterMs ?? 0); at < end; at += DAY_MS)
        periods.push({
          ...{ startDate: instant(Math.max(at, start)), endDate: instant(Math.min(at + DAY_MS, end)), type: 'default' },
          recipient: { type: 'user', name: turn(schedule, at) },
        });
      const finalTimeline = {
        rotations: [{ name: 'Days', periods: periods.filter((each) => each.startDate < each.endDate) }],
      };
      return Promise.resolve({ startDate: instant(start), endDate: instant(end), finalTimeline, ...schedule.timeline });
    },
  });
}

const compared = (opsgenie: ParitySide, tocsin: ParitySide, change: Partial<ParityWanted> = {}) =>
  parity({ opsgenie, tocsin, range: RANGE, randomInstants: 20, seed: 1, progress: () => undefined, ...change });
const resultOf = async (opsgenie: Known, tocsin: Known): Promise<ScheduleParity | undefined> =>
  (await compared(side('opsgenie', opsgenie), side('tocsin', tocsin))).schedules.at(0);

describe('two sides', () => {
  it('are identical where their answers are, and say so in the same report', async () => {
    const [one, two] = [{ id: 'ops' }, { id: 'web', users: ['cyd', 'ada', 'dan'] }];
    const found = await compared(side('opsgenie', one, two), side('tocsin', two, one));
    expect(found.schedules).toEqual([
      { id: 'ops', name: 'ops', result: 'identical' },
      { id: 'web', name: 'web', result: 'identical' },
    ]);
    expect([isIdentical(found), found.instants.unread, found.hashes.opsgenie.length]).toEqual([true, 0, 64]);
    expect(found.instants.compared).toBeGreaterThan(50);
    expect(await compared(side('opsgenie', one, two), side('tocsin', two, one))).toEqual(found);
    const other = await compared(side('opsgenie', one, { ...two, users: ['cyd'] }), side('tocsin', two, one));
    expect([other.hashes.opsgenie === found.hashes.opsgenie, other.hashes.tocsin]).toEqual([
      false,
      found.hashes.tocsin,
    ]);
  });

  it('differ by one hand-off that is a minute later, and by users in another order', async () => {
    const later = await resultOf({ id: 'ops' }, { id: 'ops', laterMs: 60_000 });
    expect(later).toMatchObject({ result: 'different', differentMs: 30 * 60_000 });
    expect(later).toHaveProperty('causes', ['The definitions of both sides are alike: the cause is not known.']);
    const users = ['bob', 'ada'];
    const swapped = await resultOf(
      { id: 'ops' },
      { id: 'ops', users, change: { participants: [{ type: 'user', id: 'b' }] } },
    );
    expect(swapped).toMatchObject({ result: 'different', differentMs: RANGE.until - RANGE.from });
    expect(swapped).toHaveProperty('causes', ['The rotation [Days] differs in participants.']);
  });

  it('differ where the timelines are alike, and the users behind their teams are not', async () => {
    const found = await resultOf({ id: 'ops', onCall: ['Ada'] }, { id: 'ops', onCall: ['ada', 'cyd'] });
    expect(found).toMatchObject({ result: 'different', differentMs: 0, differences: [] });
    expect(found).toHaveProperty('instants.0', { at: expect.any(Number), opsgenie: ['ada'], tocsin: ['ada', 'cyd'] });
    expect(found).toHaveProperty('causes', [
      'The timelines are alike: the users behind its teams or escalations differ.',
    ]);
  });

  it('are identical where the windows of their timelines overlap, and where rotations have no periods', async () => {
    const overlapping = await resultOf({ id: 'ops' }, { id: 'ops', overlapMs: HOUR_MS });
    expect(overlapping).toMatchObject({ result: 'identical' });
    const empty = (periods: Json): Known => ({
      ...{ id: 'ops', onCall: [] },
      timeline: { finalTimeline: { rotations: [{ name: 'Days', ...periods }] } },
    });
    expect(await resultOf(empty({}), empty({ periods: null }))).toMatchObject({ result: 'identical' });
  });

  it('are not identical where neither has a schedule', async () => {
    expect(isIdentical(await compared(side('opsgenie'), side('tocsin')))).toBe(false);
  });

  it('differ where a schedule is disabled on one side, also where its timelines are alike', async () => {
    const found = await resultOf({ id: 'ops', enabled: false }, { id: 'ops' });
    expect(found).toMatchObject({ result: 'different', differentMs: 0, instants: [] });
    expect(found).toHaveProperty('causes', ['It is disabled in Opsgenie and enabled in Tocsin.']);
  });

  it('are compared in one schedule alone, named on either side by its id or its name', async () => {
    const sides = (): readonly [ParitySide, ParitySide] => [
      side('opsgenie', { id: 'a', name: 'Ops' }, { id: 'b', name: 'Web' }, { id: 'c', name: 'Net' }),
      side('tocsin', { id: 'a', name: 'Ops again' }, { id: 'b', name: 'Web', users: ['cyd'] }),
    ];
    const found = async (schedule: string) =>
      (await compared(...sides(), { schedule })).schedules.map(({ name, result }) => [name, result]);
    for (const schedule of ['a', 'Ops', 'Ops again']) expect(await found(schedule)).toEqual([['Ops', 'identical']]);
    expect(await found('Web')).toEqual([['Web', 'different']]);
    expect(await found('c')).toEqual([['Net', 'not-comparable']]);
    expect(await found('ops')).toEqual([]);
  });

  it('are compared by name in any letter case, as an import adopts them', async () => {
    const { schedules } = await compared(
      side('opsgenie', { id: 'a', name: 'Ops' }),
      side('tocsin', { id: 'x', name: 'ops' }),
    );
    expect(schedules).toMatchObject([{ id: 'a', name: 'Ops', result: 'identical' }]);
  });

  it('are compared by name where no id is the same, and not comparable where one lacks a schedule', async () => {
    const opsgenie = side('opsgenie', { id: 'a', name: 'Ops' }, { id: 'b', name: 'Web' });
    const { schedules } = await compared(opsgenie, side('tocsin', { id: 'x', name: 'Ops' }, { id: 'y', name: 'Net' }));
    expect(schedules).toEqual([
      { id: 'y', name: 'Net', result: 'not-comparable', reason: 'Opsgenie has no such schedule.' },
      { id: 'a', name: 'Ops', result: 'identical' },
      { id: 'b', name: 'Web', result: 'not-comparable', reason: 'Tocsin has no such schedule.' },
    ]);
  });

  it.each([
    [{ fault: new ApiReadError('answer', 'It is cut off.') }, 'It is cut off.'],
    [{ timeline: { finalTimeline: null } }, 'tocsin answered a timeline that cannot be read.'],
    [
      { timeline: { finalTimeline: { rotations: [{ periods: [{}] }] } } },
      'tocsin answered a timeline that cannot be read.',
    ],
    [{ timeline: { finalTimeline: {} } }, 'tocsin answered a timeline that cannot be read.'],
    [{ timeline: { finalTimeline: { rotations: 'none' } } }, 'tocsin answered a timeline that cannot be read.'],
    [
      { timeline: { finalTimeline: { rotations: [{ periods: 'none' }] } } },
      'tocsin answered a timeline that cannot be read.',
    ],
    [{ timeline: { overrideTimeline: { rotations: ['none'] } } }, 'tocsin answered a timeline that cannot be read.'],
    [
      { timeline: { endDate: '2026-12-01T00:00:00Z' } },
      'tocsin answered the timeline of 2026-12-01T10:00:00.000Z with another range.',
    ],
    [
      { timeline: { startDate: '2026-12-01T10:00:01Z' } },
      'tocsin answered the timeline of 2026-12-01T10:00:00.000Z with another range.',
    ],
  ])('are not identical where a timeline cannot be read: %j', async (fault, reason) => {
    const found = await compared(side('opsgenie', { id: 'ops' }), side('tocsin', { id: 'ops', ...fault }));
    expect(found.schedules).toEqual([{ id: 'ops', name: 'ops', result: 'not-comparable', reason }]);
    expect(isIdentical(found)).toBe(false);
  });

  it('cannot be compared at all where a key is refused', async () => {
    const refused = new ApiReadError('key', 'The key is not known.');
    await expect(compared(side('opsgenie', { id: 'ops' }), side('tocsin', { id: 'ops', fault: refused }))).rejects.toBe(
      refused,
    );
  });

  it('are not identical where the users on call at an instant cannot be read', async () => {
    const tocsin = side('tocsin', { id: 'ops' });
    tocsin.onCalls = () => Promise.reject(new ApiReadError('answer', 'no list'));
    const found = await compared(side('opsgenie', { id: 'ops' }), tocsin);
    expect(found.instants).toMatchObject({ compared: 0, reason: 'no list' });
    expect(found.schedules).toMatchObject([{ result: 'not-comparable', reason: 'no list' }]);
    expect(isIdentical(found)).toBe(false);
  });
});

describe('the users on call at an instant', () => {
  it.each([
    ['missing', {}],
    ['users as objects', { onCallRecipients: [{ name: 'ada' }] }],
  ])('are not read, and so not identical, where the answer of both sides has %s', async (_what, item) => {
    const one = { id: 'ops', onCallItem: { onCallRecipients: undefined, ...item } };
    const found = await compared(side('opsgenie', one), side('tocsin', one));
    expect(found.instants).toMatchObject({ compared: 0, reason: expect.stringContaining('without the names') });
    expect(isIdentical(found)).toBe(false);
  });
});

describe('the report', () => {
  it('has nothing that a terminal obeys', async () => {
    const name = 'a\u001b[2J\u202eb';
    const found = await compared(
      side('opsgenie', { id: 'a', name }),
      side('tocsin', { id: 'a', name, laterMs: HOUR_MS }),
    );
    expect(markdownOf(found).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(markdownOf(found)).toContain('## a\ufffd\\[2J\ufffdb');
  });

  it('has a row for each schedule, names of users as text, and at most 20 differences of one', async () => {
    const name = '<img src=x>|*Ops*';
    const found = await compared(
      side('opsgenie', { id: 'a', name }),
      side('tocsin', { id: 'a', name, laterMs: HOUR_MS }),
    );
    const markdown = markdownOf(found);
    expect(markdown).toContain(String.raw`| \<img src=x\>\|\*Ops\* | DIFFERENT | 30 h | `);
    expect(markdown).toContain('- 2026-12-02T00:00:00Z until 2026-12-02T01:00:00Z: Opsgenie ');
    expect(markdown).toContain('- and 10 more times');
    expect(jsonOf(found)).toMatchObject({
      range: { from: '2026-12-01T10:00:00.000Z', until: '2027-01-01T00:00:00.000Z' },
      results: { identical: 0, different: 1, 'not-comparable': 0 },
      schedules: [
        { differences: expect.arrayContaining([expect.objectContaining({ from: '2026-12-02T00:00:00.000Z' })]) },
      ],
    });
  });
});
