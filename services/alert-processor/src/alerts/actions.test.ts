import { describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/events';
import { ACCEPTED_AT, acknowledge, byAlias, close, create, DUTY, order } from '../testing/commands-samples.ts';
import { live, type Lived, type Step } from '../testing/flow-samples.ts';
import { nextDueAt } from './due.ts';
import { applyCommands, type Changes, type CommandContext } from './apply-commands.ts';
import { applyDueActions } from './apply-due.ts';

const LATER = '2026-01-05T09:00:00.000Z';
const LATEST = '2026-01-05T10:00:00.000Z';
const context: CommandContext = {
  resolve: ({ id, name }) =>
    name === 'missing' ? { kind: 'unknown' } : { kind: 'known', id: id ?? `id-of-${name ?? ''}`, name: name ?? '' },
  firstTinyId: 1,
  processedAt: new Date(ACCEPTED_AT),
};
const unavailable: CommandContext = { ...context, resolve: () => ({ kind: 'unreachable' }) };
const disk = create('disk', { alert: { tags: ['db'], details: { rack: 'b2' }, actions: ['Restart'] } });
const { alertId } = disk.alert;

/** The changes of `commands` on an installation where the alert `disk` is created first. */
function applyWith(given: CommandContext, ...commands: readonly AlertCommand[]): Changes {
  return applyCommands([disk, ...commands], { processed: new Set(), alerts: [] }, given);
}
const apply = (...commands: readonly AlertCommand[]): Changes => applyWith(context, ...commands);
/** Like `apply`, with a responder on the alert `disk`: only then are events published (F4). */
const applyPaging = (...commands: readonly AlertCommand[]): Changes => {
  const paging = { ...disk, alert: { ...disk.alert, responders: [DUTY] } };
  return applyCommands([paging, ...commands], { processed: new Set(), alerts: [] }, context);
};

/** Takes `steps` on an alert `disk` with a responder. */
const livePaging = (...steps: readonly Step[]): Lived =>
  live([{ ...disk, alert: { ...disk.alert, responders: [DUTY] } }, ...steps], context);
/** When the alerts are due next. */
const dueOf = ({ inserted }: Changes) => inserted.map(nextDueAt);

const acked = acknowledge(byAlias('disk'), { at: LATER, actor: 'ada' });
const shut = close(byAlias('disk'));
const onDisk = (own: Parameters<typeof order>[1], at?: string) =>
  order({ type: 'id', value: alertId }, own, at === undefined ? {} : { at });
const last = ({ statuses }: Changes) => statuses.at(-1);

describe('an unacknowledgement (A5)', () => {
  const undo = onDisk({ kind: 'unacknowledge' }, LATEST);
  const SNOOZE = { kind: 'snooze', endTime: LATER } as const;

  it('starts the flow again, in a new cycle', () => {
    const changes = applyPaging(acked, undo);
    expect(changes.inserted).toMatchObject([
      { acknowledged: false, owner: 'ada', cycle: 2, flowStartedAt: new Date(LATEST), version: 3 },
    ]);
    expect(last(changes)).toMatchObject({ action: 'Unacknowledge', success: true, status: 'Unacknowledged alert' });
    expect(changes.events.at(-1)?.facts).toMatchObject([{ kind: 'unacknowledged' }]);
  });

  it('of a snoozed alert begins no cycle, so that a manual escalation continues', () => {
    const byHand = onDisk({ kind: 'escalate', escalation: { type: 'escalation', name: 'On duty' } });
    const undone = applyPaging(acked, onDisk(SNOOZE), byHand, onDisk({ kind: 'unacknowledge' }));
    expect(undone.inserted).toMatchObject([{ acknowledged: false, snoozed: true, cycle: 1 }]);
    expect(undone.events.map(({ state }) => state.cycle)).toEqual([1, 1, 1, 1, 1]);
  });

  it('of a snoozed alert leaves the next cycle to the end of the snooze', () => {
    const undone = onDisk({ kind: 'unacknowledge' });
    const over = livePaging(acked, onDisk(SNOOZE), undone, new Date(LATER));
    expect(over.alerts).toMatchObject([{ acknowledged: false, snoozed: false, cycle: 2 }]);
  });

  it('has in every event the number of responders with which the present cycle began', () => {
    const snooze = onDisk({ kind: 'snooze', endTime: LATEST });
    const added = onDisk({ kind: 'add-responder', responder: { type: 'user', name: 'ada' } });
    const flows = (...steps: readonly Step[]) => livePaging(...steps).events.map(({ state }) => state.flow);
    const first = { responders: 1 };
    expect(flows(added, acked, undo)).toEqual([first, first, first, { responders: 2 }]);
    expect(flows(acked, snooze, undo).at(-1)).toEqual(first);
    expect(flows(snooze, new Date(LATEST)).at(-1)).toEqual({ responders: 1 });
  });

  it('is not published while the alert has no responders; the event of the first that joins has how the cycle began (F4)', () => {
    expect(apply(acked, undo).events).toEqual([]);
    const { events } = apply(acked, undo, onDisk({ kind: 'add-responder', responder: { type: 'user', name: 'ada' } }));
    expect(events).toMatchObject([
      {
        version: 4,
        state: { cycle: 2, flow: { responders: 0 } },
        facts: [{ kind: 'responder-added' }],
      },
    ]);
  });

  it.each([
    ['it is not acknowledged', [undo], 'Alert is not acknowledged, it can not be unacknowledged'],
    ['is closed', [acked, shut, undo], 'Alert is closed, it can not be unacknowledged'],
  ])('of an alert that %s is processed as failed', (_, commands, status) => {
    expect(last(apply(...commands))).toMatchObject({ success: false, status, alertId: '' });
  });
});

describe('a snooze (A5)', () => {
  const snooze = onDisk({ kind: 'snooze', endTime: LATER });

  it('stops the flow until its end, which starts it again for everybody', () => {
    const changes = apply(acknowledge(byAlias('disk')), snooze);
    expect(changes.inserted).toMatchObject([{ snoozed: true, snoozedUntil: new Date(LATER), acknowledged: true }]);
    expect(dueOf(changes)).toEqual([new Date(LATER)]);
    const over = livePaging(acknowledge(byAlias('disk')), snooze, new Date(LATER));
    expect(over.alerts).toMatchObject([
      { snoozed: false, snoozedUntil: undefined, acknowledged: false, cycle: 2, flowStartedAt: new Date(LATER) },
    ]);
    expect(over.events.at(-1)?.facts).toMatchObject([{ kind: 'snooze-ended' }]);
  });

  it('again replaces the end, and nothing happens at the first one', () => {
    const longer = onDisk({ kind: 'snooze', endTime: LATEST });
    const { alerts } = livePaging(snooze, longer, new Date(LATER));
    expect(alerts).toMatchObject([{ snoozed: true, snoozedUntil: new Date(LATEST), cycle: 1 }]);
    expect(alerts.map(nextDueAt)).toEqual([new Date(LATEST)]);
  });

  it.each([
    ['an acknowledgement', [snooze, acked]],
    ['a close', [snooze, shut]],
    ['a second acknowledgement', [acknowledge(byAlias('disk')), snooze, acked]],
  ])('is ended by %s, and nothing happens at its end then', (_, commands) => {
    const { alerts } = livePaging(...commands, new Date(LATER));
    expect(alerts).toMatchObject([{ snoozed: false, snoozedUntil: undefined, cycle: 1 }]);
  });

  it('of a closed alert is processed as failed', () => {
    expect(last(apply(shut, snooze))).toMatchObject({ success: false, action: 'Snooze' });
  });
});

describe('a delete (A6)', () => {
  it('keeps only the last event of the alert, and a later write finds no alert', () => {
    const changes = applyPaging(onDisk({ kind: 'delete' }), shut, create('disk'));
    expect(changes.inserted).toMatchObject([{ alias: 'disk', tinyId: 2 }]);
    expect(changes.logs.every((entry) => entry.alertId !== alertId)).toBe(true);
    expect(changes.deleted).toEqual([alertId]);
    expect(changes.events[1]).toMatchObject({ version: 2, state: { status: 'deleted' }, facts: [{ kind: 'deleted' }] });
    expect(changes.statuses.map(({ status }) => status)).toEqual([
      ...['Created alert', 'Deleted alert', 'Alert does not exist', 'Created alert'],
    ]);
  });
});

describe('an assignment (A9)', () => {
  it('sets the owner by user name and names the user in its fact', () => {
    const changes = applyPaging(onDisk({ kind: 'assign', owner: { type: 'user', name: 'ada' } }));
    expect(changes.inserted).toMatchObject([{ owner: 'ada', acknowledged: false, cycle: 1 }]);
    expect(last(changes)).toMatchObject({ action: 'Assign', status: 'Assigned alert', success: true });
    expect(changes.events.at(-1)?.facts).toMatchObject([
      { kind: 'assigned', responder: { type: 'user', id: 'id-of-ada' } },
    ]);
  });

  it.each([
    [
      'to an unknown user',
      context,
      [onDisk({ kind: 'assign', owner: { type: 'user', name: 'missing' } })],
      'user [missing]',
    ],
    [
      'while users are unavailable',
      unavailable,
      [onDisk({ kind: 'assign', owner: { type: 'user', id: 'ada' } })],
      'try again',
    ],
    ['of a closed alert', context, [shut, onDisk({ kind: 'assign', owner: { type: 'user', id: 'ada' } })], 'closed'],
  ])('%s is processed as failed and says why (A15)', (_, given, commands, said) => {
    const changes = applyWith(given, ...commands);
    expect(last(changes)).toMatchObject({ success: false, status: expect.stringContaining(said) });
    expect(changes.inserted).toMatchObject([{ owner: '' }]);
  });
});

describe('a responder that is added (A9)', () => {
  const ops = { type: 'team', name: 'Ops' } as const;
  const added = { kind: 'responder-added', responder: { type: 'team', id: 'id-of-Ops' } };

  it.each([
    ['add-responder', 'Add Responder', 'Added responder'],
    ['add-team', 'Add Team', 'Added team'],
  ] as const)('by %s joins an acknowledged alert and is published, in the same cycle', (kind, action, status) => {
    const changes = apply(acked, onDisk({ kind, responder: ops }));
    expect(changes.inserted).toMatchObject([{ responders: [added.responder], acknowledged: true, cycle: 1 }]);
    expect(changes.events.at(-1)?.facts).toMatchObject([added]);
    expect(last(changes)).toMatchObject({ action, status, success: true });
  });

  it('twice is a responder once', () => {
    const add = () => onDisk({ kind: 'add-responder', responder: ops });
    const changes = apply(add(), add());
    expect(changes.inserted).toMatchObject([{ responders: [added.responder], version: 2 }]);
    expect(last(changes)).toMatchObject({ success: true });
  });

  it('while its owner cannot be asked is looked up later, and joins then', () => {
    const add = onDisk({ kind: 'add-responder', responder: ops });
    const changes = applyWith(unavailable, add);
    const [dueAt = new Date(0)] = dueOf(changes);
    expect(applyDueActions(changes.inserted, { ...context, until: dueAt, processedAt: dueAt }).updated).toMatchObject([
      { responders: [added.responder], cycle: 2, unresolved: undefined },
    ]);
  });

  it.each([
    ['unknown', [onDisk({ kind: 'add-responder', responder: { type: 'team', name: 'missing' } })], 'team [missing]'],
    ['on a closed alert', [shut, onDisk({ kind: 'add-team', responder: ops })], 'Alert is closed'],
    [
      'beyond the limit of 50',
      Array.from({ length: 51 }, (_, at) =>
        onDisk({ kind: 'add-responder', responder: { type: 'user', id: `user-${at}` } }),
      ),
      'has 50 responders already',
    ],
  ])('%s is processed as failed, naming it (A9, A15, E8)', (_, commands, said) => {
    expect(last(apply(...commands))).toMatchObject({ success: false, status: expect.stringContaining(said) });
  });
});

describe('an escalate (A9)', () => {
  const escalate = (name: string) => onDisk({ kind: 'escalate', escalation: { type: 'escalation', name } });

  it('names the escalation that goes on', () => {
    const changes = apply(escalate('On duty'));
    const responder = { type: 'escalation', id: 'id-of-On duty' };
    expect(changes.events.at(-1)?.facts).toMatchObject([{ kind: 'escalated', responder }]);
    expect(last(changes)).toMatchObject({ action: 'Escalate', status: 'Escalated alert' });
    expect(changes.inserted).toMatchObject([{ responders: [responder] }]);
  });

  it('adds no responder to an alert that has one: scheduling decides what runs', () => {
    const add = onDisk({ kind: 'add-responder', responder: { type: 'team', id: 'ops' } });
    expect(apply(add, escalate('On duty')).inserted).toMatchObject([{ responders: [{ type: 'team', id: 'ops' }] }]);
  });

  it('of a snoozed alert succeeds and is published, and does not change the snooze', () => {
    const snooze = onDisk({ kind: 'snooze', endTime: LATER });
    const changes = apply(snooze, escalate('On duty'));
    expect(last(changes)).toMatchObject({ success: true, status: 'Escalated alert' });
    expect(changes.events.at(-1)).toMatchObject({ facts: [{ kind: 'escalated' }], state: { snoozed: true, cycle: 1 } });
    expect(changes.inserted).toMatchObject([{ snoozed: true, snoozedUntil: new Date(LATER) }]);
    expect(dueOf(changes)).toEqual([new Date(LATER)]);
  });

  it.each([
    ['unknown', [escalate('missing')], 'escalation [missing]'],
    ['on a closed alert', [shut, escalate('e')], 'closed'],
  ])('that is %s is processed as failed, saying why', (_, commands, said) => {
    expect(last(apply(...commands))).toMatchObject({ success: false, status: expect.stringContaining(said) });
  });
});

describe('a key of another team (K4)', () => {
  const responder = { type: 'team', name: 'Ops' } as const;
  it.each<Parameters<typeof order>[1]>([
    { kind: 'unacknowledge' },
    { kind: 'snooze', endTime: LATER },
    { kind: 'delete' },
    { kind: 'assign', owner: { type: 'user', name: 'ada' } },
    { kind: 'add-responder', responder },
    { kind: 'add-team', responder },
    { kind: 'escalate', escalation: { type: 'escalation', name: 'Nights' } },
    { kind: 'add-tags', tags: ['x'] },
    { kind: 'remove-tags', tags: ['db'] },
    { kind: 'add-details', details: { x: '1' } },
    { kind: 'remove-details', keys: ['rack'] },
    { kind: 'execute-action', action: 'Restart' },
    { kind: 'update-message', message: 'x' },
    { kind: 'update-description', description: 'x' },
    { kind: 'update-priority', priority: 'P1' },
  ])('finds no alert: $kind', (own) => {
    const integration = { id: 'i-2', name: 'Red', type: 'API', ownerTeamId: 'red' };
    const changes = apply(order(byAlias('disk'), own, { integration }));
    expect(last(changes)).toMatchObject({ success: false, status: 'Alert does not exist', alertId: '', alias: '' });
    expect(changes.inserted).toMatchObject([{ version: 1 }]);
  });
});
