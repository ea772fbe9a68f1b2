import { describe, expect, it } from '@jest/globals';
import type { AlertEvent } from '@tocsin/events';
import { diskFull } from '../testing/alert-samples.ts';
import { batch, decide, DUE, event, lookUp, useStateStores } from '../testing/state-store-fixture.ts';
import { nextDueAt } from './due.ts';
import type { ActiveEscalation, EscalationState } from './escalation-state.ts';
import { orderCommands, type StateChange } from './state-change.ts';

const create = useStateStores();

const order = { id: 'escalation:a1:1', action: { kind: 'close' } } as const;

const waiting: ActiveEscalation = {
  id: 'escalation:e1',
  escalationId: 'e1',
  escalationName: 'Ops',
  version: { epoch: 1, n: 2 },
  targets: [],
  startedAt: DUE,
  rules: [],
  repeatNumber: 2,
  isStopped: false,
  awaitedOrderId: order.id,
  repeat: { waitMinutes: 10, count: 3, resetRecipientStates: true, closeAlertAfterAll: false },
};

describe('the store of escalation states', () => {
  it('stores the result of a transition: the escalation state and its pages', async () => {
    const { receiveEvents, store, messages } = await create();
    expect(await receiveEvents([batch([event(1)])], decide)).toEqual({ outcome: 'done' });
    expect((await store.find(['a1', 'other'])).get('a1')).toMatchObject({ alertVersion: 1, hasStarted: true });
    expect(await messages()).toMatchObject([{ userId: 'ada' }]);
  });

  it('keeps the details of an alert as they are, whatever their keys', async () => {
    const { receiveEvents, store, messages } = await create();
    const details = { 'a.b': '1', $set: '2', '$where.x': '3', '': '4' };
    const odd = { ...event(1), state: { ...diskFull, details } };
    expect(await receiveEvents([batch([odd])], decide)).toEqual({ outcome: 'done' });
    expect((await store.find(['a1'])).get('a1')?.alert.details).toEqual(details);
    expect(await messages()).toMatchObject([{ alert: { details } }]);
  });

  it('applies an event of a batch to the state after the previous one', async () => {
    const { receiveEvents } = await create();
    const seen: (number | undefined)[] = [];
    await receiveEvents([batch([event(1), event(2)])], (state, of) => {
      seen.push(state?.alertVersion);
      return decide(state, of);
    });
    expect(seen).toEqual([undefined, 1]);
  });

  it('stores the result of a repeated event once: of the same record, and of another record of it', async () => {
    const { receiveEvents, store, messages } = await create();
    await receiveEvents([batch([event(1), event(2)])], decide);
    const state = (await store.find(['a1'])).get('a1');
    expect(await receiveEvents([batch([event(1), event(2)])], decide)).toEqual({ outcome: 'done' });
    expect(await receiveEvents([batch([event(2), event(1), event(2)], 2)], decide)).toEqual({ outcome: 'done' });
    expect((await store.find(['a1'])).get('a1')).toEqual(state);
    expect(await messages()).toHaveLength(1);
  });

  it('writes cancels before the pages of the same event, and after all pages of earlier events', async () => {
    const { receiveEvents, messages } = await create();
    const acknowledged = { ...event(2), state: { ...diskFull, acknowledged: true } };
    const restarted = { ...event(3), state: { ...diskFull, cycle: 2 } };
    const deleted = { ...event(4), state: { ...diskFull, cycle: 2, status: 'deleted' as const } };
    const paging = (state: EscalationState | undefined, of: AlertEvent): StateChange | undefined => {
      const change = decide(state, of);
      if (change?.state === undefined || change.pages.length === 0) return change;
      return { ...change, state: { ...change.state, reached: ['ada'] } };
    };
    await receiveEvents([batch([event(1), acknowledged])], paging);
    await receiveEvents([batch([restarted, deleted], 2)], paging);
    await receiveEvents([batch([acknowledged, restarted, deleted], 4)], paging);
    expect((await messages()).map(({ kind, userId }) => `${kind} ${userId ?? 'all'}`)).toEqual([
      'page ada',
      'cancel ada',
      // The new cycle ends pages as well.
      'cancel ada',
      'page ada',
      'erase ada',
      'erase all',
    ]);
  });

  it('notifies the new owner of an alert without responders, and keeps no escalation state of it', async () => {
    const { receiveEvents, store, messages } = await create();
    const assigned: AlertEvent = {
      ...event(1),
      state: { ...diskFull, responders: [] },
      facts: [
        {
          factId: 'f1',
          kind: 'assigned',
          actor: 'ada',
          at: event(1).acceptedAt,
          responder: { type: 'user', id: 'ada' },
        },
      ],
    };
    const context = await receiveEvents([batch([assigned])], (state, of) => {
      const change = decide(state, of);
      return change && { ...change, state: undefined };
    });
    expect(context).toEqual({ outcome: 'done' });
    expect(await messages()).toHaveLength(1);
    expect((await store.find(['a1'])).size).toBe(0);
  });

  it('stores users who are to be looked up again, with the reason and the time', async () => {
    const { receiveEvents, store } = await create();
    const waits = { lookUps: [lookUp], pagedMeanwhile: [{ userId: 'ada', cancelOn: 'close' as const, at: DUE }] };
    await receiveEvents([batch([event(1)])], (state, of) => {
      const change = decide(state, of);
      return change?.state && { ...change, state: { ...change.state, ...waits } };
    });
    const kept = (await store.find(['a1'])).get('a1');
    expect(kept).toMatchObject(waits);
    expect(kept && nextDueAt(kept)).toEqual(DUE);
  });

  it('stores a repeat: its command, and the active escalation that waits for it', async () => {
    const { receiveEvents, store, commands } = await create();
    const repeating = { escalations: [waiting], orders: 1, reached: ['ada'] };
    await receiveEvents([batch([event(1)])], (state, of) => {
      const change = decide(state, of);
      if (change?.state === undefined) return undefined;
      const after = { ...change.state, ...repeating };
      return { ...change, state: after, commands: orderCommands(after, [order], DUE) };
    });
    expect(await commands()).toMatchObject([{ kind: 'close', requestId: 'escalation:a1:1', cycle: 1 }]);
    expect((await store.find(['a1'])).get('a1')).toMatchObject(repeating);
  });

  it('wakes the due work of its process when the escalation states that it writes are due', async () => {
    const { instants, receiveEvents } = await create();
    await receiveEvents([batch([event(1)])], (state, of) => {
      const change = decide(state, of);
      return change?.state && { ...change, state: { ...change.state, lookUps: [lookUp] } };
    });
    expect(instants).toEqual([lookUp.dueAt]);
  });
});
