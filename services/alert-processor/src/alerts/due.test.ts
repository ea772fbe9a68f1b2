import { describe, expect, it } from '@jest/globals';
import { acknowledge, byAlias, close, create, order, resetRecipientStates } from '../testing/commands-samples.ts';
import {
  after,
  at,
  closedAfter,
  deduplicated,
  delayedBy,
  minutes,
  PlannedAlert,
  restartedEvery,
  type Lived,
  type Step,
} from '../testing/flow-samples.ts';
import { nextDueAt, scheduledActions } from './due.ts';
import { skipFirstDue, applyDueActions } from './apply-due.ts';

const DISK = byAlias('disk');
const ack = (minute: number) => acknowledge(DISK, { at: after(minute), actor: 'ada' });
const undo = (minute: number) => order(DISK, { kind: 'unacknowledge' }, { at: after(minute) });
const snooze = (minute: number, until: number) =>
  order(DISK, { kind: 'snooze', endTime: after(until) }, { at: after(minute) });
const again = (minute: number) => create('disk', { at: after(minute) });

const minuteOf = (instant: Date | string) => (new Date(instant).getTime() - Date.parse(after(0))) / 60_000;

/** The fact with which the flow started, and the minute, for each start. */
const starts = ({ events }: Lived) => {
  const cycles = Map.groupBy(events, ({ state }) => state.cycle);
  return [...cycles.values()]
    .map(([first]) => first)
    .filter((first) => first?.state.notifications.kind === 'active')
    .map((first) => `${first?.facts[0]?.kind ?? ''} ${String(minuteOf(first?.state.flowStartedAt ?? ''))}`);
};
const alertOf = ({ alerts }: Lived) => alerts[0];
const texts = ({ logs }: Lived) => logs.map(({ log }) => log);
/** The scheduled actions of the alerts, and the minutes. */
const scheduled = ({ alerts }: Lived) =>
  alerts.flatMap(scheduledActions).map(({ dueAt, kind }) => `${kind} ${String(minuteOf(dueAt))}`);

describe('an alert that is delayed (P6)', () => {
  const alert = new PlannedAlert({ hold: delayedBy(30) });

  it('publishes that its flow is held, and until when, and waits for that alone', () => {
    const lived = alert.live();
    const { events } = lived;
    expect(events).toMatchObject([{ state: { cycle: 1, notifications: { kind: 'delayed', until: after(30) } } }]);
    expect(scheduled(lived)).toEqual(['hold 30']);
  });

  it('starts its flow when the delay is over, in a new cycle, and logs it', () => {
    const changes = alert.live(at(30));
    expect(starts(changes)).toEqual(['released 30']);
    expect(alertOf(changes)).toMatchObject({ notifications: { kind: 'active' }, hold: undefined, cycle: 2 });
    expect(scheduled(changes)).toEqual([]);
    expect(texts(changes)).toContain(
      'The delay of policy [Nights] (as of the creation of the alert) is over: the notification flow starts',
    );
  });

  it('starts its flow once, however late, and logs how late', () => {
    const late = at(2 * 60 + 35.5);
    const changes = alert.live(late, late);
    expect(starts(changes)).toEqual(['released 155.5']);
    expect(texts(changes)).toContain(
      'The delay of policy [Nights] (as of the creation of the alert) is over, 2 h 5 min late: the notification flow starts',
    );
  });

  it('stays held after the delay while it is acknowledged, and starts with the unacknowledgement (P16)', () => {
    const changes = alert.live(ack(10), at(30));
    expect(starts(changes)).toEqual([]);
    expect(alertOf(changes)).toMatchObject({ notifications: { kind: 'delayed' } });
    expect(scheduled(changes)).toEqual([]);
    expect(starts(alert.live(ack(10), at(30), undo(40)))).toEqual(['unacknowledged 40']);
    expect(starts(alert.live(ack(10), at(30), resetRecipientStates(alert.id, 1, { at: after(40) })))).toEqual([
      'reset 40',
    ]);
  });

  it('stays held until the end of the delay if it is unacknowledged before (P16)', () => {
    const changes = alert.live(ack(10), undo(20));
    expect(starts(changes)).toEqual([]);
    expect(scheduled(changes)).toEqual(['hold 30']);
    expect(texts(changes)).toContain('Policy [Nights] still holds the notification flow back');
    expect(starts(alert.live(ack(10), undo(20), at(30)))).toEqual(['released 30']);
  });

  it('starts at the end of a snooze instead if it is snoozed (P16)', () => {
    const changes = alert.live(snooze(10, 20));
    expect(scheduled(changes)).toEqual(['snooze 20']);
    expect(starts(alert.live(snooze(10, 20), at(20), at(30)))).toEqual(['snooze-ended 20']);
    expect(starts(alert.live(snooze(10, 60), at(30)))).toEqual([]);
    expect(starts(alert.live(snooze(10, 20), ack(15), undo(40)))).toEqual(['unacknowledged 40']);
  });

  it('has no scheduled action after a close or a delete', () => {
    for (const end of [close(DISK), order(DISK, { kind: 'delete' })]) {
      const changes = alert.live(end, at(30));
      expect([starts(changes), scheduled(changes)]).toEqual([[], []]);
    }
  });

  it('pages responders that are added, or found late, when the flow starts, and not before (P16)', () => {
    const added = order(DISK, { kind: 'add-responder', responder: { type: 'user', id: 'ada' } });
    const unreachable = order(DISK, { kind: 'add-responder', responder: { type: 'user', id: 'unavailable' } });
    const changes = alert.live(added, unreachable, at(1), at(30));
    expect(changes.events.map(({ state }) => [state.cycle, state.flow.responders, state.notifications.kind])).toEqual([
      [1, 1, 'delayed'],
      [1, 1, 'delayed'],
      [1, 1, 'delayed'],
      [1, 1, 'delayed'],
      [1, 1, 'delayed'],
      [2, 2, 'active'],
    ]);
  });
});

describe('an alert that is deduplicated (P6)', () => {
  it('starts its flow with the occurrence that the policy asks for, once', () => {
    const alert = new PlannedAlert({ hold: deduplicated(3) });
    expect(starts(alert.live(again(1)))).toEqual([]);
    const changes = alert.live(again(1), again(2), again(3), again(4));
    expect(starts(changes)).toEqual(['released 2']);
    expect(alertOf(changes)).toMatchObject({ count: 5, cycle: 2, lastOccurredAt: new Date(after(4)) });
    expect(texts(changes)).toContain(
      'It has occurred as often as policy [Flapping] asks: the notification flow starts',
    );
  });

  it('counts only occurrences that are close enough together, and keeps no more of them than it needs', () => {
    const alert = new PlannedAlert({ hold: deduplicated(3, minutes(5)) });
    const changes = alert.live(again(4), again(8), again(20));
    expect(starts(changes)).toEqual([]);
    expect(alertOf(changes)?.hold).toMatchObject({
      occurrences: [4, 8, 20].map((minute) => new Date(after(minute))),
    });
    expect(starts(alert.live(again(4), again(8), again(9)))).toEqual(['released 9']);
    expect(starts(alert.live(again(9), again(8), again(4)))).toEqual(['released 4']);
    expect(starts(alert.live(again(4), again(5)))).toEqual(['released 5']);
    expect(starts(alert.live(again(4), again(5.001)))).toEqual([]);
  });

  it('that occurred often enough while acknowledged starts its flow with the unacknowledgement (P16)', () => {
    const alert = new PlannedAlert({ hold: deduplicated(2) });
    const changes = alert.live(ack(1), again(2));
    expect(starts(changes)).toEqual([]);
    expect(texts(changes)).toContain(
      'It has occurred as often as policy [Flapping] asks: the notification flow starts once the alert is unacknowledged',
    );
    expect(starts(alert.live(ack(1), again(2), again(3), undo(4)))).toEqual(['unacknowledged 4']);
  });

  it('that is snoozed starts its flow at the end of the snooze, however often it occurs (P16)', () => {
    const alert = new PlannedAlert({ hold: deduplicated(2) });
    expect(starts(alert.live(snooze(1, 9), again(2), again(3)))).toEqual([]);
  });

  it('publishes no repeat that does not start the flow', () => {
    expect(new PlannedAlert({ hold: deduplicated(3) }).live(again(1)).events).toHaveLength(1);
  });
});

describe('an alert that a policy suppresses (P7)', () => {
  it('is never held or restarted, but it is auto-closed', () => {
    const plan = { suppressed: 'Policy [Quiet]', hold: delayedBy(1), ...restartedEvery(1, 3), ...closedAfter(5) };
    const alert = new PlannedAlert(plan);
    const lived = alert.live(ack(1), undo(2));
    const { events } = lived;
    expect(events.map(({ state }) => state.notifications)).toEqual(
      events.map(() => ({ kind: 'suppressed', reason: 'Policy [Quiet]' })),
    );
    expect(scheduled(lived)).toEqual(['auto-close 5']);
  });
});

describe('an alert that closes by itself (P7)', () => {
  const alert = new PlannedAlert(closedAfter(60));

  it.each([
    ['open', []],
    ['acknowledged', [ack(1)]],
    ['snoozed', [snooze(1, 120)]],
    ['held', []],
  ])('is closed by the system at its time while it is %s, and waits for nothing more', (how, before) => {
    const one = how === 'held' ? new PlannedAlert({ ...closedAfter(60), hold: delayedBy(90) }) : alert;
    const changes = one.live(...before, at(60));
    const report = { closedBy: 'System', closeTimeMs: minutes(60) };
    expect(alertOf(changes)).toMatchObject({ status: 'closed', report });
    expect(changes.events.at(-1)?.facts).toMatchObject([{ kind: 'closed', actor: 'System' }]);
    expect(scheduled(changes)).toEqual([]);
    expect(texts(changes)).toContain('Alert closed by policy [Tidy] (as of the creation of the alert)');
  });

  it('closes a time after its creation, whatever happens to it, and not the next alert of its alias', () => {
    const lived = alert.live(again(1), ack(2), undo(3), close(DISK, { at: after(4) }), again(5));
    expect(lived.alerts).toHaveLength(2);
    expect(scheduled(lived)).toEqual([]);
    expect(scheduled(alert.live(again(1), ack(2)))).toEqual(['auto-close 60']);
  });
});

describe('an alert whose flow starts again by itself (P7)', () => {
  const alert = new PlannedAlert(restartedEvery(10, 2));

  it('starts as often as the policy says, each time counted from the start before', () => {
    const changes = alert.live(at(10), at(25), at(35));
    expect(starts(changes)).toEqual(['created 0', 'restarted 10', 'restarted 25']);
    expect(scheduled(changes)).toEqual([]);
    expect(texts(changes)).toEqual(
      expect.arrayContaining([
        'Restart 1 of 2 by policy [Insist] (as of the creation of the alert): the notification flow starts again',
        'Restart 2 of 2 by policy [Insist] (as of the creation of the alert), 5 min late: the notification flow starts again',
      ]),
    );
  });

  it.each([
    ['acknowledged', ack(5)],
    ['snoozed', snooze(5, 60)],
    ['closed', close(DISK)],
  ])('does not restart while it is %s, does not wait for it, and does not count it', (_, command) => {
    const changes = alert.live(command, at(10));
    expect(starts(changes)).toEqual(['created 0']);
    expect(scheduled(changes).filter((action) => action.startsWith('restart'))).toEqual([]);
    expect(alertOf(changes)?.autoRestart).toMatchObject({ done: 0 });
  });

  it('waits for the first responder if there is none, because a restart would page no user (F4)', () => {
    const lonely = new PlannedAlert(restartedEvery(10, 2), create('disk', { at: after(0) }));
    const added = order(DISK, { kind: 'add-responder', responder: { type: 'user', id: 'ada' } }, { at: after(25) });
    expect(scheduled(lonely.live())).toEqual([]);
    expect(scheduled(lonely.live(added))).toEqual(['restart 35']);
  });

  it('counts from the unacknowledgement, from the end of a snooze, and from the release of a hold', () => {
    const dueAfter = (planned: PlannedAlert, ...steps: readonly Step[]) => scheduled(planned.live(...steps));
    expect(dueAfter(alert, ack(5), undo(7))).toEqual(['restart 17']);
    expect(dueAfter(alert, snooze(5, 20), at(20))).toEqual(['restart 30']);
    const held = new PlannedAlert({ ...restartedEvery(10, 2), hold: delayedBy(30) });
    expect(dueAfter(held)).toEqual(['hold 30']);
    expect(dueAfter(held, at(30))).toEqual(['restart 40']);
  });
});

describe('a scheduled action of an alert', () => {
  const plan = { ...restartedEvery(10, 3), ...closedAfter(60) };

  it('is done in the order of its instants where several things are due, each after the one before', () => {
    const alert = new PlannedAlert(plan);
    const changes = alert.live(snooze(5, 20), at(90));
    expect(changes.events.flatMap(({ facts }) => facts.map(({ kind }) => kind))).toEqual([
      'created',
      'snoozed',
      'snooze-ended',
      'closed',
    ]);
    const { logs } = changes;
    expect(logs.map(({ position }) => position.ms)).toEqual(logs.map(({ position }) => position.ms).toSorted());
    expect(new Set(logs.map(({ entryId }) => entryId)).size).toBe(logs.length);
    expect(alertOf(changes)).toMatchObject({ status: 'closed', version: 4 });
  });

  it('closes the alert first where it is due to start a flow at the same instant, so that no user is paged', () => {
    const alert = new PlannedAlert({ ...restartedEvery(60, 3), ...closedAfter(60) });
    expect(starts(alert.live(at(60)))).toEqual(['created 0']);
    expect(alertOf(alert.live(snooze(1, 60), at(60)))).toMatchObject({ status: 'closed', cycle: 1 });
  });

  it('is not done before it is due', () => {
    const lived = new PlannedAlert(plan).live();
    const until = new Date(at(10).getTime() - 1);
    const { resolve } = { resolve: () => ({ kind: 'unknown' }) as const };
    const changes = applyDueActions(lived.alerts, { resolve, until, processedAt: at(50) });
    expect(changes).toMatchObject({ inserted: [], updated: [], logs: [], events: [] });
  });

  it('is done as of now, and not as of the instant up to which commands are processed', () => {
    const lived = new PlannedAlert(plan).live();
    const context = { resolve: () => ({ kind: 'unknown' }) as const, until: at(11), processedAt: at(14) };
    const { logs, updated } = applyDueActions(lived.alerts, context);
    expect(updated).toMatchObject([{ cycle: 2, flowStartedAt: at(14), autoRestart: { since: at(14), done: 1 } }]);
    expect(logs.map(({ log }) => log)).toEqual([expect.stringContaining(', 4 min late: ')]);
  });

  it('is done step by step where the alert is refused as a whole', () => {
    const lived = new PlannedAlert(plan).live(snooze(5, 20));
    const context = { resolve: () => ({ kind: 'unknown' }) as const, until: at(90), processedAt: at(90) };
    const [first] = applyDueActions(lived.alerts, { ...context, onlyFirstItem: true }).updated;
    expect(first).toMatchObject({ status: 'open', snoozed: false, version: 3 });
    expect(first && nextDueAt(first)).toEqual(at(60));
  });

  it.each([
    ['the end of a delay', { hold: delayedBy(30) }, [], 'The end of the delay'],
    ['an auto-close', closedAfter(60), [], 'The close by a policy'],
    ['a restart', restartedEvery(10, 3), [], 'The restart by a policy'],
    ['the end of a snooze', {}, [snooze(1, 20)], 'The end of the snooze'],
    [
      'a look-up of responders',
      {},
      [order(DISK, { kind: 'add-responder', responder: { type: 'user', id: 'unavailable' } })],
      'The look-up of responders',
    ],
  ])('is left out where it fails each time, and the log says so: %s', (_, planned, steps, name) => {
    const [alert] = new PlannedAlert(planned).live(...steps).alerts;
    if (alert === undefined) throw new Error('There is no alert.');
    const { events, logs, updated } = skipFirstDue(alert, 'TypeError: odd', at(61));
    expect(logs.map(({ log }) => log)).toEqual([`${name} cannot be done and is left out: TypeError: odd`]);
    expect(events).toEqual([]);
    const [left = alert] = updated;
    expect(left.version).toBe(alert.version + 1);
    expect(scheduledActions(left)).toEqual([]);
    expect(left.notifications).toEqual(alert.notifications);
  });
});
