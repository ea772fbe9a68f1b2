import { type Clock, UnauthenticatedError } from '@tocsin/core';
import type { RoleState, SessionState, UserState } from '@tocsin/events';
import {
  Admission,
  hashSessionToken,
  isSessionToken,
  NOT_AUTHENTICATED,
  personRole,
  type UserPrincipal,
} from '@tocsin/http';
import type { Indexes, ReplicaView } from '@tocsin/kafka';
import type { UnknownKeysLimit } from './key-directory.ts';
import type { Membership, Memberships } from './memberships.ts';

/** The index of the replica of sessions. */
export const SESSION_INDEXES: Indexes<SessionState> = { tokenHash: ({ tokenHash }) => tokenHash };

/** Unknown tokens that are looked up at directory at a time, in all and for one address. */
const LOOK_UPS = { inAll: 64, each: 48 };
/** How old the last noted use of a session is when another is reported to directory. */
const NOTE_AFTER_MS = 600_000;
/** The most uses in one report. */
const MAX_USES = 1_000;

export interface SessionsOptions {
  readonly sessions: Pick<ReplicaView<SessionState>, 'find' | 'fetch'>;
  readonly users: Pick<ReplicaView<UserState>, 'get' | 'fetch'>;
  readonly roles: Pick<ReplicaView<RoleState>, 'get'>;
  readonly memberships: Pick<Memberships, 'of'>;
  readonly unknownTokens: UnknownKeysLimit;
  readonly clock: Clock;
}

/** A use of a session. */
export interface SessionUse {
  readonly id: string;
  readonly at: Date;
}

interface KnownPrincipal {
  readonly user: UserState;
  readonly teams: ReadonlyMap<string, Membership>;
  readonly customRole: RoleState | undefined;
  readonly principal: UserPrincipal;
}

/** Authenticates people by the tokens of their sessions (K21), with their role and teams as they are at the moment. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #lookUps = new Admission(LOOK_UPS);
  /** One object for each user until something about them changes, because the signer caches tokens by principal object. */
  readonly #principals = new Map<string, KnownPrincipal>();
  readonly #uses = new Map<string, Date>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /**
   * The person whose session has this token.
   *
   * @throws UnauthenticatedError where there is no such session, it has ended, or its user is gone or blocked; UnavailableError where an
   *   unknown token cannot be looked up; ThrottledError where the address tried too many.
   */
  async principalOf(token: string, address: string): Promise<UserPrincipal> {
    const { users } = this.#options;
    const session = isSessionToken(token) ? await this.#find(hashSessionToken(token), address) : undefined;
    if (session === undefined || this.#hasEnded(session)) throw new UnauthenticatedError(NOT_AUTHENTICATED);
    const user = users.get(session.userId) ?? (await users.fetch('id', session.userId));
    if (user === undefined || user.blocked) {
      this.#principals.delete(session.userId);
      throw new UnauthenticatedError(NOT_AUTHENTICATED);
    }
    this.#noteUse(session);
    return this.#principalFor(user);
  }

  /** Says, whenever it is asked, whether the session of a token that was accepted goes on. Asking is no use of the session. */
  watch(token: string): () => boolean {
    const tokenHash = hashSessionToken(token);
    return () => {
      const session = this.#options.sessions.find('tokenHash', tokenHash);
      return (
        session !== undefined && !this.#hasEnded(session) && this.#options.users.get(session.userId)?.blocked === false
      );
    };
  }

  /** The uses that directory does not know of, at most 1000. `returnUses` takes them back where the report failed. */
  takeUses(): readonly SessionUse[] {
    const uses = [...this.#uses].slice(0, MAX_USES).map(([id, at]) => ({ id, at }));
    for (const { id } of uses) this.#uses.delete(id);
    return uses;
  }

  returnUses(uses: readonly SessionUse[]): void {
    for (const { id, at } of uses) if (!this.#uses.has(id)) this.#uses.set(id, at);
  }

  /** As keys are found: a limit holds for tokens that do not exist, none for those in the replica. */
  async #find(tokenHash: string, address: string): Promise<SessionState | undefined> {
    const { sessions, unknownTokens } = this.#options;
    const known = sessions.find('tokenHash', tokenHash);
    if (known !== undefined) return known;
    unknownTokens.spend(address);
    let isUnknown = false;
    try {
      const found = await this.#lookUps.run(address, () => sessions.fetch('tokenHash', tokenHash));
      isUnknown = found === undefined;
      return found;
    } finally {
      if (!isUnknown) unknownTokens.giveBack(address);
    }
  }

  #hasEnded({ expiresAt }: SessionState): boolean {
    return Date.parse(expiresAt) <= this.#options.clock.now().getTime();
  }

  #noteUse({ id, lastUsedAt }: SessionState): void {
    const now = this.#options.clock.now();
    if (now.getTime() - Date.parse(lastUsedAt) >= NOTE_AFTER_MS) this.#uses.set(id, now);
  }

  #principalFor(user: UserState): UserPrincipal {
    const teams = this.#options.memberships.of(user.id);
    const customRole = this.#options.roles.get(user.role);
    const known = this.#principals.get(user.id);
    if (known?.user === user && known.teams === teams && known.customRole === customRole) return known.principal;
    const principal: UserPrincipal = {
      kind: 'user',
      userId: user.id,
      username: user.username,
      role: personRole(user.role, customRole),
      teams: [...teams.values()],
    };
    this.#principals.set(user.id, { user, teams, customRole, principal });
    return principal;
  }
}
