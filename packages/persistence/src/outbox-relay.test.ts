import { describe, expect, it } from '@jest/globals';
import { defineTopic } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import fc from 'fast-check';
import { z } from 'zod';
import { OutboxRelay } from './outbox-relay.ts';
import type { OutboxEntry, RelayedRows, RelayPublisher } from './relay-ports.ts';

interface Fact {
  readonly key: string;
  /** Counts the transactions that wrote what the key stands for: they conflict, so one begins after the other. */
  readonly version: number;
}

/** Rows whose every step waits for its turn: between being asked, looking and answering anything may happen. */
class MemoryRows implements RelayedRows<number> {
  readonly #scheduler: fc.Scheduler;
  readonly #committed = new Map<number, Fact>();
  #lastSeq = 0;

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler;
  }

  async turn(step: string): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), step);
  }

  add(): number {
    this.#lastSeq += 1;
    return this.#lastSeq;
  }

  commit(seq: number, fact: Fact): void {
    this.#committed.set(seq, fact);
  }

  async waiting(_: unknown, whose: string, limit: number): Promise<readonly OutboxEntry<number>[]> {
    if (whose === 'abandoned') return [];
    await this.turn('the look is asked for');
    const seen = [...this.#committed].toSorted(([a], [b]) => a - b).slice(0, limit);
    await this.turn('the look is answered');
    return seen.map(([id, fact]) => ({ id, messages: [fact], ageMs: 0 }));
  }

  published(entries: readonly OutboxEntry<number>[]): void {
    for (const { id } of entries) this.#committed.delete(id);
  }

  refuse(): Promise<void> {
    return Promise.reject(new Error('Nothing is refused here.'));
  }
}

function relayOf(rows: RelayedRows<number>, publisher: RelayPublisher): OutboxRelay<number> {
  const relay = new OutboxRelay<number>({
    topic: defineTopic({ name: 'facts.v1', kind: 'events', schema: z.unknown(), key: () => 'k' }),
    rows,
    publisher,
    sweepEveryMs: 1_000_000,
    onAge: () => undefined,
    logger: { warn: () => undefined, error: () => undefined },
  });
  relay.start();
  return relay;
}

type Fate = 'taken' | 'refused' | 'taken, but said to be refused';

interface Case {
  readonly log: Fact[];
  readonly fates: readonly Fate[];
  readonly transactions: number;
  readonly keys: number;
  readonly sweeps: number;
}

/** All that a process commits and hears of, in an order that the scheduler chooses. What its relay does may last longer. */
async function live(
  scheduler: fc.Scheduler,
  { log, fates, transactions, keys, sweeps }: Case,
): Promise<OutboxRelay<number>> {
  const rows = new MemoryRows(scheduler);
  const left = [...fates];
  const publisher: RelayPublisher = {
    publish: async (_, messages) => {
      await rows.turn('messages are sent');
      const fate = left.shift() ?? 'taken';
      if (fate !== 'refused') log.push(...(messages as readonly unknown[] as readonly Fact[]));
      await rows.turn('the brokers answer');
      if (fate !== 'taken') throw new UnavailableError('Kafka is away.');
    },
  };
  const relay = relayOf(rows, publisher);
  const ringing: Promise<void>[] = [];
  const writer = async (key: string): Promise<void> => {
    for (let version = 1; version <= transactions; version += 1) {
      const seq = rows.add();
      await rows.turn(`${key} commits ${version}`);
      rows.commit(seq, { key, version });
      // The next transaction may begin before this process has heard of the commit.
      ringing.push(
        rows.turn(`${key} hears of ${version}`).then(() => {
          relay.wake();
        }),
      );
    }
  };
  const sweeper = async (): Promise<void> => {
    for (let swept = 0; swept < sweeps; swept += 1) {
      await rows.turn('a sweep is due');
      relay.wake();
      await relay.drained();
    }
  };
  await Promise.all([...Array.from({ length: keys }, (_, index) => writer(`key ${index}`)), sweeper()]);
  await Promise.all(ringing);
  return relay;
}

const versions = (log: readonly Fact[], key: string): readonly number[] =>
  log.filter((fact) => fact.key === key).map(({ version }) => version);
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

const size = { transactions: fc.integer({ min: 1, max: 12 }), keys: fc.integer({ min: 1, max: 4 }) };

describe('An outbox relay, however commits, looks and publications interleave,', () => {
  it('publishes every committed message once and each key in the order of its commits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.record({ ...size, sweeps: fc.nat(3) }), async (scheduler, sizes) => {
        const log: Fact[] = [];
        const relay = await scheduler.waitFor(live(scheduler, { ...sizes, log, fates: [] }));
        // Nobody has to call `drained`: every `wake` leads to a read.
        await scheduler.waitIdle();
        await relay.stop();
        expect(log).toHaveLength(sizes.keys * sizes.transactions);
        for (let key = 0; key < sizes.keys; key += 1)
          expect(versions(log, `key ${key}`)).toEqual(upTo(sizes.transactions));
      }),
    );
  });

  it('loses nothing when publications fail, overtakes nothing, and ends each key with its newest', async () => {
    const fate = fc.constantFrom<Fate>('taken', 'refused', 'taken, but said to be refused');
    const cases = fc.record({ ...size, sweeps: fc.nat(6), fates: fc.array(fate, { maxLength: 8 }) });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), cases, async (scheduler, sizes) => {
        const log: Fact[] = [];
        const relay = await scheduler.waitFor(live(scheduler, { ...sizes, log }));
        for (let tries = 0; tries <= sizes.fates.length; tries += 1) await scheduler.waitFor(relay.drained());
        await relay.stop();
        for (let key = 0; key < sizes.keys; key += 1) {
          const seen = versions(log, `key ${key}`);
          expect([...new Set(seen)]).toEqual(upTo(sizes.transactions));
          expect(seen.at(-1)).toBe(sizes.transactions);
        }
      }),
    );
  });

  it('publishes the rows of a wake-up that comes in any step, also in the last one', async () => {
    for (let step = 0; step < 40; step += 1) {
      const waiting = [1];
      const log: unknown[] = [];
      const rows: RelayedRows<number> = {
        waiting: (_, whose) =>
          Promise.resolve(whose === 'own' ? waiting.map((id) => ({ id, messages: [id], ageMs: 0 })) : []),
        published: (entries) => waiting.splice(0, entries.length),
        refuse: () => Promise.resolve(),
      };
      const relay = relayOf(rows, { publish: (_, messages) => Promise.resolve(void log.push(...messages)) });
      relay.wake();
      for (let left = step; left > 0; left -= 1) await Promise.resolve();
      waiting.push(2);
      relay.wake();
      await new Promise(setImmediate);
      expect(log).toEqual([1, 2]);
      await relay.stop();
    }
  });
});

describe('An outbox relay whose Kafka is slow', () => {
  it('sends less together after each failure, until Kafka takes it in time', async () => {
    const waiting = Array.from({ length: 40 }, (_, index) => index);
    const log: unknown[] = [];
    const rows: RelayedRows<number> = {
      waiting: (_, whose, limit) =>
        Promise.resolve(whose === 'own' ? waiting.slice(0, limit).map((id) => ({ id, messages: [id], ageMs: 0 })) : []),
      published: (entries) => waiting.splice(0, entries.length),
      refuse: () => Promise.resolve(),
    };
    const publish = (_: unknown, messages: readonly unknown[]): Promise<void> =>
      messages.length > 3
        ? Promise.reject(new UnavailableError('Kafka did not take the message in time.'))
        : Promise.resolve(void log.push(...messages));
    const relay = relayOf(rows, { publish });
    for (let sweeps = 0; sweeps < 30 && waiting.length > 0; sweeps += 1) {
      relay.wake();
      await relay.drained();
      await relay.stop();
      relay.start();
    }
    await relay.stop();
    expect(log).toEqual(Array.from({ length: 40 }, (_, index) => index));
  });
});

describe('An outbox relay with a message that has no key', () => {
  it.each(['throws', 'returns none'])('puts it aside where its key %s, and publishes the others', async (how) => {
    const waiting = ['one', 'keyless', 'two'];
    const log: unknown[] = [];
    const aside: unknown[] = [];
    const refused: string[] = [];
    const relay = new OutboxRelay<string>({
      topic: defineTopic({
        name: 'facts.v1',
        kind: 'events',
        schema: z.unknown(),
        key: (message) => {
          if (message !== 'keyless') return String(message);
          if (how === 'throws') throw new TypeError('Cannot read properties of undefined');
          return undefined as unknown as string;
        },
      }),
      rows: {
        waiting: (_, whose) =>
          Promise.resolve(whose === 'own' ? waiting.map((id) => ({ id, messages: [id], ageMs: 0 })) : []),
        published: (entries) => waiting.splice(0, entries.length),
        refuse: (_, message) => Promise.resolve(void aside.push(message)),
      },
      publisher: {
        publish: (topic, messages) => {
          for (const message of messages) Buffer.byteLength(topic.key(message));
          return Promise.resolve(void log.push(...messages));
        },
      },
      metrics: { refused: (topic) => void refused.push(topic) },
      sweepEveryMs: 1_000_000,
      onAge: () => undefined,
      logger: { warn: () => undefined, error: () => undefined },
    });
    relay.wake();
    await relay.drained();
    expect(log).toEqual(['one', 'two']);
    expect(aside).toEqual(['keyless']);
    expect(refused).toEqual(['facts.v1']);
    expect(waiting).toEqual([]);
  });
});

describe('An outbox relay that takes over many rows', () => {
  it('leaves them to others when it is stopped', async () => {
    let published = 0;
    const rows: RelayedRows<number> = {
      waiting: (_, whose, limit) =>
        Promise.resolve(
          Array.from({ length: whose === 'own' ? 0 : limit }, (_row, id) => ({ id, messages: [id], ageMs: 0 })),
        ),
      published: () => undefined,
      refuse: () => Promise.resolve(),
    };
    const publish = async (): Promise<void> => {
      published += 1;
      if (published === 100) throw new UnavailableError('It should have ended.');
      await new Promise(setImmediate);
    };
    const relay = relayOf(rows, { publish });
    await new Promise(setImmediate);
    await relay.stop();
    expect(published).toBeGreaterThan(0);
    expect(published).toBeLessThan(10);
  });
});
