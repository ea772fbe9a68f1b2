import { UnavailableError } from '@tocsin/errors';
import type { Connection } from 'mongoose';
import type { Session } from './connection.ts';
import { Exclusive } from './exclusive.ts';
import { inTransaction } from './transaction.ts';

/**
 * Changes the configuration of a database: all that `work` writes through its session, or nothing. Nobody else changes
 * configuration between what `work` reads and what it writes, so a check of other entities still holds in the end. Resolves
 * when the topics have been told, or after 2 s when Kafka is away; the outboxes tell them later then.
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

/** How long a writer waits for its turn at most, in milliseconds: an outage must not be outlasted by a queue. */
const LONGEST_WAIT_MS = 5_000;
/** Writers that wait for their turn at most; more would only wait for an answer that nobody expects any more. */
const MOST_WAITING = 200;

const turnsOf = new WeakMap<Connection, Exclusive>();

/**
 * Runs `work` when no other writer of this process changes configuration through `connection`. They all move one revision: in
 * the database the later one would start anew. What publishes a change comes after its turn.
 *
 * @throws UnavailableError when 200 writers wait, and after 5 s of waiting.
 */
export function inTurn<R>(connection: Connection, work: () => Promise<R>): Promise<R> {
  const tooMany = () => new UnavailableError('Too many changes wait to be written.');
  const turns = turnsOf.get(connection) ?? new Exclusive();
  turnsOf.set(connection, turns);
  if (turns.size >= MOST_WAITING) return Promise.reject(tooMany());
  const queuedAtMs = performance.now();
  return turns.run(async () => {
    if (performance.now() - queuedAtMs > LONGEST_WAIT_MS) throw tooMany();
    return work();
  });
}

/** What is published once a change is committed. */
interface Flushed {
  flush(): Promise<void>;
}

const flushed = new WeakMap<Session, Set<Flushed>>();

/** Lets the change of `session` publish what it committed before it resolves. */
export function flushAfter(session: Session, outbox: Flushed): void {
  const known = flushed.get(session) ?? new Set();
  flushed.set(session, known.add(outbox));
}

/** A change that is committed, and what publishes it. */
export interface Committed<R> {
  readonly answer: R;
  readonly flush: () => Promise<void>;
}

/** Changes configuration, and leaves it to the caller to wait for its turn before and to publish after. */
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
