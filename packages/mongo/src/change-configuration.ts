import { UnavailableError } from '@tocsin/core';
import type { Connection } from 'mongoose';
import type { Session } from './connection.ts';
import { WriteGate } from './write-gate.ts';
import { inTransaction } from './transaction.ts';

/**
 * Runs `work` in one transaction that changes the configuration of a database. No other writer changes configuration between what
 * `work` reads and what it writes, so its checks still hold at the commit. Resolves once this process has published the changes,
 * after 2 s when Kafka is unavailable, or at once where another process relays their topic. Then the outbox publishes them later.
 *
 * `work` may run several times, so its only effects must go through the session. Its errors are thrown.
 *
 * @throws UnavailableError as `inTransaction` does, when 200 writers wait in this process, and after 5 s of waiting.
 */
export async function changeConfiguration<R>(
  connection: Connection,
  work: (session: Session) => Promise<R>,
): Promise<R> {
  const { answer, flush } = await withoutOtherWriters(connection, () => commitChange(connection, work));
  await flush();
  return answer;
}

/** How long a writer waits for the others, in milliseconds: so the queue does not outlast an outage. */
const WAIT_TIMEOUT_MS = 5_000;
/** The most writers that wait. Further ones would be answered after their callers have stopped waiting. */
const MAX_WAITING = 200;

const gates = new WeakMap<Connection, WriteGate>();

/**
 * Runs `work` while no other writer of this process changes configuration through `connection`. All of them increment the same
 * revision, so they would conflict in the database. Publishing is not part of `work`.
 *
 * @throws UnavailableError when 200 writers wait, and after 5 s of waiting.
 */
export function withoutOtherWriters<R>(connection: Connection, work: () => Promise<R>): Promise<R> {
  const tooManyWriters = () => new UnavailableError('Too many changes wait to be written.');
  const gate = gates.get(connection) ?? new WriteGate();
  gates.set(connection, gate);
  if (gate.size >= MAX_WAITING) return Promise.reject(tooManyWriters());
  return gate.run(work, { exclusive: true, waitLimitMs: WAIT_TIMEOUT_MS, timeoutError: tooManyWriters });
}

interface OutboxToFlush {
  flush(): Promise<void>;
}

const toFlush = new WeakMap<Session, Set<OutboxToFlush>>();

/** Flushes `outbox` after the commit of the change of `session`. */
export function flushAfterCommit(session: Session, outbox: OutboxToFlush): void {
  const known = toFlush.get(session) ?? new Set();
  toFlush.set(session, known.add(outbox));
}

/** A committed change. */
export interface CommittedChange<R> {
  readonly answer: R;
  /** Publishes it. */
  readonly flush: () => Promise<void>;
}

/** As {@link changeConfiguration}, but the caller waits for other writers before, and flushes after. */
export async function commitChange<R>(
  connection: Connection,
  work: (session: Session) => Promise<R>,
  options: { deadlineMs?: number } = {},
): Promise<CommittedChange<R>> {
  const workAndFlush = async (session: Session) => {
    const answer = await work(session);
    const outboxes = [...(toFlush.get(session) ?? [])];
    const flush = async () => {
      await Promise.all(outboxes.map((outbox) => outbox.flush()));
    };
    return { answer, flush };
  };
  return inTransaction(connection, workAndFlush, options);
}
