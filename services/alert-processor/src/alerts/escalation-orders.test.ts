import { describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/events';
import { ACCEPTED_AT, acknowledge, byAlias, close, create, resetRecipientStates } from '../testing/commands-samples.ts';
import { applyCommands, type Changes } from './apply-commands.ts';

const LATER = '2026-01-05T09:00:00.000Z';
const LATEST = '2026-01-05T10:00:00.000Z';

/** The changes of `commands` on an empty installation, where the alert `disk` is created first. */
function apply(...commands: readonly AlertCommand[]): Changes {
  return applyCommands(
    [disk, ...commands],
    { processed: new Set(), alerts: [] },
    {
      resolve: ({ id = '' }) => ({ kind: 'known', id, name: '' }),
      firstTinyId: 1,
      processedAt: new Date(ACCEPTED_AT),
    },
  );
}

const disk = create('disk', { alert: { responders: [{ type: 'escalation', id: 'e1' }] } });
const { alertId } = disk.alert;
const acked = acknowledge(byAlias('disk'), { at: LATER, actor: 'ada' });

describe('an escalation that repeats (S9)', () => {
  it('makes the alert unacknowledged and unseen, in the same cycle, and logs it', () => {
    const reset = resetRecipientStates(alertId, 1, { at: LATEST });
    const { events, inserted, logs, statuses } = apply(acked, reset);
    expect(inserted).toMatchObject([{ acknowledged: false, seen: false, cycle: 1, owner: 'ada', version: 3 }]);
    expect(events.at(-1)).toMatchObject({
      state: { acknowledged: false, cycle: 1 },
      facts: [{ kind: 'reset', factId: reset.requestId }],
    });
    expect(logs.at(-1)).toMatchObject({
      log: 'The escalation repeats: the acknowledgement is undone',
      owner: 'System',
    });
    expect(statuses.at(-1)).toMatchObject({ success: true, status: 'Reset recipient states' });
  });

  it('publishes a fact even if there is nothing to undo: the repetition waits for it', () => {
    const { events, logs } = apply(resetRecipientStates(alertId, 1));
    expect(events.at(-1)).toMatchObject({ facts: [{ kind: 'reset' }] });
    expect(logs.at(-1)?.log).toContain('no acknowledgement');
  });

  it('keeps an acknowledgement that was accepted after the repetition was due', () => {
    const { events, inserted } = apply(acked, resetRecipientStates(alertId, 1, { at: ACCEPTED_AT }));
    expect(inserted).toMatchObject([{ acknowledged: true, seen: true }]);
    expect(events.at(-1)).toMatchObject({ facts: [{ kind: 'reset' }] });
  });

  it('undoes once, however often the order comes', () => {
    const reset = resetRecipientStates(alertId, 1, { at: LATEST });
    expect(apply(acked, reset, reset).events).toHaveLength(3);
  });

  it.each([
    ['another cycle', resetRecipientStates(alertId, 2)],
    ['another cycle, a close', close({ type: 'id', value: alertId }, { cycle: 2 })],
  ])('ignores a command of %s', (_, order) => {
    const { events, inserted, statuses } = apply(acked, order);
    expect(inserted).toMatchObject([{ status: 'open', acknowledged: true }]);
    expect(events).toHaveLength(2);
    expect(statuses.at(-1)).toMatchObject({ success: true, status: 'Order is out of date' });
  });

  it('does not change a closed alert', () => {
    const { events, inserted } = apply(close(byAlias('disk')), resetRecipientStates(alertId, 1));
    expect(inserted).toMatchObject([{ status: 'closed' }]);
    expect(events).toHaveLength(2);
  });

  it('closes an acknowledged alert of its cycle', () => {
    const { inserted } = apply(acked, close({ type: 'id', value: alertId }, { cycle: 1 }));
    expect(inserted).toMatchObject([{ status: 'closed', acknowledged: true }]);
  });
});
