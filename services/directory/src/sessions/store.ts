import { type NoticeCommand, NoticeCommands, type SessionState } from '@tocsin/events';
import {
  type AnnouncedKind,
  type Announcements,
  type EntityStates,
  collectionOf,
  type ConfigurationCollection,
  type Connection,
  type Filter,
  inTransaction,
  type IndexPlan,
  type Outbox,
  orUnavailable,
  type Session,
  type Stored,
} from '@tocsin/mongo';
import type { Team } from '../teams/team.ts';
import type { User } from '../users/user.ts';
import { sessionEnd, sessionMessage, type UserSession, withUse } from './session.ts';
import { removableAt, type SignIn } from './sign-in.ts';
import { minuteEnd, type SignInMinute } from './sign-in-limit.ts';

export const SESSIONS = 'sessions';
const SIGN_INS = 'sign_ins';
const SIGN_IN_MINUTES = 'sign_in_minutes';
/** The document in place of a notice where there is no user to send one to. */
const UNSENT_NOTICES = 'unsent_notices';

type SessionDocument = Stored<UserSession> & { readonly expiresAt: Date };

export const SESSION: AnnouncedKind<UserSession, SessionState, SessionDocument> = {
  collection: SESSIONS,
  incrementsRevision: false,
  read: ({ _id: id, expiresAt: _, ...rest }) => ({ ...rest, id }),
  write: (session) => {
    const { id, ...rest } = session;
    return { _id: id, ...rest, expiresAt: sessionEnd(session) };
  },
  message: sessionMessage,
};

type MinuteDocument = Pick<SignInMinute, 'requests'> & { readonly _id: Date; readonly removableAt: Date };
interface UnsentDocument {
  readonly _id: string;
  readonly message: string;
  readonly removableAt: Date;
}
type SignInDocument = Omit<SignIn, 'username'> & { readonly _id: string; readonly removableAt: Date };

export const sessionIndexes: readonly IndexPlan[] = [
  {
    collection: SESSIONS,
    keys: { tokenHash: 1 },
    options: { unique: true },
    serves: 'the session of a request; the gateway, which asks for one that it does not know yet',
  },
  { collection: SESSIONS, keys: { userId: 1, createdAt: 1, _id: 1 }, serves: 'the sessions of a user by creation' },
  { collection: SESSIONS, keys: { expiresAt: 1 }, serves: 'the removal of sessions that have ended' },
  {
    collection: SIGN_INS,
    keys: { 'codes.flowHash': 1 },
    serves: 'the redemption of a code in the browser that asked for it',
  },
  {
    collection: SIGN_INS,
    keys: { 'operatorCode.hash': 1 },
    options: { unique: true, sparse: true },
    serves: 'the redemption of a code of an operator',
  },
  ...[SIGN_INS, SIGN_IN_MINUTES, UNSENT_NOTICES].map((collection) => ({
    collection,
    keys: { removableAt: 1 } as const,
    serves: 'the removal of what does not matter any more',
  })),
];

/** How many sessions one transaction ends. */
const ENDED_BATCH = 200;

/** How a sign-in is found: by its user name, by the browser that asked for a code, or by the code of an operator. */
export type SignInKey =
  | { readonly username: string; readonly minute?: Date }
  | { readonly flowHash: string }
  | { readonly operatorCodeHash: string };

/** The input of a step of a sign-in. */
export interface FoundSignIn {
  readonly signIn: SignIn | undefined;
  readonly user: User | undefined;
  /** The requests of the minute that the key names. */
  readonly minute: SignInMinute | undefined;
}

/** The result of a step of a sign-in, which is committed as a whole or not at all. */
export interface SignInChange<T> {
  /** Replaces what is stored; absent: it stays. */
  readonly signIn?: SignIn;
  /** A minute of requests with one more. */
  readonly minute?: SignInMinute;
  /**
   * A notice that is sent, or is stored and not sent where `isSent` is false. Both are one write, so the time of the answer does not
   * show whether the user exists.
   */
  readonly notice?: { readonly command: NoticeCommand; readonly isSent: boolean };
  /** A session that begins. */
  readonly begun?: UserSession;
  readonly answer: T;
}

/** A use of a session that the gateway reports. */
export interface SessionUse {
  readonly id: string;
  readonly at: Date;
}

export interface SessionStoreOptions {
  readonly connection: Connection;
  readonly sessions: ConfigurationCollection<UserSession>;
  readonly users: ConfigurationCollection<User>;
  readonly teams: ConfigurationCollection<Team>;
  /** Publishes `sessions.v1`. */
  readonly announcements: Announcements & Pick<EntityStates<unknown>, 'publishNow'>;
  /** Relays `notice-commands.v1`. */
  readonly outbox: Pick<Outbox, 'add'>;
}

/** Keeps sessions, and what leads to them, in MongoDB. Every change of a session is published on `sessions.v1`. */
export class SessionStore {
  readonly #options: SessionStoreOptions;

  constructor(options: SessionStoreOptions) {
    this.#options = options;
  }

  /**
   * Makes one step of a sign-in in one transaction. `surplus` says which sessions of the user end for one that begins. `work` may run
   * several times. Where it throws, its error is thrown and nothing is written.
   */
  async changeSignIn<T>(
    key: SignInKey,
    work: (found: FoundSignIn) => SignInChange<T>,
    surplus: (sessions: readonly UserSession[]) => readonly UserSession[] = () => [],
  ): Promise<T> {
    const { outbox, sessions } = this.#options;
    const { answer, begun } = await inTransaction(this.#options.connection, async (session) => {
      const found = await this.#find(key, session);
      const change = work(found);
      if (change.signIn !== undefined) await this.#replace(change.signIn, session);
      if (change.minute !== undefined) await this.#replaceMinute(change.minute, session);
      if (change.notice?.isSent === true) await outbox.add(session, NoticeCommands, [change.notice.command]);
      else if (change.notice !== undefined) await this.#keepUnsent(change.notice.command, session);
      if (change.begun !== undefined) {
        const present = await sessions.list({ userId: change.begun.userId }, session);
        await sessions.write({ put: [change.begun], removed: surplus(present) }, session);
      }
      return change;
    });
    if (begun !== undefined) await this.#options.announcements.flush();
    return answer;
  }

  /** The session whose token has this hash, ended or not. */
  findByTokenHash(tokenHash: string): Promise<UserSession | undefined> {
    return this.#options.sessions.find({ tokenHash });
  }

  /** The sessions with one of `values` as their `key`, in no order. */
  withAny(key: 'id' | 'tokenHash', values: readonly string[]): Promise<readonly UserSession[]> {
    return this.#options.sessions.select({ [key === 'id' ? '_id' : key]: { $in: [...values] } }, { sort: {} });
  }

  /** By creation. */
  ofUser(userId: string): Promise<readonly UserSession[]> {
    return this.#options.sessions.list({ userId });
  }

  findUser(id: string): Promise<User | undefined> {
    return this.#options.users.find({ _id: id });
  }

  /** The active teams of a user with their role in each, by creation. */
  async teamsOf(userId: string): Promise<readonly { id: string; name: string; role: 'admin' | 'user' }[]> {
    const filter = { 'members.userId': userId, phase: 'active' };
    const teams = await this.#options.teams.select(filter, { fields: ['name', 'members'] });
    return teams.map(({ id, members, name }) => {
      const role = members.find((member) => member.userId === userId)?.role ?? 'user';
      return { id, name, role };
    });
  }

  /**
   * Ends that session of that user. False where they have no such session, and the topic has the end of each that they had.
   *
   * @throws UnavailableError where its end is stored but not on the topic yet, so that gateways still accept it (K21).
   */
  async end(userId: string, id: string): Promise<boolean> {
    const count = await this.#remove({ _id: id, userId });
    // Also where there is none any more: a request before may have ended it, and was answered 503.
    await this.#options.announcements.publishNow([id]);
    return count > 0;
  }

  /** Notes uses of sessions. Sessions that have ended stay ended. */
  async noteUses(uses: readonly SessionUse[], now: Date): Promise<void> {
    const { connection, sessions } = this.#options;
    const usedAt = new Map(uses.map(({ id, at }) => [id, at]));
    await inTransaction(connection, async (session) => {
      const present = await sessions.list({ _id: { $in: [...usedAt.keys()] } }, session);
      const used = present.map((each) => withUse(each, usedAt.get(each.id) ?? each.lastUsedAt, now));
      await sessions.write({ put: used.filter((each, index) => each !== present[index]) }, session);
    });
  }

  /**
   * Removes all codes to sign in, in the transaction of `session`: a restored backup has codes that were redeemed after it. Their
   * requests still count against the quotas.
   */
  async removeCodes(session: Session): Promise<void> {
    const anyCode = { $or: [{ 'codes.0': { $exists: true } }, { operatorCode: { $exists: true } }] };
    await this.#signIns().updateMany(anyCode, { $set: { codes: [] }, $unset: { operatorCode: true } }, { session });
  }

  /** Removes the ended sessions, and those of deleted or blocked users. Each step removes at most 200. */
  async removeEnded(now: Date, signal?: AbortSignal): Promise<void> {
    const filters: Filter[] = [{ expiresAt: { $lte: now } }];
    const gone = await this.#withoutSession();
    if (gone.length > 0) filters.push({ userId: { $in: gone } });
    for (const filter of filters) {
      let count = ENDED_BATCH;
      while (count === ENDED_BATCH && signal?.aborted !== true) count = await this.#remove(filter);
    }
    for (const documents of [this.#signIns(), this.#minutes(), this.#unsent()])
      await orUnavailable(documents.deleteMany({ removableAt: { $lte: now } }));
  }

  /** The ids of users who have sessions and may have none. */
  async #withoutSession(): Promise<readonly string[]> {
    const { connection, users } = this.#options;
    const ids = await orUnavailable(collectionOf<SessionDocument>(connection, SESSIONS).distinct('userId'));
    const gone: string[] = [];
    for (let start = 0; start < ids.length; start += ENDED_BATCH) {
      const batch = ids.slice(start, start + ENDED_BATCH);
      const present = await users.select({ _id: { $in: batch }, blocked: false }, { fields: ['username'], sort: {} });
      const may = new Set(present.map(({ id }) => id));
      gone.push(...batch.filter((id) => !may.has(id)));
    }
    return gone;
  }

  /** Ends sessions that match, at most 200. Resolves with their number once this process has tried to publish it. */
  async #remove(filter: Filter): Promise<number> {
    const { announcements, connection, sessions } = this.#options;
    const count = await inTransaction(connection, async (session) => {
      const removed = await sessions.select(filter, { limit: ENDED_BATCH, session });
      await sessions.write({ removed }, session);
      return removed.length;
    });
    if (count > 0) await announcements.flush();
    return count;
  }

  async #find(key: SignInKey, session: Session): Promise<FoundSignIn> {
    const minute = 'minute' in key ? await this.#findMinute(key.minute, session) : undefined;
    const found = await this.#signIns().findOne(filterOf(key), { session });
    const username = found?._id ?? ('username' in key ? key.username : undefined);
    const user = username === undefined ? undefined : await this.#options.users.find({ username }, session);
    if (found === null) return { signIn: undefined, user, minute };
    const { _id, removableAt: _, ...rest } = found;
    return { signIn: { username: _id, ...rest }, user, minute };
  }

  async #findMinute(startsAt: Date, session: Session): Promise<SignInMinute> {
    const found = await this.#minutes().findOne({ _id: startsAt }, { session });
    return { startsAt, requests: found?.requests ?? [] };
  }

  async #replaceMinute(minute: SignInMinute, session: Session): Promise<void> {
    const { requests, startsAt } = minute;
    const document = { requests, removableAt: minuteEnd(minute) };
    await this.#minutes().replaceOne({ _id: startsAt }, document, { session, upsert: true });
  }

  async #keepUnsent(command: NoticeCommand, session: Session): Promise<void> {
    const row = { _id: command.noticeId, message: JSON.stringify(command), removableAt: new Date(command.at) };
    await this.#unsent().insertOne(row, { session });
  }

  async #replace(signIn: SignIn, session: Session): Promise<void> {
    const { username, ...rest } = signIn;
    const document = { ...rest, removableAt: removableAt(signIn) };
    await this.#signIns().replaceOne({ _id: username }, document, { session, upsert: true, ignoreUndefined: true });
  }

  #signIns() {
    return collectionOf<SignInDocument>(this.#options.connection, SIGN_INS);
  }

  #minutes() {
    return collectionOf<MinuteDocument>(this.#options.connection, SIGN_IN_MINUTES);
  }

  #unsent() {
    return collectionOf<UnsentDocument>(this.#options.connection, UNSENT_NOTICES);
  }
}

function filterOf(key: SignInKey): Filter {
  if ('username' in key) return { _id: key.username };
  return 'flowHash' in key ? { 'codes.flowHash': key.flowHash } : { 'operatorCode.hash': key.operatorCodeHash };
}
