import type { Clock } from '@tocsin/clock';
import { CreateUserBody } from '@tocsin/contracts';
import { ConflictError, InUseError, InvalidError, NotFoundError } from '@tocsin/errors';
import { defaultNotificationRules, DEFAULT_ACTION_TYPES, type DefaultRuleIds } from '../domain/notification-rule.ts';
import { fixedRole, type Role } from '../domain/role.ts';
import { NO_ADDRESS, userReference, type User } from '../domain/user.ts';
import type { Scheduling } from '../ports/scheduling.ts';
import type { UserPage, UserStore } from '../ports/user-store.ts';

/** What holds for the whole account where a body does not say (K5). */
export interface AccountDefaults {
  readonly timezone: string;
  readonly locale: string;
}

export interface UsersDependencies {
  readonly users: UserStore;
  readonly scheduling: Scheduling;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly account: AccountDefaults;
}

/** What can be done with users, without HTTP, Kafka or MongoDB. */
export class Users {
  readonly #users: UserStore;
  readonly #scheduling: Scheduling;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #account: AccountDefaults;

  constructor({ users, scheduling, clock, newId, account }: UsersDependencies) {
    this.#users = users;
    this.#scheduling = scheduling;
    this.#clock = clock;
    this.#newId = newId;
    this.#account = account;
  }

  /**
   * @throws ConflictError when the user name is taken.
   * @throws NotFoundError when the role does not exist.
   */
  async create(body: CreateUserBody): Promise<User> {
    const role = fixedRole(body.role);
    if (role === undefined) throw new NotFoundError(`Role does not exist with name: ${body.role}`);
    const user = this.#newUser(body, role);
    await this.#users.insert(user);
    return user;
  }

  /** @throws NotFoundError when there is no such user. */
  async get(identifier: string): Promise<User> {
    const user = await this.#users.find(userReference(identifier));
    if (user === undefined) throw new NotFoundError(`User does not exist with id or username: ${identifier}`);
    return user;
  }

  async list(page: UserPage): Promise<{ readonly users: readonly User[]; readonly total: number }> {
    return this.#users.list(page);
  }

  /**
   * Removes a user whom no team, rotation or escalation names (S12). Whether scheduling names them is best effort.
   *
   * @throws NotFoundError when there is no such user.
   * @throws InUseError when something names them.
   * @throws InvalidError when nobody else owns the account.
   * @throws UnavailableError when scheduling cannot be asked.
   */
  async remove(identifier: string): Promise<void> {
    const { id, username } = await this.get(identifier);
    const uses = await this.#scheduling.usesOf('user', id);
    if (uses.length > 0) throw new InUseError(`User [${username}] is still in use: ${uses.join(' ')}`);
    const removal = await this.#users.remove(id);
    switch (removal.kind) {
      case 'removed':
        return;
      case 'missing':
        throw new NotFoundError(`User does not exist with id or username: ${identifier}`);
      case 'member':
        throw new InUseError(`User [${username}] is still a member of: ${removal.teamNames.join(', ')}.`);
      case 'last-owner':
        throw new InvalidError(`User [${username}] is the last owner of the account and can not be deleted.`);
    }
  }

  /**
   * Sees to it that the account has an owner: the first start makes one of the address, later ones change nothing (K5).
   * Several processes may do so at once. A user who has the address already keeps their role; without an address the
   * account stays without an owner.
   */
  async ensureOwner(email: string | undefined): Promise<void> {
    if (email === undefined || (await this.#users.hasOwner())) return;
    const body = CreateUserBody.parse({ username: email, fullName: email, role: { name: 'owner' } });
    try {
      await this.create(body);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }

  #newUser(body: CreateUserBody, role: Role): User {
    const createdAt = this.#clock.now();
    const ruleIds = Object.fromEntries(
      DEFAULT_ACTION_TYPES.map((actionType) => [actionType, { rule: this.#newId(), step: this.#newId() }]),
    ) as Record<(typeof DEFAULT_ACTION_TYPES)[number], DefaultRuleIds>;
    return {
      id: this.#newId(),
      username: body.username,
      fullName: body.fullName,
      role,
      skypeUsername: body.skypeUsername,
      userAddress: body.userAddress ?? NO_ADDRESS,
      tags: body.tags ?? [],
      details: body.details ?? {},
      timeZone: body.timeZone ?? this.#account.timezone,
      locale: body.locale ?? this.#account.locale,
      invitationDisabled: body.invitationDisabled ?? false,
      blocked: false,
      verified: false,
      createdAt,
      contacts: [{ id: this.#newId(), method: 'email', to: body.username, enabled: true }],
      notificationRules: defaultNotificationRules(body.username, ruleIds),
      version: { epoch: createdAt.getTime(), n: 1 },
    };
  }
}
