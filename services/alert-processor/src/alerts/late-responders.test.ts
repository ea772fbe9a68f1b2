import { describe, expect, it } from '@jest/globals';
import { acknowledge, byAlias, close, create, order } from '../testing/commands-samples.ts';
import { after, EMPTY, CONTEXT, only, apply } from '../testing/apply-samples.ts';
import { nextDueAt } from './due.ts';
import type { CommandContext, StoredState } from './apply-commands.ts';
import { applyDueActions } from './apply-due.ts';

/** Does the due work `seconds` after the alert was created. */
const elapsed = ({ alerts }: StoredState, seconds: number, context = CONTEXT) => {
  const at = new Date(Date.parse('2026-01-05T08:00:00.000Z') + seconds * 1_000);
  return { ...applyDueActions(alerts, { ...context, until: at, processedAt: at }), statuses: [] };
};

describe('responders whose owner did not answer', () => {
  const unavailable: CommandContext = { ...CONTEXT, resolve: () => ({ kind: 'unreachable' }) };
  const command = create('disk', { alert: { responders: [{ type: 'team', name: 'Ops' }] } });

  it('do not keep the alert from being processed, and are looked up again 2 s later', () => {
    const changes = apply([command], EMPTY, unavailable);
    expect(only(changes.inserted)).toMatchObject({ responders: [], unresolved: { attempt: 1 } });
    expect(nextDueAt(only(changes.inserted))).toEqual(new Date('2026-01-05T08:00:02.000Z'));
  });

  it('join when they are found, and the flow starts again with them', () => {
    const stored = after(EMPTY, apply([command], EMPTY, unavailable));
    const changes = elapsed(stored, 2);
    expect(only(changes.updated)).toMatchObject({
      responders: [{ type: 'team', id: 'id-of-Ops' }],
      unresolved: undefined,
      cycle: 2,
      flowStartedAt: new Date('2026-01-05T08:00:02.000Z'),
    });
    expect(only(changes.events)).toMatchObject({ version: 2, state: { cycle: 2 }, facts: [] });
  });

  it('join an acknowledged alert without a page', () => {
    const stored = after(EMPTY, apply([command, acknowledge(byAlias('disk'))], EMPTY, unavailable));
    expect(only(elapsed(stored, 2).updated)).toMatchObject({ cycle: 1, acknowledged: true });
  });

  it('are not added to an acknowledged alert, whose flow would never page them: the command fails and says so', () => {
    const stored = after(EMPTY, apply([create('disk'), acknowledge(byAlias('disk'))], EMPTY));
    const responder = { type: 'team', name: 'Ops' } as const;
    const changes = apply([order(byAlias('disk'), { kind: 'add-responder', responder })], stored, unavailable);
    expect(changes.updated).toEqual([]);
    expect(only(changes.statuses)).toMatchObject({
      success: false,
      status: 'Could not be looked up, please try again: team [Ops]',
    });
  });

  it('are added to an acknowledged alert that is snoozed: the end of the snooze pages them', () => {
    const snooze = order(byAlias('disk'), { kind: 'snooze', endTime: '2026-01-05T09:00:00.000Z' });
    const stored = after(EMPTY, apply([create('disk'), acknowledge(byAlias('disk')), snooze], EMPTY));
    const responder = { type: 'team', name: 'Ops' } as const;
    const changes = apply([order(byAlias('disk'), { kind: 'add-responder', responder })], stored, unavailable);
    expect(only(changes.updated)).toMatchObject({ unresolved: { responders: [responder] } });
  });

  it.each([
    ['another team', 'blue', []],
    ['the same team', 'red', [{ type: 'schedule', id: 'days' }]],
    ['no team', undefined, [{ type: 'schedule', id: 'days' }]],
  ])('of team Red, added by a key of %s, join only if that key may name them (K9)', (_, ownerTeamId, joined) => {
    const integration = { id: 'i', name: 'Key', type: 'API', ...(ownerTeamId !== undefined && { ownerTeamId }) };
    const made = create('disk', { integration });
    const responder = { type: 'schedule', name: 'Days' } as const;
    const added = order(byAlias('disk'), { kind: 'add-responder', responder }, { integration });
    const unsettled = after(EMPTY, apply([made, added], EMPTY, unavailable));
    // Their owner is still unavailable at the first try again.
    const stored = after(unsettled, elapsed(unsettled, 2, unavailable));
    const days = { kind: 'known', id: 'days', name: 'Days', ownerTeamId: 'red' } as const;
    const changes = elapsed(stored, 6, { ...CONTEXT, resolve: () => days });
    expect(only(changes.updated)).toMatchObject({ responders: joined, unresolved: undefined });
    const left = joined.length === 0 ? ['Unknown responders, left out: schedule [Days]'] : [];
    expect(changes.logs.map(({ log }) => log).filter((log) => log.startsWith('Unknown'))).toEqual(left);
  });

  it('are looked up again after ever longer delays while their owner does not answer', () => {
    const stored = after(EMPTY, apply([command], EMPTY, unavailable));
    const changes = elapsed(stored, 2, unavailable);
    expect(nextDueAt(only(changes.updated))).toEqual(new Date('2026-01-05T08:00:06.000Z'));
    expect(only(changes.updated)).toMatchObject({ unresolved: { attempt: 2 }, cycle: 1 });
  });

  it('count towards the 50 responders of an alert, however long their owner does not answer', () => {
    const added = Array.from({ length: 51 }, (_, at) =>
      order(byAlias('disk'), { kind: 'add-responder', responder: { type: 'team', name: `T${at}` } }),
    );
    const changes = apply([create('disk'), ...added], EMPTY, unavailable);
    expect(only(changes.inserted).unresolved?.responders).toHaveLength(50);
    expect(changes.statuses.map(({ success }) => success).indexOf(false)).toBe(51);
  });

  it('are not looked up before it is time, nor on a closed alert', () => {
    const stored = after(EMPTY, apply([command], EMPTY, unavailable));
    expect(elapsed(stored, 1.9).updated).toHaveLength(0);
    const shut = after(stored, apply([close(byAlias('disk'))], stored));
    expect(elapsed(shut, 60).updated).toHaveLength(0);
  });
});
