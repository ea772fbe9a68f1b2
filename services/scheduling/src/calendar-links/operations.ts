import { type Clock, NotFoundError } from '@tocsin/core';
import type { UserState } from '@tocsin/events';
import { hashSessionToken, isSessionToken, type Principal, requireSelf } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import type { References } from '../configuration/reference-operations.ts';
import type { CalendarLink } from './calendar-link.ts';

/** The store of the links. */
export interface CalendarLinkAccess {
  put(link: CalendarLink): Promise<void>;
  ofUser(userId: string): Promise<CalendarLink | undefined>;
  ofToken(tokenHash: string): Promise<CalendarLink | undefined>;
  userIds(): Promise<readonly string[]>;
  remove(userId: string): Promise<void>;
}

export interface CalendarLinksOptions {
  readonly store: CalendarLinkAccess;
  readonly references: Pick<References, 'userCalled'>;
  readonly users: Pick<ReplicaView<UserState>, 'fetch'>;
  readonly clock: Clock;
  /** 256 random bits. */
  readonly newToken: () => string;
}

/**
 * The links by which calendar programs read the shifts of a user without a key (S16). A user has one at most, and changes it: writes
 * throw ForbiddenError for other people, before the user is looked up. All methods throw NotFoundError where there is no such user.
 */
export class CalendarLinks {
  readonly #options: CalendarLinksOptions;

  constructor(options: CalendarLinksOptions) {
    this.#options = options;
  }

  /** Makes a link in place of the one before. The token is in no later answer. */
  async create(identifier: string, caller: Principal): Promise<{ readonly token: string; readonly createdAt: Date }> {
    const { clock, newToken, store } = this.#options;
    const userId = await this.#userId(identifier, caller);
    const [token, createdAt] = [newToken(), clock.now()];
    await store.put({ userId, tokenHash: hashSessionToken(token), createdAt });
    return { token, createdAt };
  }

  /** Every caller may ask whether there is one. */
  async get(identifier: string): Promise<CalendarLink | undefined> {
    const { references, store } = this.#options;
    return store.ofUser((await references.userCalled(identifier)).id);
  }

  /** Removes the link, where there is one. */
  async remove(identifier: string, caller: Principal): Promise<void> {
    await this.#options.store.remove(await this.#userId(identifier, caller));
  }

  /**
   * The id of the user of a link.
   *
   * @throws NotFoundError where there is no such link, or its user is deleted or blocked.
   */
  async userOf(token: string): Promise<string> {
    const { store, users } = this.#options;
    const link = isSessionToken(token) ? await store.ofToken(hashSessionToken(token)) : undefined;
    const user = link && (await users.fetch('id', link.userId));
    if (user === undefined || user.blocked) {
      throw new NotFoundError('This link to a calendar is not valid. It may have been renewed or removed.');
    }
    return user.id;
  }

  async #userId(identifier: string, caller: Principal): Promise<string> {
    requireSelf(identifier, caller);
    return (await this.#options.references.userCalled(identifier)).id;
  }
}
