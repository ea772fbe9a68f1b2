import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Changes } from '@tocsin/api';
import { HintBatches, PendingHints } from './hints.ts';

const many = (count: number) => Array.from({ length: count }, (_, n) => `alert-${n}`);

describe('hints that wait for the next batch (L1)', () => {
  it('name each entity once, with its last version', () => {
    const pending = new PendingHints();
    pending.add('alerts', 'a', '1');
    pending.add('alerts', 'b', '1');
    pending.add('alerts', 'a', '2');
    pending.add('users', 'a', '7.1');
    expect(pending.take()).toEqual({
      alerts: [
        { id: 'a', version: '2' },
        { id: 'b', version: '1' },
      ],
      users: [{ id: 'a', version: '7.1' }],
    });
    expect([pending.isEmpty, pending.take()]).toEqual([true, {}]);
  });

  it('say `many` of a kind beyond 50 entities, until they are taken, whatever more changes', () => {
    const pending = new PendingHints();
    for (const id of many(50)) pending.add('alerts', id, '1');
    expect(pending.isFull('alerts')).toBe(false);
    for (const id of many(10_000)) pending.add('alerts', id, '2');
    pending.add('teams', 'ops', '1.1');
    expect([pending.isFull('alerts'), pending.isFull('teams')]).toEqual([true, false]);
    expect(pending.take()).toEqual({ alerts: 'many', teams: [{ id: 'ops', version: '1.1' }] });
    pending.add('alerts', 'a', '3');
    expect(pending.take()).toEqual({ alerts: [{ id: 'a', version: '3' }] });
  });
});

describe('the batches of hints', () => {
  let sent: Changes[];
  let release: () => void;
  let sending: Promise<void>;
  let batches: HintBatches;

  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    sending = Promise.resolve();
    release = () => undefined;
    batches = new HintBatches({
      send: (changes) => {
        sent.push(changes);
        return sending;
      },
    });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('are at most two a second, the first at once, and none without a hint', async () => {
    for (let n = 0; n < 100; n += 1) {
      batches.add('alerts', 'a', String(n));
      await jest.advanceTimersByTimeAsync(20);
    }
    expect(sent.map(({ alerts }) => (alerts === 'many' ? alerts : alerts?.[0]?.version))).toEqual([
      '0',
      '24',
      '49',
      '74',
      '99',
    ]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(5);
  });

  it('wait until the batch before is sent, and then have all hints that came meanwhile', async () => {
    sending = new Promise((resolve) => {
      release = resolve;
    });
    batches.add('alerts', 'a', '1');
    await jest.advanceTimersByTimeAsync(0);
    for (const id of many(100)) batches.add('alerts', id, '1');
    await jest.advanceTimersByTimeAsync(5_000);
    expect(sent).toHaveLength(1);
    release();
    await jest.advanceTimersByTimeAsync(500);
    expect(sent.slice(1)).toEqual([{ alerts: 'many' }]);
  });

  it('leave out what was pending before a clear', async () => {
    batches.add('alerts', 'a', '1');
    batches.clear();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(sent).toEqual([]);
  });
});
