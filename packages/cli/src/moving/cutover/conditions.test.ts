import { describe, expect, it } from '@jest/globals';
import type { Verification } from '../apply/verify.ts';
import type { Parity, ScheduleParity } from '../parity/parity.ts';
import type { Report } from '../shadow/report.ts';
import { evaluate } from './condition.ts';
import { alertsResult, differencesResult, durationResult, importedResult, onCallResult } from './conditions.ts';

const VERIFIED: Verification = { things: 2, equal: 2, deviations: [], dangling: [], unreadable: [], losses: [] };
const MISSING = { kind: 'users', id: 'u', name: 'ada', state: 'missing', fields: [] } as const;

const FETCHED_AT = new Date('2026-12-01T09:12:44.310Z');

describe('the condition that everything is imported', () => {
  it('is met where each thing is as in the snapshot, also where something could not be moved as it was', () => {
    const lost = [{ kind: 'users', id: 'u', name: 'ada', what: 'Its tags are not moved.' } as const];
    expect(importedResult({ ...VERIFIED, losses: lost }, FETCHED_AT)).toEqual({
      state: 'met',
      summary: '2 of 2 things are as in the snapshot of 2026-12-01T09:12:44.310Z.',
      missing: [],
    });
  });

  it('is unmet where one is missing, differs or names a thing that neither side has, and names it', () => {
    expect(importedResult({ ...VERIFIED, equal: 1, deviations: [MISSING] }, FETCHED_AT)).toMatchObject({
      state: 'unmet',
      summary: '1 of 2 things are as in the snapshot of 2026-12-01T09:12:44.310Z.',
      missing: ['Missing in Tocsin: users [ada]'],
    });
    const dangling = [{ kind: 'teams', id: 't', name: 'Ops', field: 'members', to: 'users x' } as const];
    expect(importedResult({ ...VERIFIED, dangling }, FETCHED_AT)).toMatchObject({
      state: 'unmet',
      missing: [expect.anything()],
    });
  });

  it('is unknown where a thing was not read from Opsgenie, or the snapshot has none', () => {
    expect(importedResult({ ...VERIFIED, unreadable: [{ kind: 'users', id: 'u' }] }, FETCHED_AT)).toMatchObject({
      state: 'unknown',
      missing: ['Not known: not read from Opsgenie: users u'],
    });
    expect(importedResult({ ...VERIFIED, things: 0, equal: 0 }, FETCHED_AT)).toMatchObject({ state: 'unknown' });
  });
});

const parityOf = (unread: number, ...schedules: readonly ScheduleParity[]): Parity => ({
  ...{ opsgenie: 'o', tocsin: 't', range: { from: 0, until: 1 }, seed: 1, timeZoneData: '', schedules },
  ...{ hashes: { opsgenie: '', tocsin: '' }, instants: { compared: 625, unread, reason: 'busy' } },
});
const SAME = { id: 's', name: 'Days', result: 'identical' } as const;

describe('the condition that the same users are on call', () => {
  it('is met where every schedule is identical', () => {
    expect(onCallResult(parityOf(0, SAME))).toMatchObject({ state: 'met', missing: [] });
  });

  it('is unmet where one differs or could not be compared, and says by how much', () => {
    const other = { id: 'n', name: 'Nights', differentMs: 7_200_000, differences: [], instants: [] } as const;
    const alone = {
      id: 'r',
      name: 'Retired',
      result: 'not-comparable',
      reason: 'Tocsin has no such schedule.',
    } as const;
    const found = parityOf(0, SAME, { ...other, result: 'different', causes: ['Its zone differs.'] }, alone);
    expect(onCallResult(found)).toEqual({
      state: 'unmet',
      summary: 'Of 3 schedules 1 differ and 1 could not be compared; the users on call were compared at 625 instants.',
      missing: [
        'Nights: different for 2 h. Its zone differs.',
        'Retired: not comparable. Tocsin has no such schedule.',
      ],
    });
    expect(onCallResult(parityOf(0, SAME, alone))).toMatchObject({ state: 'unmet' });
  });

  it('is unknown where a side could not say at an instant, or has no schedule', () => {
    expect(onCallResult(parityOf(2, SAME))).toMatchObject({
      state: 'unknown',
      missing: ['At 2 instants a side could not say: busy'],
    });
    expect(onCallResult(parityOf(0))).toMatchObject({ state: 'unknown' });
  });
});

describe('the condition that shadow has been on for 14 days', () => {
  const since = (enabled: boolean) => ({ enabled, changedAt: '2026-03-01T08:00:00Z' });

  it('is met 14 days after the last start, and not a moment before', () => {
    expect(durationResult(since(true), new Date('2026-03-15T08:00:00Z'))).toEqual({
      state: 'met',
      summary: 'Shadow has been on for 14 days, since 2026-03-01T08:00:00Z.',
      missing: [],
    });
    expect(durationResult(since(true), new Date('2026-03-15T07:59:59.999Z'))).toEqual({
      state: 'unmet',
      summary: 'Shadow has been on for 13 of 14 days, since 2026-03-01T08:00:00Z.',
      missing: ['1 day: shadow has to stay on until 2026-03-15T08:00:00.000Z.'],
    });
  });

  it('is unmet while shadow is off, however long it was on before', () => {
    expect(durationResult(since(false), new Date('2026-04-01T08:00:00Z'))).toMatchObject({
      state: 'unmet',
      missing: ['Begin it: tocsin shadow start'],
    });
  });
});

describe('the condition that enough alerts were compared', () => {
  const routes = [
    { ruleId: 'r1', name: 'routing rule [Critical] of team [Ops]' },
    { ruleId: 'r2', name: 'the default routing rule of team [Ops]' },
  ];
  const covered = (compared: number, ...taken: readonly string[]) =>
    alertsResult({ compared, routes, taken: new Set(taken) });

  it('is met by 200 alerts, or by fewer of which each routing rule took one', () => {
    expect(covered(200)).toMatchObject({ state: 'met', summary: '200 alerts were compared.' });
    expect(covered(3, 'r1', 'r2', 'gone')).toMatchObject({ state: 'met', missing: [] });
  });

  it('is unmet by fewer where a routing rule took none, and names the rule', () => {
    expect(covered(199, 'r2')).toEqual({
      state: 'unmet',
      summary: '199 of 200 alerts were compared, and 1 of 2 routing rules took none of them.',
      missing: [
        '1 alert, or an alert of each routing rule',
        'No alert that was compared was taken by routing rule [Critical] of team [Ops].',
      ],
    });
  });

  it('is unmet by fewer in an account without routing rules', () => {
    expect(alertsResult({ compared: 199, routes: [], taken: new Set() })).toMatchObject({ state: 'unmet' });
  });
});

describe('the condition that each difference is explained', () => {
  const reportOf = (over: Partial<Report>): Report => ({
    ...{
      since: '2026-03-01T08:00:00Z',
      toleranceSeconds: 60,
      different: [],
      notComparable: [],
      withoutUser: [],
      explained: [],
    },
    rows: [{ day: '2026-03-01', team: 'Ops', alerts: 3, withoutUser: 0, users: NO_USERS }],
    ...over,
  });
  const NO_USERS = { same: 0, early: 0, late: 0, missing: 0, extra: 0, 'not comparable': 0, 'not yet': 0 };
  const alert = { id: 'a1', message: 'Disk full', createdAt: '2026-03-01T09:00:00Z' };

  it('is met where no alert differs', () => {
    expect(differencesResult(reportOf({}))).toMatchObject({ state: 'met', missing: [] });
  });

  it('is unmet where one differs or could not be compared, and names it with the users', () => {
    const users = [
      { user: 'ada@example.com', result: 'same', theirsMs: 0, oursMs: 0 },
      { user: 'grace@example.com', result: 'missing', theirsMs: 0 },
    ] as const;
    const found = differencesResult(
      reportOf({ different: [{ ...alert, users }], notComparable: [{ ...alert, users: [], notComparable: 'Gone.' }] }),
    );
    expect(found).toEqual({
      state: 'unmet',
      summary: 'Of 3 alerts 1 differ without an explanation, 1 could not be compared, and 0 are explained.',
      missing: [
        'Disk full (a1): grace@example.com: missing; Opsgenie at 1970-01-01T00:00:00.000Z, Tocsin not',
        'Disk full (a1): Gone.',
      ],
    });
  });

  it('is unmet where there is no alert', () => {
    expect(differencesResult(reportOf({ rows: [] }))).toMatchObject({ state: 'unmet' });
  });
});

describe('a condition', () => {
  it('is as short as Tocsin takes it, and says how much is missing in all', async () => {
    const missing = Array.from({ length: 101 }, () => '\u{1f525}'.repeat(501));
    const found = await evaluate('alerts', () =>
      Promise.resolve({ state: 'unmet', summary: 'x'.repeat(501), missing }),
    );
    expect(found).toMatchObject({ name: 'alerts', missingCount: 101 });
    expect(found.missing).toHaveLength(100);
    expect([...found.missing, found.summary].map((text) => Array.from(text).length)).toEqual(Array(101).fill(500));
  });
});
