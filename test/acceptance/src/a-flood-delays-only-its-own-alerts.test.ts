import { describe, expect, it } from '@jest/globals';
import type { Api } from './system/api.ts';
import { useSystem } from './system/system.ts';

/** Far below what any machine sends. */
const system = useSystem({ FAIR_RATE: '1' });

/** Within what a key may send at once (F6). */
const FLOOD = 150;
/** One in so many pages a user. */
const PAGES_EACH = 10;
const CALLERS = 16;

async function newKey(name: string): Promise<{ readonly id: string; readonly api: Api }> {
  const { apiKey, id } = await system.api.create<{ apiKey: string; id: string }>('/v2/integrations', {
    type: 'API',
    name,
  });
  return { id, api: system.api.as(apiKey) };
}

describe('a key that sends more alerts than the system processes', () => {
  it('is accepted and delayed, and an alert of another key that comes after its flood is settled and paged before it is done (F3)', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'zoe');
    const [noisy, quiet] = [await newKey('Flood'), await newKey('Beside a flood')];
    const alert = (message: string, ...users: readonly string[]) => ({
      message,
      entity: scenario.name('flood'),
      responders: users.map((user) => scenario.user(user)),
    });
    const statuses: number[] = [];
    await system.without('alert-processor', async () => {
      let sent = 0;
      const caller = async (): Promise<void> => {
        while (sent < FLOOD) {
          sent += 1;
          const users = sent % PAGES_EACH === 0 ? ['zoe'] : [];
          statuses.push((await noisy.api.request('POST', '/v2/alerts', alert('Flood', ...users))).status);
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      await quiet.api.expect(202, 'POST', '/v2/alerts', alert('Disk full', 'ada'));
    });
    const accepted = statuses.filter((status) => status === 202).length;
    // A request that a slow machine did not answer in time may still be accepted.
    expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([]);
    expect(accepted).toBeGreaterThan(FLOOD / 2);
    await system.mailed(scenario.address('ada'), 'Disk full');
    const { count } = await system.api.read<{ count: number }>(
      `/v2/alerts/count?query=entity%3D"${scenario.name('flood')}"`,
    );
    expect(count).toBeGreaterThan(accepted);

    // Both are read in the order in which they were inserted.
    const rows = await system
      .stored()
      .rows<{ alertId: string; integrationId: string }>('alert-processor', 'request_statuses', {});
    const settled = rows.filter(({ integrationId }) => integrationId === noisy.id || integrationId === quiet.id);
    const ofQuiet = settled.findIndex(({ integrationId }) => integrationId === quiet.id);
    expect(settled).toHaveLength(count);
    expect(ofQuiet).toBeLessThan(count / 2);
    const messages = await system.stored().rows('notifier', 'deliveries', {});
    const paged = messages.map((message) => JSON.stringify(message));
    expect(paged.findIndex((message) => message.includes(settled[ofQuiet]?.alertId ?? 'none'))).toBeLessThan(
      paged.length / 2,
    );
    for (let page = 1; page < paged.length; page += 1)
      await system.mailbox.received(scenario.address('zoe'), 'Flood', { timeoutMs: 0 });
  });
});
