import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '@tocsin/core';
import { mongo, type Connection } from 'mongoose';
import { callListeners } from './commit-listeners.ts';
import type { Session } from './connection.ts';
import { asUnavailable, NO_ANSWER, hasLabel } from './failures.ts';
import type { WriteGate } from './write-gate.ts';

const TRANSACTION: mongo.TransactionOptions = {
  readPreference: 'primary',
  readConcern: { level: 'snapshot' },
  writeConcern: new mongo.WriteConcern('majority'),
};

/** How {@link inTransaction} runs. */
export interface TransactionOptions {
  /** Real time; 10 s by default. */
  readonly deadlineMs?: number;
  /** Shared by transactions of this process that often conflict. A retry runs alone. */
  readonly gate?: WriteGate | undefined;
  /** Whether the first try runs alone too: for a transaction that takes so long that it would lose. */
  readonly exclusive?: boolean;
}

/**
 * Runs `work` in one transaction: either all that it writes through its session is committed, or nothing is.
 *
 * `work` runs again after a conflict or an election, with `isRetry` true. So it must have no effect but through the session, and
 * pass the session to every read and write. The retry loop of the driver is not used: it goes on for two minutes, and stops at
 * once in an outage.
 *
 * @throws UnavailableError when MongoDB is unavailable, or `deadlineMs` passes. Whether the last try was committed is then unknown, so
 *   repeat only what is idempotent.
 * @throws what `work` throws, unless it is a transient error of the database.
 */
export async function inTransaction<T>(
  connection: Connection,
  work: (session: Session, isRetry: boolean) => Promise<T>,
  { exclusive = false, deadlineMs = 10_000, gate }: TransactionOptions = {},
): Promise<T> {
  const deadline = new Deadline(deadlineMs);
  try {
    for (let attempt = 0; ; attempt += 1) {
      const tryNow = () => tryOnce(connection, (session) => work(session, attempt > 0), deadline);
      const result =
        gate === undefined
          ? await tryNow()
          : await gate.run(tryNow, { exclusive: exclusive || attempt > 0, waitLimitMs: deadline.remainingMs() });
      if ('value' in result) return result.value;
      if (!hasLabel(result.error, 'TransientTransactionError')) throw asUnavailable(result.error);
      if (deadline.remainingMs() <= 0) throw new UnavailableError(NO_ANSWER, { cause: result.error });
      await deadline.guard(pause(backOffMs(attempt)));
    }
  } finally {
    deadline.clear();
  }
}

/** One time limit for all steps of a piece of work, real time. */
class Deadline {
  readonly #at: number;
  readonly #passed: Promise<never>;
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    this.#at = performance.now() + milliseconds;
    const { promise, reject } = Promise.withResolvers<never>();
    this.#timer = setTimeout(() => {
      reject(new UnavailableError(NO_ANSWER));
    }, milliseconds);
    this.#passed = promise;
    // No step may be running when it passes.
    this.#passed.catch(() => undefined);
  }

  remainingMs(): number {
    return this.#at - performance.now();
  }

  /** Settles as `step`, which goes on in any case. @throws UnavailableError when the deadline passes first. */
  guard<T>(step: Promise<T>): Promise<T> {
    return Promise.race([step, this.#passed]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

type TryResult<T> = { readonly value: T } | { readonly error: unknown };

async function tryOnce<T>(
  connection: Connection,
  work: (session: Session) => Promise<T>,
  deadline: Deadline,
): Promise<TryResult<T>> {
  const session = await deadline.guard(connection.startSession());
  let isCommitting = false;
  try {
    session.startTransaction(TRANSACTION);
    const value = await deadline.guard(work(session));
    isCommitting = true;
    await commit(session, deadline);
    callListeners(session, 'committed');
    void end(session);
    return { value };
  } catch (error) {
    if (isCommitting && !hasLabel(error, 'TransientTransactionError')) callListeners(session, 'unknown');
    const ended = end(session);
    // A retry would conflict with this try if that were not aborted. A frozen server must not block the caller.
    if (deadline.remainingMs() > 0) await deadline.guard(ended).catch(() => undefined);
    return { error };
  }
}

async function commit(session: Session, deadline: Deadline): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await deadline.guard(session.commitTransaction());
      return;
    } catch (error) {
      const isUnknown =
        hasLabel(error, 'UnknownTransactionCommitResult') && !hasLabel(error, 'TransientTransactionError');
      if (!isUnknown || deadline.remainingMs() <= 0) throw error;
      await deadline.guard(pause(backOffMs(attempt)));
    }
  }
}

/**
 * Aborts a transaction that is not committed. The session ends in the same step: after the deadline `work` may go on, and the
 * driver sends what it writes through an aborted session without any transaction.
 */
async function end(session: Session): Promise<void> {
  await session.endSession().catch(() => undefined);
}

/** Full jitter up to 5, 10, 20 … 200 ms, so that writers of one document do not conflict again and again. */
function backOffMs(attempt: number): number {
  return Math.random() * Math.min(200, 5 * 2 ** attempt);
}
