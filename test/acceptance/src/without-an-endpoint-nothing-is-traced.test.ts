import { describe, expect, it } from '@jest/globals';
import { useSharedSystem } from './system/system.ts';

const system = useSharedSystem();
const TRACE = 'e'.repeat(32);

describe('without an endpoint for traces', () => {
  it('a caller who asks for a trace leaves none of it in any row or record', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    const responders = [{ type: 'user', username: scenario.address('ada') }];
    const api = system.api.with({ traceparent: `00-${TRACE}-${'f'.repeat(16)}-01` });
    await api.expect(202, 'POST', '/v2/alerts', { message: 'No collector listens', responders });
    await system.mailed(scenario.address('ada'), 'No collector listens');
    expect(await system.stored().wordsOf(TRACE)).toEqual({});
    const records = await system.published().ofAlerts();
    const ofIt = records.filter(({ value }) => String(value).includes('No collector listens'));
    expect(ofIt.length).toBeGreaterThanOrEqual(3);
    for (const { headers, value } of ofIt) {
      expect(headers).not.toHaveProperty('traceparent');
      expect(String(value)).not.toContain('"trace"');
    }
  });
});
