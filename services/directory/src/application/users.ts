import type { Clock } from '@tocsin/clock';
import { CreateUserBody, type UpdateUserBody } from '@tocsin/contracts';
import { ConflictError, InUseError, InvalidError } from '@tocsin/errors';
import { invitation, type Inviter } from '../domain/invitation.ts';
import { isOwner } from '../domain/role.ts';
import type { User } from '../domain/user.ts';
import type { Scheduling } from '../ports/scheduling.ts';
import type { TeamName, UserList, UserPage, UserStore } from '../ports/user-store.ts';
import { changeUser, existingUser } from './existing-user.ts';
import { newUser } from './new-user.ts';
import { unknownUser } from './not-found.ts';
import type { Roles } from './roles.ts';
import { userChanged } from './user-change.ts';

/** What holds for the whole account where a body does not say (K5). */
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
   * Makes a user, and invites them in the name of `inviter` unless the body says not to; without one nobody is invited.
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

  /** @throws NotFoundError when there is no such user. */
  async get(identifier: string): Promise<User> {
    return existingUser(this.#ports.users, identifier);
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
   * Changes what the body names; nothing is announced where that is what there was.
   *
   * @throws NotFoundError when there is no such user, or no such role.
   * @throws InvalidError when the last owner of the account would be none.
   */
  async update(identifier: string, body: UpdateUserBody): Promise<void> {
    const role = body.role === undefined ? undefined : await this.#ports.roles.named(body.role);
    await changeUser(this.#ports.users, identifier, (user, { lastOwner }) => {
      const changed = userChanged(user, body, role);
      if (lastOwner && !isOwner(changed.role)) throw lastOwnerStays('role', user, 'needs that role');
      return { user: changed, answer: undefined };
    });
  }

  /**
   * Removes a user whom no team, rotation or escalation names (S12), with their contacts and rules. Whether scheduling
   * names them is best effort.
   *
   * @throws NotFoundError when there is no such user.
   * @throws InUseError when something names them.
   * @throws InvalidError when nobody else owns the account.
   * @throws UnavailableError when scheduling cannot be asked.
   */
  async remove(identifier: string): Promise<void> {
    const user = await this.get(identifier);
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
        return;
      case 'missing':
        throw unknownUser(identifier);
      case 'member':
        throw stillMember(user, removal.teamNames);
      case 'last-owner':
        throw lastOwnerStays('identifier', user, 'can not be deleted');
    }
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

const lastOwnerStays = (field: string, { username }: User, why: string) =>
  InvalidError.about(field, `User [${username}] is the last owner of the account and ${why}.`);
