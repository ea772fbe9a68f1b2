import { describe, expect, it } from '@jest/globals';
import type { AlertCommand, CreateAlert, Priority } from '@tocsin/events';
import { AT_ONCE, type FlowPlan } from '../policies/policy-result.ts';
import { explain } from '../explain/explanation.ts';
import { acknowledge, byAlias, close, DUTY, order, pagingCreate } from '../testing/commands-samples.ts';
import { apply, EMPTY, only } from '../testing/apply-samples.ts';
import {
  after,
  at,
  closedAfter,
  deduplicated,
  delayedBy,
  live,
  type Lived,
  type Step,
} from '../testing/flow-samples.ts';

const DISK = byAlias('disk');
const TOOL = { preset: 'alertmanager' };

/** A create of a tool in this minute. */
const sent = (priority: Priority, minute: number, alert: Partial<CreateAlert['alert']> = {}) =>
  pagingCreate('disk', { at: after(minute), hook: TOOL, alert: { priority, ...alert } });

/** The alerts after `steps`; policies plan the flow of some of the creates. */
function lived(steps: readonly Step[], plans: readonly (readonly [CreateAlert, Partial<FlowPlan>])[] = []): Lived {
  return live(steps, {
    resolve: ({ id = '' }) => {
      if (id === 'unavailable') return { kind: 'unreachable' };
      return id === 'unknown' ? { kind: 'unknown' } : { kind: 'known', id, name: id };
    },
    firstTinyId: 1,
    processedAt: new Date(after(0)),
    policyResults: new Map(
      plans.map(([{ requestId }, plan]) => [requestId, { flow: { ...AT_ONCE, ...plan }, entry: undefined }]),
    ),
  });
}

/** What starts the flow of each cycle. */
const starts = ({ events }: Lived) =>
  [...Map.groupBy(events, ({ state }) => state.cycle).values()]
    .map(([first]) => first)
    .filter((first) => first?.state.notifications.kind === 'active')
    .map((first) => first?.facts[0]?.kind);
const raiseTexts = ({ logs }: Lived) => logs.map(({ log }) => log).filter((log) => log.startsWith('Priority raised'));
const P3_TO_P1 = 'Priority raised from P3 to P1, because the tool sent the alert again with P1: ';

describe('a repeat of a tool with a higher priority (Q9)', () => {
  it('raises the alert, counts, starts its flow again, and says why', () => {
    const life = lived([sent('P3', 0), sent('P1', 5, { message: 'Other', tags: ['x'] })]);
    expect(only(life.alerts)).toMatchObject({
      priority: 'P1',
      count: 2,
      cycle: 2,
      message: 'Disk full',
      tags: [],
      flowStartedAt: at(5),
      updatedAt: at(5),
      lastOccurredAt: at(5),
    });
    expect(life.events).toMatchObject([
      { state: { cycle: 1, priority: 'P3' }, facts: [{ kind: 'created' }] },
      { state: { cycle: 2, priority: 'P1', flow: { responders: 1 } }, facts: [{ kind: 'restarted' }] },
    ]);
    expect(life.statuses.map(({ status, success }) => [status, success])).toEqual([
      ['Created alert', true],
      ['Created alert', true],
    ]);
    expect(life.logs.map(({ log }) => log)).toEqual([
      'Alert created via API[Default API-Create Alert]',
      'Alert repeated, count 2, via API[Default API-Create Alert]',
      `${P3_TO_P1}the notification flow starts again`,
    ]);
    expect(explain(life.logs).steps.at(-1)).toMatchObject({
      stage: 'process',
      subject: 'priority',
      outcome: 'raised',
      facts: { from: 'P3', to: 'P1', flow: 'starts' },
    });
  });

  it('never lowers it, and starts the flow once for each raise', () => {
    const priorities = ['P4', 'P3', 'P5', 'P3', 'P1', 'P3', 'P1', 'P2'] as const;
    const life = lived(priorities.map((priority, minute) => sent(priority, minute)));
    expect(only(life.alerts)).toMatchObject({ priority: 'P1', count: 8, cycle: 3 });
    expect(raiseTexts(life)).toHaveLength(2);
    expect(starts(life)).toEqual(['created', 'restarted', 'restarted']);
  });

  it('does so only of a tool: a create of the API counts alone (A2)', () => {
    const life = lived([sent('P3', 0), pagingCreate('disk', { at: after(1), alert: { priority: 'P1' } })]);
    expect(only(life.alerts)).toMatchObject({ priority: 'P3', count: 2, cycle: 1 });
    expect(life.events).toHaveLength(1);
  });

  it('raises an alert of the API too, because its flow is the same', () => {
    const life = lived([pagingCreate('disk', { at: after(0) }), sent('P1', 1)]);
    expect(only(life.alerts)).toMatchObject({ priority: 'P1', cycle: 2 });
  });

  it('is no raise after a user has lowered the priority, but over the highest that the alert has had', () => {
    const lower = (minute: number) => order(DISK, { kind: 'update-priority', priority: 'P5' }, { at: after(minute) });
    const life = lived([sent('P2', 0), lower(1), sent('P2', 2), sent('P3', 3)]);
    expect(only(life.alerts)).toMatchObject({ priority: 'P5', count: 3, cycle: 1 });
    const higher = lived([sent('P2', 0), lower(1), sent('P1', 2), lower(3), sent('P1', 4)]);
    expect(only(higher.alerts)).toMatchObject({ priority: 'P5', count: 3, cycle: 2 });
  });

  it('is logged also where the log has no further repeats', () => {
    const repeats = Array.from({ length: 120 }, () => sent('P3', 1));
    const life = lived([...repeats, sent('P1', 2)]);
    expect(life.logs).toHaveLength(102);
    expect(raiseTexts(life)).toHaveLength(1);
  });

  it('keeps no note, and notifies no user of one', () => {
    const life = lived([sent('P3', 0), { ...sent('P1', 1), note: 'again' }]);
    expect(life.events.at(-1)?.facts).toEqual([expect.not.objectContaining({ note: 'again' })]);
  });

  it('makes a new alert where it comes after the close', () => {
    const life = lived([sent('P3', 0), close(DISK, { at: after(1) }), sent('P1', 2)]);
    expect(life.alerts.map(({ status, priority, count, cycle }) => ({ status, priority, count, cycle }))).toEqual([
      { status: 'closed', priority: 'P3', count: 1, cycle: 1 },
      { status: 'open', priority: 'P1', count: 1, cycle: 1 },
    ]);
  });

  it('is settled once, in one batch with the create or in a later one, and not at all where it is late', () => {
    const commands: readonly AlertCommand[] = [sent('P3', 0), sent('P1', 1)];
    const once = apply(commands);
    expect(apply([...commands, ...commands])).toEqual(once);
    expect(only(once.inserted)).toMatchObject({ priority: 'P1', cycle: 2 });
    const requestId = commands[1]?.requestId ?? '';
    const late = apply(commands, { ...EMPTY, late: new Set([requestId]) });
    expect(only(late.inserted)).toMatchObject({ priority: 'P3', count: 1, cycle: 1 });
    expect(late.statuses.map(({ success }) => success)).toEqual([true, false]);
  });
});

describe('the responders of a raise', () => {
  const sre = { type: 'team', id: 'sre' } as const;

  it('join those that the alert has, and are paged with them', () => {
    const life = lived([sent('P3', 0), sent('P1', 1, { responders: [DUTY, sre] })]);
    expect(only(life.alerts)).toMatchObject({ responders: [DUTY, sre], flow: { responders: 2 } });
  });

  it('join later where they cannot be looked up; the log names those, and unknown ones', () => {
    const responders = [
      { type: 'team', id: 'unavailable' },
      { type: 'user', id: 'unknown' },
    ] as const;
    const life = lived([sent('P3', 0), sent('P1', 1, { responders: [...responders] })]);
    expect(only(life.alerts)).toMatchObject({ responders: [DUTY], unresolved: { responders: [responders[0]] } });
    expect(life.logs.map(({ log }) => log).slice(-2)).toEqual([
      'Unknown responders, left out: user [unknown]',
      'Could not look up, will be tried again: team [unavailable]',
    ]);
  });

  it('are at most as many as an alert may have', () => {
    const users = Array.from({ length: 50 }, (_, index) => ({ type: 'user' as const, id: `user-${index}` }));
    const life = lived([sent('P3', 0), sent('P1', 1, { responders: users })]);
    expect(only(life.alerts).responders).toHaveLength(50);
    expect(life.logs.at(-1)?.log).toBe('responders: 1 were left out, over 50.');
  });

  it('says that no user is paged where there are none', () => {
    const none = { responders: [] };
    expect(raiseTexts(lived([sent('P3', 0, none), sent('P1', 1, none)]))).toEqual([
      `${P3_TO_P1}the notification flow starts again; it has no responders: no user is paged`,
    ]);
  });
});

describe('a raise of an alert whose flow does not run', () => {
  it('pages no user where a user has acknowledged it, and the log says so', () => {
    const life = lived([sent('P3', 0), acknowledge(DISK, { at: after(1), actor: 'ada' }), sent('P1', 2)]);
    expect(only(life.alerts)).toMatchObject({ priority: 'P1', acknowledged: true, count: 2, cycle: 1 });
    expect(life.events.at(-1)).toMatchObject({ state: { cycle: 1, priority: 'P1' }, facts: [{ kind: 'updated' }] });
    expect(raiseTexts(life)).toEqual([`${P3_TO_P1}no user is paged again, because it is acknowledged`]);
  });

  it('waits for the end of a snooze', () => {
    const snooze = order(DISK, { kind: 'snooze', endTime: after(30) }, { at: after(1) });
    const life = lived([sent('P3', 0), snooze, sent('P1', 2), at(30)]);
    expect(only(life.alerts)).toMatchObject({ priority: 'P1', snoozed: false, cycle: 2 });
    expect(starts(life)).toEqual(['created', 'snooze-ended']);
    expect(raiseTexts(life)).toEqual([
      `${P3_TO_P1}the notification flow starts at the end of the snooze, ${after(30)}`,
    ]);
  });
});

describe('a raise where policies hold the flow back', () => {
  const [first, second] = [sent('P3', 0), sent('P1', 5)];
  const raisedWith = (before: Partial<FlowPlan>, then: Partial<FlowPlan>, ...steps: readonly Step[]) =>
    lived(
      [first, second, ...steps],
      [
        [first, before],
        [second, then],
      ],
    );
  const nights = (minute: number) => ({ hold: delayedBy(minute) });
  const short = (minute: number) => ({ hold: { ...delayedBy(minute), policy: '[Short]' } });

  it('starts the flow of an alert that a policy delays, if none delays the higher priority', () => {
    const life = raisedWith(nights(480), {}, at(480));
    expect(only(life.alerts)).toMatchObject({ notifications: { kind: 'active' }, hold: undefined, cycle: 2 });
    expect(starts(life)).toEqual(['restarted']);
  });

  it('starts the flow of an alert that a policy suppresses, if none suppresses the higher priority', () => {
    const life = raisedWith({ suppressed: 'Policy [Quiet]' }, {});
    expect(only(life.alerts)).toMatchObject({ notifications: { kind: 'active' }, cycle: 2 });
    expect(starts(life)).toEqual(['restarted']);
  });

  it.each([
    ['the same policy, which counts from the first occurrence', nights(30), nights(35), 30],
    ['a policy that delays less', nights(480), short(10), 10],
    ['a policy that delays longer', nights(10), short(30), 10],
    ['a policy that delays, where one counted', { hold: deduplicated(9) }, short(10), 10],
    ['a policy that delays, where one suppressed', { suppressed: 'Policy [Quiet]' }, short(10), 10],
  ])('stays held by %s', (_, before, then, end) => {
    const life = raisedWith(before, then);
    expect(only(life.alerts)).toMatchObject({ cycle: 1, hold: { until: at(end) }, notifications: { kind: 'delayed' } });
    expect(raiseTexts(life)).toEqual([expect.stringMatching(/: policy \[\w+\] holds the notification flow back$/)]);
    expect(starts(raisedWith(before, then, at(end)))).toEqual(['released']);
  });

  it.each([
    ['the second of the same policy', { hold: deduplicated(2) }, { hold: deduplicated(2) }],
    ['within its time', { hold: deduplicated(2, 600_000) }, { hold: deduplicated(2, 600_000) }],
    ['the second of another policy', nights(30), { hold: deduplicated(2) }],
  ])('starts the flow with the occurrence that a policy waits for: %s', (_, before, then) => {
    expect(starts(raisedWith(before, then))).toEqual(['restarted']);
  });

  it('counts from this occurrence where another policy counts within a time', () => {
    const life = raisedWith(nights(30), { hold: deduplicated(2, 600_000) }, sent('P1', 6));
    expect(starts(life)).toEqual(['released']);
  });

  it('neither holds back nor ends a flow that has started', () => {
    for (const then of [nights(30), { suppressed: 'Policy [Quiet]' }]) {
      const life = raisedWith({}, then);
      expect(only(life.alerts)).toMatchObject({ notifications: { kind: 'active' }, hold: undefined, priority: 'P1' });
    }
    expect(starts(raisedWith({}, nights(30)))).toEqual(['created', 'restarted']);
    const suppressed = raisedWith({}, { suppressed: 'Policy [Quiet]' });
    expect(starts(suppressed)).toEqual(['created']);
    expect(raiseTexts(suppressed)).toEqual([`${P3_TO_P1}Policy [Quiet]: the notification flow does not start again`]);
  });

  it('closes by itself as the policies say of the higher priority', () => {
    expect(only(raisedWith(closedAfter(60), {}).alerts).autoClose).toBeUndefined();
    expect(only(raisedWith({}, closedAfter(60)).alerts).autoClose).toMatchObject({ dueAt: at(65) });
  });

  it('stays acknowledged, and starts with the unacknowledgement once no policy holds it', () => {
    const steps = [acknowledge(DISK, { at: after(1), actor: 'ada' }), second];
    const undo = order(DISK, { kind: 'unacknowledge' }, { at: after(6) });
    const life = lived([first, ...steps, undo], [[first, nights(480)]]);
    expect(starts(life)).toEqual(['unacknowledged']);
  });
});
