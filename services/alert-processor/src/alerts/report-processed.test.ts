import { describe, expect, it } from '@jest/globals';
import { failedStatus } from '../requests/request-status.ts';
import { byAlias, close } from '../testing/commands-samples.ts';
import { reportProcessed } from './consumer.ts';

describe('a command that was processed', () => {
  it('is measured from its acceptance, and logged with its request and alert', () => {
    const measured: unknown[] = [];
    const logged: unknown[] = [];
    const report = reportProcessed({
      metrics: { stage: (stage, seconds) => measured.push({ stage, seconds }) },
      logger: { debug: (fields: unknown) => logged.push(fields) },
    });
    const command = close(byAlias('disk'));
    report(failedStatus(command, 'too odd', new Date(0)), 0.25);
    expect(measured).toEqual([{ stage: 'processed', seconds: 0.25 }]);
    expect(logged).toMatchObject([{ requestId: command.requestId, alertId: '', success: false }]);
  });
});
