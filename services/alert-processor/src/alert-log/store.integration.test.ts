import { describe, expect, it } from '@jest/globals';
import { addNote, byAlias, create } from '../testing/commands-samples.ts';
import { decisionEntries } from './consumer.ts';
import type { LogEntry } from './entry.ts';
import { useStorage } from '../testing/mongo-fixture.ts';

/** Two entries of one decision. */
const routedAt = (alertId: string, decisionId: string, second: number): readonly LogEntry[] =>
  decisionEntries({
    decisionId,
    alertId,
    stage: 'route',
    at: new Date(Date.UTC(2026, 0, 5, 8, 0, second)).toISOString(),
    findings: [
      { subject: 'routing-rule', outcome: 'matched', text: 'Default rule matched' },
      {
        subject: 'on-call',
        outcome: 'no-recipient',
        text: 'No user is on call',
        facts: { 'schedule.id': 's1', layers: [] },
      },
    ],
  });

const open = useStorage();
describe('the log of decisions', () => {
  it('keeps a decision in the log of its alert once, however often and with whatever others it comes', async () => {
    const { decisionLog, reader, apply } = await open();
    const command = create('disk');
    const { alertId } = command.alert;
    const [routed, paged] = [routedAt(alertId, 'route:1', 0), routedAt(alertId, 'route:2', 1)];
    await decisionLog.append(paged);
    await apply(command);
    await decisionLog.append([...routed, ...paged, ...routed]);
    await decisionLog.append([...paged, ...routed]);
    const logs = await reader.logs({ alertId, order: 'asc', after: undefined, limit: 10 });
    expect(logs.slice(1)).toEqual([...routed, ...paged]);
  });

  it('pages the log from any entry, both ways and in any size, also from within a decision', async () => {
    const { decisionLog, reader, apply } = await open();
    const command = create('disk', { alert: { responders: [{ type: 'user', id: 'unavailable' }] } });
    const { alertId } = command.alert;
    const others = create('fan');
    await apply(command, others, addNote(byAlias('disk'), 'n'));
    const decisions = [0, 0, 1, 2].flatMap((second, n) => routedAt(alertId, `route:${String(n)}`, second));
    await decisionLog.append([...decisions, ...routedAt(others.alert.alertId, 'route:other', 0)]);
    const whole = await reader.logs({ alertId, order: 'asc', after: undefined, limit: 100 });
    expect(whole).toHaveLength(3 + decisions.length);
    for (const [index, { position: after }] of whole.entries())
      for (const limit of [1, 2, 3, 100]) {
        const up = await reader.logs({ alertId, order: 'asc', after, limit });
        expect(up).toEqual(whole.slice(index + 1, index + 1 + limit));
        const down = await reader.logs({ alertId, order: 'desc', after, limit });
        expect(down).toEqual(whole.slice(0, index).toReversed().slice(0, limit));
      }
  });
});
