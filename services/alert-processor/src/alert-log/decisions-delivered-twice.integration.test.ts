import { describe, expect, it } from '@jest/globals';
import { Decision, Decisions } from '@tocsin/events';
import { StagedProcessor } from '@tocsin/kafka';
import { idempotentWrites } from '@tocsin/mongo';
import { setUp } from '../testing/component-fixture.ts';
import { create } from '../testing/commands-samples.ts';
import { decisionsIntoLogs } from './consumer.ts';

describe('a decision that is delivered twice', () => {
  it.each(Decision.shape.stage.options)('of stage %s is in the log of its alert once', async (stage) => {
    const { store, apply } = await setUp();
    const command = create('disk');
    const { alertId } = command.alert;
    await apply(command);
    const processor = new StagedProcessor(decisionsIntoLogs(store.decisionLog), idempotentWrites);
    const value: Decision = {
      decisionId: `${stage}:1`,
      alertId,
      stage,
      at: '2026-01-05T08:00:00.000Z',
      findings: [
        { subject: 'page', outcome: 'paged', text: 'Paged Ada', facts: { userId: 'ada', username: 'ada' } },
        { subject: 'delivery', outcome: 'sent', text: 'Sent', facts: { userId: 'ada', method: 'email' } },
      ],
    };
    const give = (offset: number) =>
      processor.process([
        {
          topic: Decisions.name,
          partition: 0,
          clusterId: 'c',
          records: [{ offset, key: alertId, timestampMs: 0, value }],
        },
      ]);
    const kept = () => store.alerts.logs({ alertId, order: 'asc', after: undefined, limit: 100 });
    await give(0);
    const once = await kept();
    expect(once).toHaveLength(3);
    await give(0);
    await give(1);
    expect(await kept()).toEqual(once);
  });
});
