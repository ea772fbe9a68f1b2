import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { defineTopic, type TopicDefinition } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { eventually } from '@tocsin/testkit';
import fc from 'fast-check';
import { z } from 'zod';
import { OutboxRelay } from './outbox-relay.ts';
import { OutboxRenewal } from './outbox-renewal.ts';
import type { OutboxEntry, RelayedRows, RelayPublisher } from './relay-ports.ts';

interface Fact {
  readonly key: string;
  /** Counts the transactions that wrote what the key stands for: they conflict, so one begins after the other. */
  readonly version: number;
}

interface Row extends OutboxEntry {
  readonly id: number;
}

const rowOf = (id: number, message: unknown = id, version = 1): Row => ({ id, messages: [message], version, ageMs: 0 });

/** The methods of rows that no test of a relay needs. */
const NO_EFFECTS = {
  isFullLookDue: false,
  removePublished: () => Promise.resolve(),
  restartLooks: () => undefined,
  refuse: () => Promise.resolve(),
};

/** A lease that this process always gets, or one that the test takes away. */
class OneLease {
  isFree = true;
  isHeld = false;
  released = 0;
  /** How the last call of `take` asked. */
  onlyIfFree = false;

  take({ onlyIfFree = false } = {}): Promise<boolean> {
    this.onlyIfFree = onlyIfFree;
    this.isHeld = this.isFree;
    return Promise.resolve(this.isHeld);
  }

  release(): Promise<void> {
    this.isHeld = false;
    this.released += 1;
    return Promise.resolve();
  }
}

/** Rows whose every step waits for its turn: between being asked, looking and answering anything may happen. */
class MemoryRows implements RelayedRows<Row> {
  readonly isFullLookDue = NO_EFFECTS.isFullLookDue;
  readonly removePublished = NO_EFFECTS.removePublished;
  readonly restartLooks = NO_EFFECTS.restartLooks;
  readonly refuse = NO_EFFECTS.refuse;
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

  async first(limit: number): Promise<readonly Row[]> {
    await this.turn('the look is asked for');
    const seen = [...this.#committed].toSorted(([a], [b]) => a - b).slice(0, limit);
    await this.turn('the look is answered');
    return seen.map(([id, fact]) => rowOf(id, fact));
  }

  recordPublished(rows: readonly Row[]): void {
    for (const { id } of rows) this.#committed.delete(id);
  }
}

interface Given extends Pick<TopicDefinition<never>, 'version' | 'reads'> {
  readonly rows: RelayedRows<Row>;
  readonly publisher: RelayPublisher;
  readonly lease?: OneLease;
  readonly renewEveryMs?: number;
  /** Called at each renewal, with whether the relay wants to hold the lease. */
  readonly onRenewal?: (wantsLease: boolean) => void;
  readonly mayRelay?: () => boolean;
}

/** A started relay that holds its lease, and the renewal of that. */
interface RenewedRelay {
  readonly relay: OutboxRelay<Row>;
  readonly renewal: OutboxRenewal<OneLease>;
}

const logger = { warn: () => undefined, error: () => undefined };
const renewals: OutboxRenewal<OneLease>[] = [];

afterEach(async () => {
  await Promise.all(renewals.splice(0).map((renewal) => renewal.stop()));
});

async function renewedRelay({
  rows,
  publisher,
  lease = new OneLease(),
  version = 1,
  reads = version,
  renewEveryMs = 1_000_000,
  onRenewal,
  mayRelay,
}: Given): Promise<RenewedRelay> {
  const topic = defineTopic({ name: 'facts.v1', kind: 'events', schema: z.unknown(), key: () => 'k' });
  const given = { topic: { ...topic, version, reads }, rows, lease, publisher, logger, mayRelay };
  const relay = new OutboxRelay<Row>({ ...given, onAge: () => undefined });
  const renewal = new OutboxRenewal({
    relays: [{ topic: topic.name, lease, relay }],
    take: async ([wanted]) => {
      onRenewal?.(wanted !== undefined);
      const wasHeld = lease.isHeld;
      return wanted !== undefined && (await lease.take(wanted)) && !wasHeld ? [lease] : [];
    },
    hasRow: async () => (await rows.first(1)).length > 0,
    logger,
    everyMs: renewEveryMs,
  });
  renewals.push(renewal);
  relay.start();
  renewal.start();
  await renewal.whenTried();
  return { relay, renewal };
}

/** A started relay that holds its lease. */
async function relayOf(given: Given): Promise<OutboxRelay<Row>> {
  const { relay } = await renewedRelay(given);
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

/** All that a process commits and reads, in an order that the scheduler chooses. The work of its relay may last longer. */
async function live(
  scheduler: fc.Scheduler,
  { log, fates, transactions, keys, sweeps }: Case,
): Promise<OutboxRelay<Row>> {
  const rows = new MemoryRows(scheduler);
  const left = [...fates];
  const publisher: RelayPublisher = {
    publish: async (_, messages) => {
      await rows.turn('messages are sent');
      const fate = left.shift() ?? 'taken';
      if (fate !== 'refused') log.push(...(messages as readonly unknown[] as readonly Fact[]));
      await rows.turn('the brokers answer');
      if (fate !== 'taken') throw new UnavailableError('Kafka is unavailable.');
    },
  };
  const relay = await relayOf({ rows, publisher });
  const woken: Promise<void>[] = [];
  const writer = async (key: string): Promise<void> => {
    for (let version = 1; version <= transactions; version += 1) {
      const seq = rows.add();
      await rows.turn(`${key} commits ${version}`);
      rows.commit(seq, { key, version });
      // The next transaction may begin before this process knows of the commit.
      woken.push(
        rows.turn(`${key} learns of ${version}`).then(() => {
          relay.wake();
        }),
      );
    }
  };
  const sweeper = async (): Promise<void> => {
    for (let swept = 0; swept < sweeps; swept += 1) {
      await rows.turn('a sweep is due');
      relay.wake();
      await relay.flush();
    }
  };
  await Promise.all([...Array.from({ length: keys }, (_, index) => writer(`key ${index}`)), sweeper()]);
  await Promise.all(woken);
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
        // Every `wake` leads to a look, without a `flush`.
        await scheduler.waitIdle();
        await relay.stop();
        expect(log).toHaveLength(sizes.keys * sizes.transactions);
        for (let key = 0; key < sizes.keys; key += 1)
          expect(versions(log, `key ${key}`)).toEqual(upTo(sizes.transactions));
      }),
    );
  });

  it('loses no message when publications fail, keeps the order, and ends each key with its newest', async () => {
    const fate = fc.constantFrom<Fate>('taken', 'refused', 'taken, but said to be refused');
    const cases = fc.record({ ...size, sweeps: fc.nat(6), fates: fc.array(fate, { maxLength: 8 }) });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), cases, async (scheduler, sizes) => {
        const log: Fact[] = [];
        const relay = await scheduler.waitFor(live(scheduler, { ...sizes, log }));
        for (let tries = 0; tries <= sizes.fates.length; tries += 1) await scheduler.waitFor(relay.flush());
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
    for (let step = 0; step < 60; step += 1) {
      const waiting = [1];
      const log: unknown[] = [];
      const rows: RelayedRows<Row> = {
        ...NO_EFFECTS,
        first: () => Promise.resolve(waiting.map((id) => rowOf(id))),
        recordPublished: (published) => void waiting.splice(0, published.length),
      };
      const relay = await relayOf({ rows, publisher: taking(log) });
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

/** Kafka takes everything at once. */
function taking(log: unknown[]): RelayPublisher {
  return { publish: (_, messages) => Promise.resolve(void log.push(...messages)) };
}

/** Rows that are all committed, and go once they are published. */
function rowsOf(waiting: Row[]): RelayedRows<Row> {
  return {
    ...NO_EFFECTS,
    first: (limit, maxVersion = Number.POSITIVE_INFINITY) =>
      Promise.resolve(waiting.filter(({ version }) => version <= maxVersion).slice(0, limit)),
    recordPublished: (published) => {
      for (const row of published) waiting.splice(waiting.indexOf(row), 1);
    },
  };
}

describe('An outbox relay whose Kafka is slow', () => {
  it('sends fewer rows together after each failure, until Kafka accepts them in time', async () => {
    const waiting = upTo(40).map((id) => rowOf(id));
    const log: unknown[] = [];
    const publish = (_: unknown, messages: readonly unknown[]): Promise<void> =>
      messages.length > 3
        ? Promise.reject(new UnavailableError('Kafka did not take the message in time.'))
        : Promise.resolve(void log.push(...messages));
    const relay = await relayOf({ rows: rowsOf(waiting), publisher: { publish } });
    for (let tries = 0; tries < 30 && waiting.length > 0; tries += 1) {
      relay.wake();
      await relay.flush();
    }
    await relay.stop();
    expect(log).toEqual(upTo(40));
  });
});

describe('An outbox relay with a message that has no key', () => {
  it.each(['throws', 'returns none'])('puts it aside where its key %s, and publishes the others', async (how) => {
    const waiting = ['one', 'keyless', 'two'].map((message, id) => rowOf(id, message));
    const log: unknown[] = [];
    const aside: unknown[] = [];
    const refused: string[] = [];
    const relay = new OutboxRelay<Row>({
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
      rows: { ...rowsOf(waiting), refuse: (_, message) => Promise.resolve(void aside.push(message)) },
      lease: new OneLease(),
      publisher: {
        publish: (topic, messages) => {
          for (const message of messages) Buffer.byteLength(topic.key(message));
          return Promise.resolve(void log.push(...messages));
        },
      },
      metrics: { refused: (topic) => void refused.push(topic) },
      onAge: () => undefined,
      logger: { warn: () => undefined, error: () => undefined },
    });
    relay.wake();
    await relay.flush();
    expect(log).toEqual(['one', 'two']);
    expect(aside).toEqual(['keyless']);
    expect(refused).toEqual(['facts.v1']);
    expect(waiting).toEqual([]);
  });
});

describe('An outbox relay that is stopped', () => {
  it('publishes ten batches at most and leaves the rest to other processes', async () => {
    let published = 0;
    const rows: RelayedRows<Row> = {
      ...NO_EFFECTS,
      first: (limit) => Promise.resolve(upTo(limit).map((id) => rowOf(id))),
      recordPublished: () => undefined,
    };
    const publish = async (): Promise<void> => {
      published += 1;
      if (published === 100) throw new UnavailableError('It should have ended.');
      await new Promise(setImmediate);
    };
    const relay = await relayOf({ rows, publisher: { publish } });
    await new Promise(setImmediate);
    await relay.stop();
    expect(published).toBeGreaterThan(0);
    expect(published).toBeLessThan(20);
  });

  it('releases its lease when the published rows are removed, so that the next process repeats none', async () => {
    const steps: string[] = [];
    const lease = new OneLease();
    lease.release = () => Promise.resolve(void steps.push('released'));
    const rows = {
      ...rowsOf([rowOf(1)]),
      removePublished: async () => {
        await Promise.resolve();
        steps.push('removed');
      },
    };
    const publish = () => Promise.resolve(void steps.push('published'));
    const relay = await relayOf({ rows, lease, publisher: { publish } });
    await relay.stop();
    await relay.release();
    expect(steps).toEqual(['published', 'removed', 'released']);
  });
});

describe('An outbox relay without the lease', () => {
  it('publishes nothing before it has the lease, and then the rows that were committed meanwhile', async () => {
    const log: unknown[] = [];
    const lease = new OneLease();
    lease.isFree = false;
    const { relay, renewal } = await renewedRelay({ rows: rowsOf([rowOf(1)]), lease, publisher: taking(log) });
    relay.wake();
    await relay.flush();
    expect(log).toEqual([]);
    lease.isFree = true;
    await renewal.take();
    await new Promise(setImmediate);
    expect(log).toEqual([1]);
    await relay.stop();
  });

  it('ends after the batch under way when it loses the lease', async () => {
    const log: unknown[] = [];
    const lease = new OneLease();
    const waiting = upTo(45).map((id) => rowOf(id));
    const publish = (_: unknown, messages: readonly unknown[]) => {
      lease.isHeld = false;
      return Promise.resolve(void log.push(...messages));
    };
    const relay = await relayOf({ rows: rowsOf(waiting), lease, publisher: { publish } });
    await relay.flush();
    expect(log).toEqual(upTo(20));
    await relay.stop();
    await relay.release();
    expect(lease.released).toBe(0);
  });
});

describe('An outbox relay that may not relay its topic yet', () => {
  it('takes no lease and publishes nothing before it is allowed to', async () => {
    const log: unknown[] = [];
    const lease = new OneLease();
    let mayRelay = false;
    const { relay, renewal } = await renewedRelay({
      rows: rowsOf([rowOf(1)]),
      lease,
      publisher: taking(log),
      mayRelay: () => mayRelay,
    });
    relay.wake();
    await relay.flush();
    await renewal.take();
    await new Promise(setImmediate);
    expect([log, lease.isHeld]).toEqual([[], false]);
    mayRelay = true;
    await renewal.take();
    await new Promise(setImmediate);
    expect(log).toEqual([1]);
    await relay.stop();
  });
});

describe('An outbox relay that cannot publish', () => {
  const unavailable = () => Promise.reject(new UnavailableError('Kafka is unavailable.'));

  it('releases the lease after two failures, and takes it from no other until it has published', async () => {
    const log: unknown[] = [];
    const lease = new OneLease();
    let isUnavailable = true;
    const publish = (_: unknown, messages: readonly unknown[]) =>
      isUnavailable ? unavailable() : Promise.resolve(void log.push(...messages));
    const publisher: RelayPublisher = { publish };
    const { relay, renewal } = await renewedRelay({ rows: rowsOf([rowOf(1)]), lease, publisher, renewEveryMs: 1 });
    await eventually(() => {
      expect(lease.released).toBeGreaterThan(1);
    });
    expect(log).toEqual([]);
    expect(lease.onlyIfFree).toBe(true);
    isUnavailable = false;
    await eventually(() => {
      expect(log).toEqual([1]);
      expect(lease.onlyIfFree).toBe(false);
    });
    await renewal.stop();
    await relay.stop();
  });

  it('takes the lease from an older release again after 60 renewals', async () => {
    jest.useFakeTimers();
    const [lease, renewEveryMs] = [new OneLease(), 1_000];
    const { relay, renewal } = await renewedRelay({
      rows: rowsOf([rowOf(1)]),
      lease,
      publisher: { publish: unavailable },
      renewEveryMs,
    });
    try {
      await jest.advanceTimersByTimeAsync(3 * renewEveryMs);
      expect(lease.released).toBe(1);
      // The older release has it now.
      lease.isFree = false;
      await jest.advanceTimersByTimeAsync(50 * renewEveryMs);
      expect(lease.onlyIfFree).toBe(true);
      await jest.advanceTimersByTimeAsync(20 * renewEveryMs);
      expect(lease.onlyIfFree).toBe(false);
    } finally {
      jest.useRealTimers();
      await renewal.stop();
      await relay.stop();
    }
  });

  it('delays no renewal by the release of its lease, and does not take it before that has ended', async () => {
    jest.useFakeTimers();
    const [lease, renewEveryMs] = [new OneLease(), 1_000];
    const { promise: released, resolve } = Promise.withResolvers<undefined>();
    lease.release = async () => {
      lease.released += 1;
      await released;
      lease.isHeld = false;
    };
    const asked: boolean[] = [];
    const { relay, renewal } = await renewedRelay({
      rows: rowsOf([rowOf(1)]),
      lease,
      publisher: { publish: unavailable },
      renewEveryMs,
      onRenewal: (wanted) => void asked.push(wanted),
    });
    try {
      await jest.advanceTimersByTimeAsync(3 * renewEveryMs);
      expect(lease.released).toBe(1);
      asked.splice(0);
      await jest.advanceTimersByTimeAsync(3 * renewEveryMs);
      expect(asked).toEqual([false, false, false]);
      resolve(undefined);
      await jest.advanceTimersByTimeAsync(renewEveryMs);
      expect(asked.at(-1)).toBe(true);
    } finally {
      resolve(undefined);
      jest.useRealTimers();
      await renewal.stop();
      await relay.stop();
    }
  });

  it('tries again at the next renewal after it has released the lease: the brokers may be back', async () => {
    jest.useFakeTimers();
    const [lease, renewEveryMs] = [new OneLease(), 1_000];
    const steps: string[] = [];
    const publish = () => {
      steps.push(`published after ${lease.released} releases`);
      return unavailable();
    };
    const { relay, renewal } = await renewedRelay({
      rows: rowsOf([rowOf(1)]),
      lease,
      publisher: { publish },
      renewEveryMs,
    });
    try {
      await jest.advanceTimersByTimeAsync(3 * renewEveryMs);
      expect(steps).toEqual([0, 0, 1].map((releases) => `published after ${releases} releases`));
    } finally {
      jest.useRealTimers();
      await renewal.stop();
      await relay.stop();
    }
  });

  it('keeps the lease while the database is unavailable, so that it goes on at once with it', async () => {
    const lease = new OneLease();
    let looks = 0;
    const first = () => {
      looks += 1;
      return Promise.reject(new UnavailableError('MongoDB is unavailable.'));
    };
    const { relay, renewal } = await renewedRelay({
      rows: { ...rowsOf([]), first },
      lease,
      publisher: taking([]),
      renewEveryMs: 1,
    });
    await eventually(() => {
      expect(looks).toBeGreaterThan(5);
    });
    expect(lease.released).toBe(0);
    await renewal.stop();
    await relay.stop();
  });
});

describe('An outbox relay that finds a row of a newer schema version', () => {
  const mixed = () => [rowOf(1), rowOf(2, 2, 2), rowOf(3)];

  it('publishes no later row where a newer release has the lease', async () => {
    const log: unknown[] = [];
    const lease = new OneLease();
    const publish = (_: unknown, messages: readonly unknown[]) => {
      lease.isFree = false;
      return Promise.resolve(void log.push(...messages));
    };
    const relay = await relayOf({ rows: rowsOf(mixed()), lease, publisher: { publish } });
    await relay.flush();
    expect(log).toEqual([1]);
    await relay.stop();
  });

  it('continues after the row where no newer release runs, and keeps it', async () => {
    const log: unknown[] = [];
    const waiting = mixed();
    const relay = await relayOf({ rows: rowsOf(waiting), publisher: taking(log) });
    await relay.flush();
    expect(log).toEqual([1, 3]);
    expect(waiting.map(({ id }) => id)).toEqual([2]);
    await relay.stop();
  });

  it.each([{ version: 2 }, { version: 1, reads: 2 }])('publishes it in order with its version: %j', async (release) => {
    const log: string[] = [];
    const publish: RelayPublisher['publish'] = ({ version }, messages) =>
      Promise.resolve(void log.push(...messages.map((message) => `${String(message)} of version ${version}`)));
    const relay = await relayOf({ rows: rowsOf(mixed()), ...release, publisher: { publish } });
    await relay.flush();
    expect(log).toEqual(['1 of version 1', '2 of version 2', '3 of version 1']);
    await relay.stop();
  });
});
