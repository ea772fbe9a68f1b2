import { type Clock, flatMapInSteps, inSteps } from '@tocsin/core';
import type { ReadinessNotice, TeamState, UserState } from '@tocsin/events';
import { type Principal, requireSelf } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import type { References } from '../configuration/reference-operations.ts';
import type { ReadinessReports } from '../readiness/operations.ts';
import {
  administeredSteps,
  closestMonday,
  isMailedTo,
  nextMonday,
  noticeOf,
  type ReadinessMail,
} from './readiness-mail.ts';

/** The store of the mails that users have ordered. */
export interface ReadinessMailAccess {
  add(mail: ReadinessMail): Promise<ReadinessMail>;
  ofUser(userId: string): Promise<ReadinessMail | undefined>;
  all(): Promise<readonly ReadinessMail[]>;
  move(mail: ReadinessMail, nextAt: Date): Promise<void>;
  remove(userId: string): Promise<void>;
}

export interface ReadinessMailsOptions {
  readonly store: ReadinessMailAccess;
  readonly references: Pick<References, 'userCalled'>;
  readonly users: Pick<ReplicaView<UserState>, 'fetch'>;
  readonly clock: Clock;
}

/**
 * Who gets the weekly mail of readiness (U23). A user changes it for themselves: writes throw ForbiddenError for other people, before
 * the user is looked up. All methods throw NotFoundError where there is no such user.
 */
export class ReadinessMails {
  readonly #options: ReadinessMailsOptions;

  constructor(options: ReadinessMailsOptions) {
    this.#options = options;
  }

  /** Orders the mail, where it is not ordered. */
  async create(identifier: string, caller: Principal): Promise<ReadinessMail> {
    const { clock, references, store } = this.#options;
    requireSelf(identifier, caller);
    const { id: userId, timeZone } = await references.userCalled(identifier);
    return store.add({ userId, nextAt: nextMonday(clock.now(), timeZone) });
  }

  /** Every caller may ask whether there is one. */
  async get(identifier: string): Promise<ReadinessMail | undefined> {
    const { references, store } = this.#options;
    return store.ofUser((await references.userCalled(identifier)).id);
  }

  /** Ends the mail, where there is one. */
  async remove(identifier: string, caller: Principal): Promise<void> {
    const { references, store } = this.#options;
    requireSelf(identifier, caller);
    await store.remove((await references.userCalled(identifier)).id);
  }

  /**
   * Removes the mails of deleted users, and moves those of users whose time zone has changed. Idempotent, and safe in several replicas at
   * once.
   *
   * @throws UnavailableError when the store, or the owner of a user who is not known here, is unavailable; the reason of `signal`
   * once it aborts.
   */
  async followUsers(signal?: AbortSignal): Promise<void> {
    const { clock, store, users } = this.#options;
    for (const mail of await store.all()) {
      signal?.throwIfAborted();
      const user = await users.fetch('id', mail.userId);
      const nextAt = user && closestMonday(mail.nextAt, user.timeZone);
      if (nextAt === undefined) await store.remove(mail.userId);
      else if (mail.nextAt > clock.now() && nextAt.getTime() !== mail.nextAt.getTime()) await store.move(mail, nextAt);
    }
  }
}

export interface ReadinessMailResolverOptions {
  readonly reports: Pick<ReadinessReports, 'current'>;
  readonly users: Pick<ReplicaView<UserState>, 'fetch'>;
  readonly teams: Pick<ReplicaView<TeamState>, 'all'>;
}

/** What follows from a mail that is due. */
export interface ResolvedMail {
  readonly mail: ReadinessMail;
  /** Undefined: there is nothing to mail now. */
  readonly notice: ReadinessNotice | undefined;
  /** Undefined: the user is deleted. */
  readonly nextAt: Date | undefined;
}

/** Resolves what the mails that are due say (U23). */
export class ReadinessMailResolver {
  readonly #options: ReadinessMailResolverOptions;

  constructor(options: ReadinessMailResolverOptions) {
    this.#options = options;
  }

  /** @throws UnavailableError when the configuration, or the owner of a user who is not known here, cannot be read. */
  async resolve(due: readonly ReadinessMail[], now: Date): Promise<readonly ResolvedMail[]> {
    const { reports, teams, users } = this.#options;
    const { findings, incompleteServices } = await reports.current();
    const administered = await inSteps(administeredSteps(teams.all()));
    const resolved: ResolvedMail[] = [];
    for (const mail of due) {
      const user = await users.fetch('id', mail.userId);
      const dueAt = user && closestMonday(mail.nextAt, user.timeZone);
      if (user === undefined || dueAt === undefined) {
        resolved.push({ mail, notice: undefined, nextAt: undefined });
      } else if (dueAt > now) {
        resolved.push({ mail, notice: undefined, nextAt: dueAt });
      } else {
        const isMailed = isMailedTo(user, administered.get(user.id));
        const own = await flatMapInSteps(findings, (finding) => (isMailed(finding) ? [finding] : []));
        resolved.push({
          mail,
          notice: noticeOf(user, { findings: own, incompleteServices }, { dueAt, now }),
          nextAt: nextMonday(now, user.timeZone),
        });
      }
    }
    return resolved;
  }
}
