import { describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/contracts';
import {
  acknowledge,
  byAlias,
  close,
  create,
  order,
  resetRecipientStates,
  timerOf,
} from '../testing/commands-samples.ts';
import {
  after,
  closedAfter,
  deduplicated,
  delayedBy,
  minutes,
  PlannedAlert,
  restartedEvery,
} from '../testing/flow-samples.ts';
import { withAlarms } from './alarms.ts';
import type { Changes } from './settle.ts';

const DISK = byAlias('disk');
const ack = (minute: number) => acknowledge(DISK, { at: after(minute), actor: 'ada' });
const undo = (minute: number) => order(DISK, { kind: 'unacknowledge' }, { at: after(minute) });
const snooze = (minute: number, until: number) =>
  order(DISK, { kind: 'snooze', endTime: after(until) }, { at: after(minute) });
const again = (minute: number) => create('disk', { at: after(minute) });

/** The fact with which the flow started, and the minute, for each start. */
const starts = ({ events }: Changes) => {
  const cycles = Map.groupBy(events, ({ state }) => state.cycle);
  return [...cycles.values()]
    .map(([first]) => first)
    .filter((first) => first?.state.flow.began === true)
    .map(
      (first) =>
        `${first?.facts[0]?.kind ?? ''} ${String((Date.parse(first?.state.flowStartedAt ?? '') - Date.parse(after(0))) / 60_000)}`,
    );
};
const alertOf = ({ inserted }: Changes) => inserted[0];
const texts = ({ logs }: Changes) => logs.map(({ log }) => log);

describe('an alert that is delayed (P6)', () => {
  const alert = new PlannedAlert({ hold: delayedBy(30) });

  it('publishes that its flow is held, and until when, and sets one timer', () => {
    const { events, timers } = alert.settle();
    expect(events).toMatchObject([
      { state: { cycle: 1, verdict: { kind: 'held', until: after(30) }, flow: { began: false } } },
    ]);
    expect(timers).toEqual([{ timerId: `hold:${alert.id}`, fence: 1, dueAt: new Date(after(30)), alertId: alert.id }]);
  });

  it('starts its flow when the delay is over, in a new cycle, and says so', () => {
    const changes = alert.settle(alert.due('hold', 1, 30));
    expect(starts(changes)).toEqual(['released 30']);
    expect(alertOf(changes)).toMatchObject({ verdict: { kind: 'go' }, hold: undefined, cycle: 2 });
    expect(changes.timers).toEqual([]);
    expect(texts(changes)).toContain(
      'The delay of policy [Nights] (as of the creation of the alert) is over: the notification flow starts',
    );
  });

  it('starts its flow once, however late, and says how late', () => {
    const late = timerOf('hold', alert.id, 1, after(2 * 60 + 35.5));
    const changes = alert.settle(late, { ...late, requestId: 'again' });
    expect(starts(changes)).toEqual(['released 155.5']);
    expect(texts(changes)).toContain(
      'The delay of policy [Nights] (as of the creation of the alert) is over, 2 h 5 min late: the notification flow starts',
    );
  });

  it('stays held after the delay while it is acknowledged, and starts with the unacknowledgement (P16)', () => {
    const changes = alert.settle(ack(10), alert.due('hold', 1, 30));
    expect(starts(changes)).toEqual([]);
    expect(alertOf(changes)).toMatchObject({ verdict: { kind: 'held' }, alarms: {} });
    expect(starts(alert.settle(ack(10), alert.due('hold', 1, 30), undo(40)))).toEqual(['unacknowledged 40']);
    expect(
      starts(alert.settle(ack(10), alert.due('hold', 1, 30), resetRecipientStates(alert.id, 1, { at: after(40) }))),
    ).toEqual(['reset 40']);
  });

  it('stays held until the end of the delay if it is unacknowledged before (P16)', () => {
    const changes = alert.settle(ack(10), undo(20));
    expect(starts(changes)).toEqual([]);
    expect(changes.timers).toMatchObject([{ fence: 1 }]);
    expect(texts(changes)).toContain('Policy [Nights] still holds the notification flow back');
    expect(starts(alert.settle(ack(10), undo(20), alert.due('hold', 1, 30)))).toEqual(['released 30']);
  });

  it('starts at the end of a snooze instead if it is snoozed (P16)', () => {
    const changes = alert.settle(snooze(10, 20));
    expect(changes.timers).toMatchObject([{ timerId: `snooze:${alert.id}`, fence: 2 }]);
    expect(starts(alert.settle(snooze(10, 20), alert.due('snooze', 2, 20), alert.due('hold', 1, 30)))).toEqual([
      'snooze-ended 20',
    ]);
    expect(starts(alert.settle(snooze(10, 60), alert.due('hold', 1, 30)))).toEqual([]);
    expect(starts(alert.settle(snooze(10, 20), ack(15), undo(40)))).toEqual(['unacknowledged 40']);
  });

  it('loses its timer with a close or a delete', () => {
    for (const end of [close(DISK), order(DISK, { kind: 'delete' })]) {
      const changes = alert.settle(end, alert.due('hold', 1, 30));
      expect([starts(changes), changes.timers]).toEqual([[], []]);
    }
  });

  it('pages responders that are added, or found late, when the flow starts, and not before (P16)', () => {
    const added = order(DISK, { kind: 'add-responder', responder: { type: 'user', id: 'ada' } });
    const unreachable = order(DISK, { kind: 'add-responder', responder: { type: 'user', id: 'away' } });
    const changes = alert.settle(added, unreachable, alert.due('resolve', 3, 1), alert.due('hold', 1, 30));
    expect(changes.events.map(({ state }) => [state.cycle, state.flow.responders, state.verdict.kind])).toEqual([
      [1, 1, 'held'],
      [1, 1, 'held'],
      [1, 1, 'held'],
      [1, 1, 'held'],
      [2, 2, 'go'],
    ]);
  });
});

describe('an alert that is deduplicated (P6)', () => {
  it('starts its flow with the occurrence that the policy asks for, once', () => {
    const alert = new PlannedAlert({ hold: deduplicated(3) });
    expect(starts(alert.settle(again(1)))).toEqual([]);
    const changes = alert.settle(again(1), again(2), again(3), again(4));
    expect(starts(changes)).toEqual(['released 2']);
    expect(alertOf(changes)).toMatchObject({ count: 5, cycle: 2, lastOccurredAt: new Date(after(4)) });
    expect(texts(changes)).toContain(
      'It has occurred as often as policy [Flapping] asks: the notification flow starts',
    );
  });

  it('counts only occurrences that are close enough together, and keeps no more of them than it needs', () => {
    const alert = new PlannedAlert({ hold: deduplicated(3, minutes(5)) });
    const changes = alert.settle(again(4), again(8), again(20));
    expect(starts(changes)).toEqual([]);
    expect(alertOf(changes)?.hold).toMatchObject({
      occurrences: [4, 8, 20].map((minute) => new Date(after(minute))),
    });
    expect(starts(alert.settle(again(4), again(8), again(9)))).toEqual(['released 9']);
    expect(starts(alert.settle(again(9), again(8), again(4)))).toEqual(['released 4']);
    expect(starts(alert.settle(again(4), again(5)))).toEqual(['released 5']);
    expect(starts(alert.settle(again(4), again(5.001)))).toEqual([]);
  });

  it('that occurred often enough while acknowledged starts its flow with the unacknowledgement (P16)', () => {
    const alert = new PlannedAlert({ hold: deduplicated(2) });
    const changes = alert.settle(ack(1), again(2));
    expect(starts(changes)).toEqual([]);
    expect(texts(changes)).toContain(
      'It has occurred as often as policy [Flapping] asks: the notification flow starts once the alert is unacknowledged',
    );
    expect(starts(alert.settle(ack(1), again(2), again(3), undo(4)))).toEqual(['unacknowledged 4']);
  });

  it('that is snoozed starts its flow at the end of the snooze, however often it occurs (P16)', () => {
    const alert = new PlannedAlert({ hold: deduplicated(2) });
    expect(starts(alert.settle(snooze(1, 9), again(2), again(3)))).toEqual([]);
  });

  it('publishes no repeat that does not start the flow', () => {
    expect(new PlannedAlert({ hold: deduplicated(3) }).settle(again(1)).events).toHaveLength(1);
  });
});

describe('an alert that a policy suppresses (P7)', () => {
  it('is never held or restarted, but it is auto-closed', () => {
    const plan = { suppressed: 'Policy [Quiet]', hold: delayedBy(1), ...restartedEvery(1, 3), ...closedAfter(5) };
    const alert = new PlannedAlert(plan);
    const { events, timers } = alert.settle(ack(1), undo(2));
    expect(events.map(({ state }) => state.verdict)).toEqual(
      events.map(() => ({ kind: 'suppressed', reason: 'Policy [Quiet]' })),
    );
    expect(timers.map(({ timerId }) => timerId)).toEqual([`auto-close:${alert.id}`]);
  });
});

describe('an alert that closes by itself (P7)', () => {
  const alert = new PlannedAlert(closedAfter(60));

  it.each([
    ['open', []],
    ['acknowledged', [ack(1)]],
    ['snoozed', [snooze(1, 120)]],
    ['held', []],
  ])('is closed by the system at its time while it is %s, and keeps no timer', (how, before) => {
    const one = how === 'held' ? new PlannedAlert({ ...closedAfter(60), hold: delayedBy(90) }) : alert;
    const changes = one.settle(...before, one.due('auto-close', 1, 60));
    const report = { closedBy: 'System', closeTimeMs: minutes(60) };
    expect(alertOf(changes)).toMatchObject({ status: 'closed', report });
    expect(changes.events.at(-1)?.facts).toMatchObject([{ kind: 'closed', actor: 'System' }]);
    expect(changes.timers).toEqual([]);
    expect(texts(changes)).toContain('Alert closed by policy [Tidy] (as of the creation of the alert)');
  });

  it('closes a time after its creation, whatever happens to it, and not the next alert of its alias', () => {
    const { inserted, timers } = alert.settle(again(1), ack(2), undo(3), close(DISK, { at: after(4) }), again(5));
    expect(inserted).toHaveLength(2);
    expect(timers).toEqual([]);
    expect(alert.settle(again(1), ack(2)).timers).toMatchObject([{ fence: 1, dueAt: new Date(after(60)) }]);
  });
});

describe('an alert whose flow starts again by itself (P7)', () => {
  const alert = new PlannedAlert(restartedEvery(10, 2));

  it('starts as often as the policy says, each time counted from the start before', () => {
    const changes = alert.settle(alert.due('restart', 1, 10), alert.due('restart', 2, 25), alert.due('restart', 3, 35));
    expect(starts(changes)).toEqual(['created 0', 'restarted 10', 'restarted 25']);
    expect(changes.timers).toEqual([]);
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
  ])('does not restart while it is %s, keeps no timer for it, and does not count it', (_, command) => {
    const changes = alert.settle(command, alert.due('restart', 1, 10));
    expect(starts(changes)).toEqual(['created 0']);
    expect(changes.timers.filter(({ timerId }) => timerId.startsWith('restart:'))).toEqual([]);
    expect(alertOf(changes)?.autoRestart).toMatchObject({ done: 0 });
  });

  it('waits for the first responder if there is none, because a restart would page nobody (F4)', () => {
    const lonely = new PlannedAlert(restartedEvery(10, 2), create('disk', { at: after(0) }));
    const added = order(DISK, { kind: 'add-responder', responder: { type: 'user', id: 'ada' } }, { at: after(25) });
    expect(lonely.settle().timers).toEqual([]);
    expect(lonely.settle(added).timers).toMatchObject([{ dueAt: new Date(after(35)) }]);
  });

  it('counts from the unacknowledgement, from the end of a snooze, and from the release of a hold', () => {
    const dueAfter = (planned: PlannedAlert, ...commands: readonly AlertCommand[]) =>
      planned.settle(...commands).timers.map(({ dueAt, timerId }) => [timerId.split(':')[0], dueAt]);
    expect(dueAfter(alert, ack(5), undo(7))).toEqual([['restart', new Date(after(17))]]);
    expect(dueAfter(alert, snooze(5, 20), alert.due('snooze', 2, 20))).toEqual([['restart', new Date(after(30))]]);
    const held = new PlannedAlert({ ...restartedEvery(10, 2), hold: delayedBy(30) });
    expect(dueAfter(held)).toEqual([['hold', new Date(after(30))]]);
    expect(dueAfter(held, held.due('hold', 1, 30))).toEqual([['restart', new Date(after(40))]]);
  });
});

describe('a timer', () => {
  it('keeps its fence whatever else happens to the alert, and a timer with a stale fence changes nothing', () => {
    const alert = new PlannedAlert({ hold: delayedBy(30), ...closedAfter(60) });
    const { timers } = alert.settle(again(1), again(2), ack(3), undo(4));
    expect(timers.map(({ fence }) => fence)).toEqual([1, 1]);
    const stale = alert.settle(again(1), alert.due('hold', 2, 30));
    expect(stale.statuses.at(-1)).toMatchObject({ success: true, status: 'Timer is out of date' });
    expect(starts(stale)).toEqual([]);
  });

  it('of a kind that only a newer release knows is set again for that release, also where its alert is gone', () => {
    const alert = new PlannedAlert({});
    const unknown = { ...alert.due('hold', 7, 30), timerId: `renotify:${alert.id}` } as AlertCommand;
    const changes = alert.settle(unknown);
    expect(changes.timers).toEqual([
      { timerId: `renotify:${alert.id}`, fence: 7, dueAt: new Date(after(30)), alertId: alert.id },
    ]);
    expect(changes.statuses.map(({ requestId }) => requestId)).not.toContain(unknown.requestId);
    const gone = alert.settle({ ...unknown, timerId: 'odd', identifier: { type: 'id', value: 'x' } } as AlertCommand);
    expect(gone.timers).toMatchObject([{ timerId: 'odd', alertId: 'x' }]);
  });

  it('of a kind that only a newer release knows stays on its alert while that is open', () => {
    const alert = alertOf(new PlannedAlert({ hold: delayedBy(30) }).settle());
    if (alert === undefined) throw new Error('There is no alert.');
    const renotify = { dueAt: new Date(after(50)), fence: 3 };
    const newer = { ...alert, alarms: { ...alert.alarms, renotify } };
    const snoozed = withAlarms({ ...newer, snoozedUntil: new Date(after(20)) });
    expect(snoozed.alarms).toMatchObject({ renotify, snooze: { dueAt: new Date(after(20)) } });
    expect(withAlarms({ ...newer, status: 'closed' }).alarms).toEqual({});
  });
});
