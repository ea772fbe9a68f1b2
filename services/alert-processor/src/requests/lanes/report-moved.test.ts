import { describe, expect, it } from '@jest/globals';
import { create } from '../../testing/commands-samples.ts';
import { reportMoved } from './report-moved.ts';

describe('a command that is moved to the bulk topic', () => {
  it('is counted by its reason, and the log names its integration once a minute', () => {
    let nowMs = 0;
    const counted: string[] = [];
    const logged: unknown[] = [];
    const report = reportMoved({
      metrics: { commandDelayed: (reason) => counted.push(reason) },
      logger: { warn: (fields: unknown) => logged.push(fields) },
      nowMs: () => nowMs,
    });
    const command = create('disk', { integration: { id: 'i', name: 'Flood', type: 'API' } });
    for (const reason of ['order', 'rate', 'rate'] as const) report(command, reason);
    nowMs = 60_000;
    report(command, 'rate');
    expect(counted).toEqual(['order', 'rate', 'rate', 'rate']);
    const line = { integrationId: 'i', integration: 'Flood' };
    expect(logged).toEqual([line, line]);
  });
});
