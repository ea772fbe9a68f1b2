import { describe, expect, it } from '@jest/globals';
import { failedStatus } from '../domain/request-status.ts';
import { byAlias, close } from '../testing/commands-samples.ts';
import { tellSettled } from './tell-settled.ts';

describe('a command that settled', () => {
  it('is measured from its acceptance, and logged with its request and alert', () => {
    const measured: unknown[] = [];
    const logged: unknown[] = [];
    const tell = tellSettled({
      metrics: { stage: (stage, seconds) => measured.push({ stage, seconds }) },
      logger: { debug: (fields: unknown) => logged.push(fields) },
    });
    const command = close(byAlias('disk'));
    tell(failedStatus(command, 'too odd', new Date(0)), 0.25);
    expect(measured).toEqual([{ stage: 'processed', seconds: 0.25 }]);
    expect(logged).toMatchObject([{ requestId: command.requestId, alertId: '', success: false }]);
  });
});
