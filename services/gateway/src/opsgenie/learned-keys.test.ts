import { describe, expect, it } from '@jest/globals';
import { LearnedKeys } from './learned-keys.ts';
import { reportChangedKeys } from './learned-keys-task.ts';

const at = (minute: number): Date => new Date(Date.UTC(2027, 0, 25, 9, minute));
const accepted = (sha256: string, minute = 0, requestId?: string) => ({
  sha256,
  at: at(minute),
  operation: 'create-alert',
  requestId,
});

/** Reports what `learned` has, and resolves with what was sent and how many keys are not imported. */
async function report(learned: LearnedKeys, { imported = [] as string[], status = 200 } = {}) {
  const sent: unknown[] = [];
  let notImported = -1;
  await reportChangedKeys({
    learned,
    source: 'gateway-1',
    keys: { held: (sha256) => (imported.includes(sha256) ? ({} as never) : undefined) },
    metrics: { opsgenieKeysNotImported: (keys) => (notImported = keys) },
    alertIngest: {
      post: (_, body) => {
        sent.push(...(body as { readonly keys: readonly unknown[] }).keys);
        return Promise.resolve({ status, body: {} });
      },
    },
  });
  return { sent, notImported };
}

describe('the keys that a gateway learns (M9)', () => {
  it('are reported with first and last use, their number and the last request about an alert, once', async () => {
    const learned = new LearnedKeys();
    learned.add(accepted('a', 0, 'first'));
    learned.add(accepted('a', 5));
    learned.add(accepted('b', 1));
    const { notImported, sent } = await report(learned, { imported: ['b'] });
    expect(sent).toEqual([
      { sha256: 'a', firstAt: at(0), lastAt: at(5), requests: 2, operation: 'create-alert', requestId: 'first' },
      { sha256: 'b', firstAt: at(1), lastAt: at(1), requests: 1, operation: 'create-alert' },
    ]);
    expect(notImported).toBe(1);
    expect((await report(learned)).sent).toEqual([]);
    learned.add(accepted('b', 2));
    expect((await report(learned)).sent).toMatchObject([{ sha256: 'b', requests: 2 }]);
  });

  it('are part of the next report where one is refused', async () => {
    const learned = new LearnedKeys();
    learned.add(accepted('a'));
    await expect(report(learned, { status: 503 })).rejects.toThrow('503');
    expect((await report(learned)).sent).toMatchObject([{ sha256: 'a' }]);
  });

  it('are those used last, up to a bound', async () => {
    const learned = new LearnedKeys(2);
    for (const key of ['a', 'b', 'a', 'c']) learned.add(accepted(key));
    expect(learned.hashes()).toEqual(['a', 'c']);
    expect((await report(learned)).sent).toHaveLength(2);
  });

  it('are those that Opsgenie accepts now', () => {
    const learned = new LearnedKeys();
    learned.add(accepted('a'));
    learned.refuse('a');
    learned.refuse('never seen');
    expect([learned.has('a'), learned.hashes()]).toEqual([false, []]);
    learned.add(accepted('a'));
    expect([learned.has('a'), learned.hashes()]).toEqual([true, ['a']]);
  });
});
