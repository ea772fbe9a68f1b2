import type { UserCondition, UserSort } from '@tocsin/api';
import { ConflictError, type Put } from '@tocsin/core';
import { type NoticeCommand, NoticeCommands, type UserState } from '@tocsin/events';
import {
  type AnnouncedKind,
  changeConfiguration,
  collectionOf,
  type ConfigurationCollection,
  type Connection,
  type EntityStates,
  type Filter,
  type IndexPlan,
  type Outbox,
  Revision,
  type Session,
  type Stored,
  withMissing,
} from '@tocsin/mongo';
import { type CustomRole, isFixed, isOwner, type Role, unknownRole } from '../roles/role.ts';
import type { UserSession } from '../sessions/session.ts';
import type { Team } from '../teams/team.ts';
import { userFilter, userOrder } from './user-filter-store.ts';
import { folded, type Searchable, searchable } from './user-search.ts';
import { UserTotals } from './user-totals.ts';
import {
  type User,
  type UserChange,
  type UserFacts,
  userMessage,
  type UserName,
  type UserReference,
  withNextVersion,
} from './user.ts';

export const USERS = 'users';

type UserDocument = Stored<User> & {
  /** The compared texts in searches. */
  readonly search: Searchable;
};

const usernameTaken = ({ username }: Pick<User, 'username'>): string =>
  `User with username [${username}] already exists.`;

export const USER: AnnouncedKind<User, UserState, UserDocument> = {
  collection: USERS,
  conflict: usernameTaken,
  read: ({ _id: id, search: _, ...rest }) => ({ ...withMissing({ skypeUsername: undefined }, rest), id }),
  write: ({ id, ...rest }) => ({ _id: id, ...rest, search: searchable(rest) }),
  message: userMessage,
};

export const userIndexes: readonly IndexPlan[] = [
  {
    collection: USERS,
    keys: { username: 1 },
    options: { unique: true, name: 'username' },
    serves: 'one user for each user name (U1); reads by user name; lists sorted by it',
  },
  { collection: USERS, keys: { fullName: 1, _id: 1 }, serves: 'lists sorted by full name' },
  { collection: USERS, keys: { createdAt: 1, _id: 1 }, serves: 'lists sorted by creation, searches for it' },
  { collection: USERS, keys: { 'role.id': 1 }, serves: 'whether another user is an owner; who has a role' },
  { collection: USERS, keys: { 'search.fullName': 1, username: 1 }, serves: 'searches by full name' },
  { collection: USERS, keys: { 'search.role': 1, username: 1 }, serves: 'searches by the name of a role' },
  { collection: USERS, keys: { 'search.locale': 1, username: 1 }, serves: 'searches by locale' },
  { collection: USERS, keys: { 'search.timeZone': 1, username: 1 }, serves: 'searches by time zone' },
  { collection: USERS, keys: { 'search.userAddress': 1, username: 1 }, serves: 'searches by a part of the address' },
  { collection: USERS, keys: { 'contacts.to': 1 }, serves: 'which user has an account of a chat' },
  ...['contacts.id', 'notificationRules.id', 'notificationRules.steps.id'].map((field) => ({
    collection: USERS,
    keys: { [field]: 1 } as const,
    serves: 'whether another user has an imported id',
  })),
  { collection: USERS, keys: { blocked: 1, username: 1 }, serves: 'searches for who is blocked' },
  { collection: USERS, keys: { verified: 1, username: 1 }, serves: 'searches for who is verified' },
];

/** By what other services find users. */
const KEYS = { id: '_id', username: 'username', telegram: 'contacts.to' } as const;

export interface UserPage {
  /** A user is listed if all of them hold. */
  readonly conditions: readonly UserCondition[];
  readonly sort: UserSort;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  /** At least 1. */
  readonly limit: number;
}

/** The fields of each user in a list besides the id, without the notification rules, which are the largest part. */
export const LISTED_FIELDS = [
  ...(['username', 'fullName', 'role', 'skypeUsername', 'userAddress', 'tags', 'details', 'timeZone'] as const),
  ...(['locale', 'blocked', 'verified', 'mutedUntil', 'createdAt', 'contacts'] as const),
] as const;

export type ListedUser = Pick<User, 'id' | (typeof LISTED_FIELDS)[number]>;

export interface UserList {
  readonly users: readonly ListedUser[];
  /** On all pages. */
  readonly total: number;
}

/** A team of a user. */
export type TeamName = Pick<Team, 'id' | 'name'>;

/** The result of a removal. */
export type UserRemoval =
  | { readonly kind: 'removed' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'member'; readonly teamNames: readonly string[] }
  | { readonly kind: 'last-owner' };

export interface UserStoreOptions {
  readonly connection: Connection;
  readonly users: ConfigurationCollection<User>;
  readonly roles: ConfigurationCollection<CustomRole>;
  readonly teams: ConfigurationCollection<Team>;
  readonly sessions: ConfigurationCollection<UserSession>;
  /** Publishes `users.v1`. */
  readonly announcements: Pick<EntityStates<unknown>, 'publishDeletions' | 'publishNow'>;
  /** Relays `notice-commands.v1`. */
  readonly outbox: Pick<Outbox, 'add'>;
}

/** Keeps users in MongoDB. Every change of one is published on `users.v1`. */
export class UserStore {
  readonly #options: UserStoreOptions;
  readonly #totals: UserTotals;

  constructor(options: UserStoreOptions) {
    this.#options = options;
    const revision = new Revision(options.connection);
    this.#totals = new UserTotals({
      revision: () => revision.current(),
      count: (conditions) => options.users.count(userFilter(conditions)),
    });
  }

  /**
   * Stores a new user and sends `notices`: both, or neither.
   *
   * @throws ConflictError when the user name is taken.
   * @throws NotFoundError when the role does not exist.
   */
  async insert(user: User, notices: readonly NoticeCommand[] = []): Promise<void> {
    await this.#change(async (session) => {
      const role = await this.#present(user.role, session);
      await this.#options.users.insert({ ...user, role }, session);
      await this.#options.outbox.add(session, NoticeCommands, notices);
    });
  }

  /**
   * Writes the user who has this id: what `work` makes of the present one, or of none (I4). No other configuration is written meanwhile.
   * Nothing is written where `work` returns its argument. `work` may run several times. Only the store changes the version.
   *
   * @throws ConflictError when another user has the user name, or the id of a contact.
   * @throws NotFoundError when the role does not exist.
   */
  put(
    { id, role, username }: Pick<User, 'id' | 'role' | 'username'>,
    work: (present: User | undefined, facts: UserFacts & { readonly role: Role }) => User,
  ): Promise<Put<User>> {
    const { users } = this.#options;
    return this.#change(async (session) => {
      const namesake = await users.find({ username, _id: { $ne: id } }, session);
      if (namesake !== undefined) throw new ConflictError(`${usernameTaken(namesake)} Its id is ${namesake.id}.`);
      const facts = { role: await this.#present(role, session), isOnlyOwner: (await this.#owners(session)) === 1 };
      const put = await users.put(
        id,
        (present) => {
          const isLastOwner = present !== undefined && isOwner(present.role) && facts.isOnlyOwner;
          const user = work(present, { isLastOwner, role: facts.role });
          return present === undefined || user === present ? user : withNextVersion(user, present);
        },
        session,
      );
      if (put.entity !== put.present) await this.#refuseTakenIds(put.entity, session);
      return put;
    });
  }

  find(reference: UserReference): Promise<User | undefined> {
    return this.#options.users.find(filterOf(reference));
  }

  /** The users with one of `values` as their `key`, in no order. `telegram`: the address of an account of Telegram. */
  withAny(key: keyof typeof KEYS, values: readonly string[]): Promise<readonly User[]> {
    return this.#options.users.select({ [KEYS[key]]: { $in: [...values] } }, { sort: {} });
  }

  /** The users that exist, in no order, each once. */
  async names(references: readonly UserReference[]): Promise<readonly UserName[]> {
    if (references.length === 0) return [];
    const ids = references.flatMap((reference) => ('id' in reference ? [reference.id] : []));
    const usernames = references.flatMap((reference) => ('username' in reference ? [reference.username] : []));
    const any = { $or: [{ _id: { $in: ids } }, { username: { $in: usernames } }] };
    return this.#options.users.select(any, { fields: ['username'], sort: {} });
  }

  /** Equal sort values are in the order of their ids. */
  async list({ conditions, sort, order, offset: skip, limit }: UserPage): Promise<UserList> {
    const page = { fields: LISTED_FIELDS, sort: userOrder(sort, order), skip, limit };
    const [users, total] = await Promise.all([
      this.#options.users.select(userFilter(conditions), page),
      this.#totals.of(conditions),
    ]);
    return { users, total };
  }

  count(): Promise<number> {
    return this.#totals.of([]);
  }

  /** The active teams of which the user is a member, by creation, then id. */
  teamsOf(id: string): Promise<readonly TeamName[]> {
    return this.#teamsOf(id, 'active');
  }

  /**
   * Replaces the user by what `work` makes of them, undisturbed by other writers of configuration. `work` may run several times. Where
   * it throws, its error is thrown and nothing is written. Only the store changes the version.
   *
   * @returns undefined when there is no such user.
   * @throws NotFoundError when the new role does not exist.
   */
  async change<T>(
    reference: UserReference,
    work: (user: User, facts: UserFacts) => UserChange<T>,
  ): Promise<{ readonly answer: T } | undefined> {
    return this.#change(async (session) => {
      const user = await this.#options.users.find(filterOf(reference), session);
      if (user === undefined) return undefined;
      const changed = work(user, { isLastOwner: await this.#isLastOwner(user, session) });
      return this.#writeChange(user, changed, session);
    });
  }

  /** As {@link change}, for an address that one user alone may have: `work` also gets whether another one has it. A contact that is not verified holds no address. */
  async changeAddress<T>(
    id: string,
    to: string,
    work: (user: User, isHeld: boolean) => UserChange<T>,
  ): Promise<{ readonly answer: T } | undefined> {
    const { users } = this.#options;
    return this.#change(async (session) => {
      const user = await users.find({ _id: id }, session);
      if (user === undefined) return undefined;
      const others = await users.count(
        { contacts: { $elemMatch: { to, verification: { $exists: false } } }, _id: { $ne: id } },
        { limit: 1, session },
      );
      return this.#writeChange(user, work(user, others > 0), session);
    });
  }

  async #writeChange<T>(user: User, changed: UserChange<T>, session: Session): Promise<{ readonly answer: T }> {
    const { outbox, users } = this.#options;
    if (changed.user !== user) {
      const { role } = changed.user;
      const next =
        role.id === user.role.id ? changed.user : { ...changed.user, role: await this.#present(role, session) };
      await users.replace(user, withNextVersion(next, user), session);
      if (changed.hasIdsOfCaller === true) await this.#refuseTakenIds(next, session);
    }
    await outbox.add(session, NoticeCommands, changed.notices ?? []);
    return { answer: changed.answer };
  }

  /**
   * Removes the user and ends their sessions, unless they are the last owner or a member of a team that is not being deleted. An import may
   * create a user with the id again.
   */
  async remove(id: string): Promise<UserRemoval> {
    const { sessions, users } = this.#options;
    return this.#change(async (session) => {
      const user = await users.find({ _id: id }, session);
      if (user === undefined) return { kind: 'missing' };
      const teams = await this.#teamsOf(id, { $ne: 'deleting' }, session);
      const teamNames = teams.map(({ name }) => name);
      if (teamNames.length > 0) return { kind: 'member', teamNames };
      if (await this.#isLastOwner(user, session)) return { kind: 'last-owner' };
      await users.remove({ _id: id }, session);
      await sessions.write({ removed: await sessions.list({ userId: id }, session) }, session);
      return { kind: 'removed' };
    });
  }

  /**
   * Resolves when `users.v1` has the user as they are stored, or that they are gone: from then on gateways know what their sessions may
   * do (K21).
   *
   * @throws UnavailableError where it is stored but not on the topic yet. The outbox publishes it later.
   */
  publishNow(id: string): Promise<void> {
    return this.#options.announcements.publishNow([id]);
  }

  /**
   * Resolves when `users.v1` has each removal that is stored.
   *
   * @throws UnavailableError as {@link publishNow}.
   */
  publishRemovals(): Promise<void> {
    return this.#options.announcements.publishDeletions();
  }

  async hasOwner(): Promise<boolean> {
    return (await this.#owners()) > 0;
  }

  /** How many users have the role, and the user names of at most `limit` of them. */
  async withRole(
    roleId: string,
    limit: number,
    session: Session,
  ): Promise<{ readonly count: number; readonly usernames: readonly string[] }> {
    const { users } = this.#options;
    const filter = { 'role.id': roleId };
    const count = await users.count(filter, { session });
    if (count === 0) return { count, usernames: [] };
    const named = await users.select(filter, { fields: ['username'], sort: {}, limit, session });
    return { count, usernames: named.map(({ username }) => username).toSorted() };
  }

  /** Renames the role of all users who have it. Other services know a role by its id, so the versions stay. */
  async renameRole({ id, name }: Role, session: Session): Promise<void> {
    const documents = collectionOf<UserDocument>(this.#options.connection, USERS);
    const renamed = { 'role.name': name, 'search.role': folded(name) };
    await documents.updateMany({ 'role.id': id }, { $set: renamed }, { session });
  }

  /** Those of the users who are not verified, or have a device that is not. */
  unverified(ids: readonly string[], session: Session): Promise<readonly User[]> {
    const unverified = [{ verified: false }, { 'contacts.device.verified': false }];
    return this.#options.users.list({ _id: { $in: [...ids] }, $or: unverified }, session);
  }

  /** The users of these ids. */
  named(ids: readonly string[], session: Session): Promise<readonly User[]> {
    return this.#options.users.list({ _id: { $in: [...ids] } }, session);
  }

  /** Replaces users that `unverified` or `named` has read in the same transaction. */
  replaceAll(put: readonly User[], session: Session): Promise<void> {
    return this.#options.users.write({ put }, session);
  }

  /** As {@link replaceAll}, with messages to users: all of it, or nothing. */
  async replaceAndNotify(put: readonly User[], notices: readonly NoticeCommand[], session: Session): Promise<void> {
    await this.replaceAll(put, session);
    await this.#options.outbox.add(session, NoticeCommands, notices);
  }

  #change<R>(work: (session: Session) => Promise<R>): Promise<R> {
    return changeConfiguration(this.#options.connection, work);
  }

  #teamsOf(id: string, phase: Filter | 'active', session?: Session): Promise<readonly TeamName[]> {
    return this.#options.teams.select({ 'members.userId': id, phase }, { fields: ['name'], session });
  }

  /** @throws ConflictError when another user has the id of a contact, notification rule or step of this one. */
  async #refuseTakenIds(user: User, session: Session): Promise<void> {
    const ids = nestedIdsOf(user);
    const fields = ['contacts.id', 'notificationRules.id', 'notificationRules.steps.id'];
    const others = { _id: { $ne: user.id }, $or: fields.map((field) => ({ [field]: { $in: ids } })) };
    const other = await this.#options.users.find(others, session);
    if (other === undefined) return;
    const taken = nestedIdsOf(other).find((id) => ids.includes(id)) ?? '';
    throw new ConflictError(`The id [${taken}] is that of a contact or notification rule of user [${other.username}].`);
  }

  /** The role as it is now: it was looked up before this transaction. */
  async #present(role: Role, session: Session): Promise<Role> {
    if (isFixed(role)) return role;
    const found = await this.#options.roles.find({ _id: role.id }, session);
    if (found === undefined) throw unknownRole({ name: role.name });
    return { id: role.id, name: found.name };
  }

  async #isLastOwner({ role }: Pick<User, 'role'>, session: Session): Promise<boolean> {
    return isOwner(role) && (await this.#owners(session)) === 1;
  }

  #owners(session?: Session): Promise<number> {
    return this.#options.users.count({ 'role.id': 'owner' }, { limit: 2, ...(session && { session }) });
  }
}

const nestedIdsOf = ({ contacts, notificationRules }: User): readonly string[] => [
  ...contacts.map(({ id }) => id),
  ...notificationRules.flatMap(({ id, steps }) => [id, ...steps.map((step) => step.id)]),
];

const filterOf = (reference: UserReference): Filter =>
  'id' in reference ? { _id: reference.id } : { username: reference.username };
