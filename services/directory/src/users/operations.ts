import { isDeepStrictEqual } from 'node:util';
import { CreateUserBody, type UpdateUserBody } from '@tocsin/api';
import { type Clock, ConflictError, InUseError, InvalidError } from '@tocsin/core';
import type { Roles } from '../roles/operations.ts';
import { isOwner } from '../roles/role.ts';
import type { Scheduling } from '../schedules/client.ts';
import { invitation, type Inviter, newUser } from './new-user.ts';
import type { TeamName, UserList, UserPage, UserStore } from './store.ts';
import { unknownUser, type User, type UserChange, type UserFacts, userReference } from './user.ts';

/** The defaults of the account for bodies that lack these fields (K5). */
export interface AccountDefaults {
  readonly name: string;
  readonly timezone: string;
  readonly locale: string;
}

export interface UsersDependencies {
  readonly users: UserStore;
  readonly roles: Pick<Roles, 'named'>;
  readonly scheduling: Scheduling;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly account: AccountDefaults;
}

/** Creates, reads, changes and deletes users (part 3, 4.1). */
export class Users {
  readonly #ports: UsersDependencies;

  constructor(ports: UsersDependencies) {
    this.#ports = ports;
  }

  /**
   * Creates a user, and invites them in the name of `inviter` unless the body says not to. Without one, no invitation is sent.
   *
   * @throws ConflictError when the user name is taken.
   * @throws NotFoundError when the role does not exist.
   */
  async create(body: CreateUserBody, inviter?: Inviter): Promise<User> {
    const role = await this.#ports.roles.named(body.role);
    const user = newUser(body, {
      role,
      account: this.#ports.account,
      createdAt: this.#ports.clock.now(),
      newId: this.#ports.newId,
    });
    const invited = inviter !== undefined && !user.invitationDisabled;
    await this.#ports.users.insert(user, invited ? [invitation(user, inviter, this.#ports.account.name)] : []);
    return user;
  }

  /**
   * The user whose id or user name is `identifier`.
   *
   * @throws NotFoundError when there is none.
   */
  async get(identifier: string): Promise<User> {
    const user = await this.#ports.users.find(userReference(identifier));
    if (user === undefined) throw unknownUser(identifier);
    return user;
  }

  /**
   * Changes the user whose id or user name is `identifier`, as `UserStore.change`; resolves to the answer of `work`.
   *
   * @throws NotFoundError when there is none.
   */
  async change<T>(identifier: string, work: (user: User, facts: UserFacts) => UserChange<T>): Promise<T> {
    const changed = await this.#ports.users.change(userReference(identifier), work);
    if (changed === undefined) throw unknownUser(identifier);
    return changed.answer;
  }

  /** As {@link UserStore.changeAddress}. Undefined where there is no such user. */
  async changeAddress<T>(
    id: string,
    to: string,
    work: (user: User, isHeld: boolean) => UserChange<T>,
  ): Promise<T | undefined> {
    return (await this.#ports.users.changeAddress(id, to, work))?.answer;
  }

  /** The user who has linked an account of Telegram, by its address; undefined where there is none. */
  async withAccount(address: string): Promise<User | undefined> {
    return (await this.#ports.users.withAny('telegram', [address])).at(0);
  }

  async list(page: UserPage): Promise<UserList> {
    return this.#ports.users.list(page);
  }

  /**
   * The teams of a user, or of these the one to which the caller's key is bound (K4).
   *
   * @throws NotFoundError when there is no such user.
   */
  async teamsOf(identifier: string, boundTo: string | undefined): Promise<readonly TeamName[]> {
    const { id } = await this.get(identifier);
    const teams = await this.#ports.users.teamsOf(id);
    return boundTo === undefined ? teams : teams.filter((team) => team.id === boundTo);
  }

  /**
   * Changes what the body names. Nothing is written where that changes nothing (E10). A role is published also where the user has it already:
   * a request before may have stored it, and was answered 503.
   *
   * @throws NotFoundError when there is no such user, or no such role.
   * @throws InvalidError when the last owner of the account would be none.
   * @throws UnavailableError where the body names a role, and gateways do not know of it yet (K21).
   */
  async update(identifier: string, body: UpdateUserBody): Promise<void> {
    const role = body.role === undefined ? undefined : await this.#ports.roles.named(body.role);
    const id = await this.change(identifier, (user, { isLastOwner }) => {
      const changed = userChanged(user, body, role);
      if (isLastOwner && !isOwner(changed.role)) throw lastOwnerStays('role', user, 'needs that role');
      return { user: changed, answer: user.id };
    });
    if (role !== undefined) await this.#ports.users.publishNow(id);
  }

  /**
   * Removes a user whom no team, rotation or escalation names (S12), with their contacts and rules. Whether scheduling
   * names them is best effort.
   *
   * @throws NotFoundError when there is no such user, and gateways know that of each that was removed.
   * @throws InUseError when something names them.
   * @throws InvalidError when no other user owns the account.
   * @throws UnavailableError when scheduling cannot be asked, and where gateways do not know of the removal yet (K21).
   */
  async remove(identifier: string): Promise<void> {
    const user = await this.#ports.users.find(userReference(identifier));
    if (user === undefined) return this.#refuseMissing(identifier);
    const { id, username } = user;
    const teams = await this.#ports.users.teamsOf(id);
    if (teams.length > 0)
      throw stillMember(
        user,
        teams.map(({ name }) => name),
      );
    const uses = await this.#ports.scheduling.usesOf('user', id);
    if (uses.length > 0) throw new InUseError(`User [${username}] is still in use: ${uses.join(' ')}`);
    const removal = await this.#ports.users.remove(id);
    switch (removal.kind) {
      case 'removed':
        await this.#ports.users.publishNow(id);
        return;
      case 'missing':
        return this.#refuseMissing(identifier);
      case 'member':
        throw stillMember(user, removal.teamNames);
      case 'last-owner':
        throw lastOwnerStays('identifier', user, 'can not be deleted');
    }
  }

  /** A request before may have removed the user, and was answered 503: the answer 404 says that they are gone for gateways too. */
  async #refuseMissing(identifier: string): Promise<never> {
    await this.#ports.users.publishRemovals();
    throw unknownUser(identifier);
  }

  /**
   * Makes the first owner of the account, a user with that address, where it has none (K5).
   * Several processes may do so at once. A user who has the address already keeps their role; without an address the
   * account stays without an owner.
   */
  async ensureOwner(email: string | undefined): Promise<void> {
    if (email === undefined || (await this.#ports.users.hasOwner())) return;
    const body = CreateUserBody.parse({ username: email, fullName: email, role: { name: 'owner' } });
    try {
      await this.create(body);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}

const stillMember = ({ username }: User, teamNames: readonly string[]) =>
  new InUseError(`User [${username}] is still a member of: ${teamNames.join(', ')}.`);

export const lastOwnerStays = (field: string, { username }: User, why: string): InvalidError =>
  InvalidError.about(field, `User [${username}] is the last owner of the account and ${why}.`);

/** `user` with what the body says, in `role` where there is one; the same object where nothing differs (E10). */
function userChanged(user: User, body: UpdateUserBody, role = user.role): User {
  const { mutedUntil: mutedBefore, ...rest } = user;
  const mutedUntil = body.mutedUntil === undefined ? mutedBefore : body.mutedUntil;
  const { skypeUsername = user.skypeUsername } = body;
  const changed: User = {
    ...rest,
    ...profileOf(user, body),
    ...(mutedUntil && { mutedUntil }),
    skypeUsername: skypeUsername === '' ? undefined : skypeUsername,
    role,
  };
  return isDeepStrictEqual(changed, user) ? user : changed;
}

function profileOf(user: User, body: UpdateUserBody) {
  const { fullName = user.fullName, userAddress = user.userAddress, tags = user.tags, details = user.details } = body;
  const { timeZone = user.timeZone, locale = user.locale } = body;
  return { fullName, userAddress, tags, details, timeZone, locale };
}
