import type { NoticeCommand, UserCondition, UserSort } from '@tocsin/contracts';
import type { User, UserName, UserReference } from '../domain/user.ts';

export interface UserPage {
  /** All of which hold for whoever is listed. */
  readonly conditions: readonly UserCondition[];
  readonly sort: UserSort;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  /** At least 1. */
  readonly limit: number;
}

/** A user as a list shows one: without the notification rules, which are the bulk of a user. */
export type ListedUser = Omit<User, 'notificationRules'>;

export interface UserList {
  readonly users: readonly ListedUser[];
  /** Of all pages. */
  readonly total: number;
}

/** A team of a user. */
export interface TeamName {
  readonly id: string;
  readonly name: string;
}

/** What became of a removal, decided and done in one step. */
export type UserRemoval =
  | { readonly kind: 'removed' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'member'; readonly teamNames: readonly string[] }
  | { readonly kind: 'last-owner' };

/** The outcome of a change of one user; the same `user` back means that nothing is written. */
export interface UserChange<T> {
  readonly user: User;
  /** Sent if and only if the change is kept; also where the same `user` comes back. */
  readonly notices?: readonly NoticeCommand[];
  readonly answer: T;
}

/** What a change may have to know beyond the user. */
export interface UserStanding {
  /** Nobody else owns the account. */
  readonly lastOwner: boolean;
}

/** Keeps users; every change of one is announced to the other services. */
export interface UserStore {
  /**
   * Keeps a new user and sends `notices`: both, or neither.
   *
   * @throws ConflictError when the user name is taken.
   * @throws NotFoundError when the role does not exist.
   */
  insert(user: User, notices?: readonly NoticeCommand[]): Promise<void>;
  find(reference: UserReference): Promise<User | undefined>;
  /** Those with one of `values` as their `key`, in no order. */
  withAny(key: 'id' | 'username', values: readonly string[]): Promise<readonly User[]>;
  /** Those that exist, in no order, each once. */
  names(references: readonly UserReference[]): Promise<readonly UserName[]>;
  /** Equal sort values are in the order of their ids. */
  list(page: UserPage): Promise<UserList>;
  /** How many there are. */
  count(): Promise<number>;
  /** The active teams that have the user as a member, by creation, then id. */
  teamsOf(id: string): Promise<readonly TeamName[]>;
  /**
   * Lets `work` make a new state out of the present one, while nobody else changes configuration. It may be called
   * several times and must have no effect of its own; what it throws is passed on and nothing is written. The version is
   * the store's business.
   *
   * @returns undefined when there is no such user.
   * @throws NotFoundError when the new role does not exist.
   */
  change<T>(
    reference: UserReference,
    work: (user: User, standing: UserStanding) => UserChange<T>,
  ): Promise<{ readonly answer: T } | undefined>;
  /** Removes the user unless a team that is not being deleted has them as a member, or nobody else is an owner. */
  remove(id: string): Promise<UserRemoval>;
  hasOwner(): Promise<boolean>;
}
