import { describe, expect, it } from '@jest/globals';
import { create } from '../testing/commands-samples.ts';
import { decisionEntries } from '../domain/decision-entries.ts';
import type { OpenStorage } from '../testing/open-storage.ts';

/** What every log of decisions promises. */
export function describeDecisionLog(name: string, open: () => Promise<OpenStorage>): void {
  describe(`${name} as a log of decisions`, () => {
    it('keeps a decision in the log of its alert once, however often it is written, and with what of it was missing', async () => {
      const { decisionLog, reader, settle } = await open();
      const command = create('disk');
      const entries = decisionEntries({
        decisionId: 'route:1',
        alertId: command.alert.alertId,
        stage: 'route',
        at: '2026-01-05T08:00:00.000Z',
        verdicts: [
          { subject: 'routing-rule', outcome: 'matched', text: 'Default rule matched' },
          {
            subject: 'on-call',
            outcome: 'nobody',
            text: 'Nobody is on call',
            facts: { 'schedule.id': 's1', layers: [] },
          },
        ],
      });
      await decisionLog.append(entries.slice(1));
      await settle(command);
      await decisionLog.append(entries);
      await decisionLog.append(entries);
      const logs = await reader.logs({ alertId: command.alert.alertId, order: 'asc', after: undefined, limit: 10 });
      expect(logs.slice(1)).toEqual(entries);
    });
  });
}
