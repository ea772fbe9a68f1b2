import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem({ AUDIT_RESPONDERS: 'user:ada@w1.example.com' });

const ALARM = `/v2/alerts/${encodeURIComponent('tocsin-audit:alerts')}?identifierType=alias`;
const INSTANCE = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('a command that was answered 202 and is not on Kafka', () => {
  it('opens one P1 alert that says so, and pages whom the settings name', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    expect(scenario.address('ada')).toBe('ada@w1.example.com');
    // As if a process had accepted five commands that its broker did not write.
    const at = system.clock.now();
    const sequence = {
      partition: 0,
      through: 5,
      unacknowledged: [],
      due: 0,
      watched: { through: 5, at },
      advancedAt: at,
    };
    const report = { _id: INSTANCE, reportedAt: at, revision: 1, sequences: [sequence] };
    await system.stored().put('alert-processor', 'sequence_reports', report);
    await eventually(
      async () => {
        await system.pass(0.5);
        const { body, status } = await system.api.request('GET', ALARM);
        expect(status).toBe(200);
        expect(body['data']).toMatchObject({
          priority: 'P1',
          count: 1,
          source: 'alert-processor',
          tags: ['tocsin-audit'],
          description: `5 commands that were answered 202 more than 30 s ago are not settled: partition 0 stands still, or the last of ${INSTANCE} are lost.`,
        });
      },
      { everyMs: 1_000 },
    );
    await system.mailed('ada@w1.example.com', /accepted alerts are not settled \(1\)/);
  });
});
