import type { Connection } from 'mongoose';
import type { Session } from './connection.ts';
import { inTransaction } from './transaction.ts';

/**
 * Changes the configuration of a database: all that `work` writes through its session, or nothing. Nobody else changes
 * configuration between what `work` reads and what it writes, so a check of other entities still holds in the end. Resolves
 * when the topics have been told, or after 2 s when Kafka is away; the outboxes tell them later then.
 *
 * `work` may run several times, so it must have no effect but through the session. What it throws is thrown.
 *
 * @throws UnavailableError as `inTransaction` does.
 */
export async function changeConfiguration<R>(
  connection: Connection,
  work: (session: Session) => Promise<R>,
): Promise<R> {
  const { answer, flush } = await committed(connection, work);
  await flush();
  return answer;
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

/** Changes configuration, and leaves it to the caller to publish that. */
export async function committed<R>(
  connection: Connection,
  work: (session: Session) => Promise<R>,
): Promise<Committed<R>> {
  return inTransaction(connection, async (session) => {
    const answer = await work(session);
    const outboxes = [...(flushed.get(session) ?? [])];
    const flush = async () => {
      await Promise.all(outboxes.map((outbox) => outbox.flush()));
    };
    return { answer, flush };
  });
}
