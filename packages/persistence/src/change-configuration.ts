import { UnavailableError } from '@tocsin/errors';
import type { Connection } from 'mongoose';
import type { Session } from './connection.ts';
import { SerialQueue } from './serial-queue.ts';
import { inTransaction } from './transaction.ts';

/**
 * Runs `work` in one transaction that changes the configuration of a database. No other writer changes configuration between what
 * `work` reads and what it writes, so its checks still hold at the commit. Resolves once this process has published the changes,
 * after 2 s when Kafka is away, or at once where another process relays their topic. Then the outbox publishes them later.
 *
 * `work` may run several times, so it must have no effect but through the session. What it throws is thrown.
 *
 * @throws UnavailableError as `inTransaction` does, when 200 writers wait in this process, and after 5 s of waiting.
 */
export async function changeConfiguration<R>(
  connection: Connection,
  work: (session: Session) => Promise<R>,
): Promise<R> {
  const { answer, flush } = await inTurn(connection, () => committed(connection, work));
  await flush();
  return answer;
}

/** How long a writer waits for its turn, so that the queue does not outlast an outage. Milliseconds. */
const LONGEST_WAIT_MS = 5_000;
/** Most writers that wait. Further ones would be answered after their callers have stopped waiting. */
const MOST_WAITING = 200;

const turnsOf = new WeakMap<Connection, SerialQueue>();

/**
 * Runs `work` while no other writer of this process changes configuration through `connection`. All of them increment the same
 * revision, so without turns they would conflict in the database. Publishing is not part of a turn.
 *
 * @throws UnavailableError when 200 writers wait, and after 5 s of waiting.
 */
export function inTurn<R>(connection: Connection, work: () => Promise<R>): Promise<R> {
  const tooMany = () => new UnavailableError('Too many changes wait to be written.');
  const turns = turnsOf.get(connection) ?? new SerialQueue();
  turnsOf.set(connection, turns);
  if (turns.size >= MOST_WAITING) return Promise.reject(tooMany());
  const queuedAtMs = performance.now();
  return turns.run(async () => {
    if (performance.now() - queuedAtMs > LONGEST_WAIT_MS) throw tooMany();
    return work();
  });
}

interface Flushed {
  flush(): Promise<void>;
}

const flushed = new WeakMap<Session, Set<Flushed>>();

/** Makes the change of `session` flush `outbox` after its commit. */
export function flushAfter(session: Session, outbox: Flushed): void {
  const known = flushed.get(session) ?? new Set();
  flushed.set(session, known.add(outbox));
}

/** A committed change. */
export interface Committed<R> {
  readonly answer: R;
  /** Publishes it. */
  readonly flush: () => Promise<void>;
}

/** As {@link changeConfiguration}, but the caller waits for the turn before, and flushes after. */
export async function committed<R>(
  connection: Connection,
  work: (session: Session) => Promise<R>,
  options: { deadlineMs?: number } = {},
): Promise<Committed<R>> {
  const publishing = async (session: Session) => {
    const answer = await work(session);
    const outboxes = [...(flushed.get(session) ?? [])];
    const flush = async () => {
      await Promise.all(outboxes.map((outbox) => outbox.flush()));
    };
    return { answer, flush };
  };
  return inTransaction(connection, publishing, options);
}
