import type { ButtonProvider, RoleState, UserState } from '@tocsin/events';
import { Admission, type PersonRole, personRole } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import { abbreviated } from '@tocsin/rules';
import { type AnswerActor, PRODUCT_NAMES } from '../answers/answer.ts';
import { oneLine } from '../messages/safe-text.ts';
import type { UserReplica } from '../messages/user-client.ts';
import type { ChatChannel, ChatClient } from './chat-client.ts';
import type { TrustedAccounts } from './trusted-accounts.ts';

/** Look-ups of accounts at a time: a button may be pressed often. */
const LOOK_UPS = { inAll: 20, each: 2 };

/** The roles that may change no alert (K11). */
const READERS: ReadonlySet<PersonRole> = new Set(['observer', 'stakeholder']);

/** As for a login by a provider: lower case changes no other sign into one of these. */
const PLAIN_ADDRESS = /^[!-~]{1,100}$/;

/** Of the name of an account that has no user, in characters. */
const MAX_NAME = 80;

/** A channel of a product whose accounts may act. */
export interface ActingChannel extends ChatChannel {
  readonly chat: ChatChannel['chat'] & { readonly provider: ButtonProvider };
}

/** The user as whom an account of chat acts. */
export interface ActingUser {
  readonly user: UserState;
  readonly role: PersonRole;
}

/** An account of a trusted workspace or server whose mail address is the user name of no user. */
interface UnknownAccount {
  readonly name: string;
}

export interface AccountUsersPorts {
  readonly clients: Readonly<Record<ButtonProvider, Pick<ChatClient, 'accountOf'>>>;
  readonly accounts: Pick<TrustedAccounts, 'include'>;
  readonly users: Pick<UserReplica, 'fetch'>;
  readonly roles: Pick<ReplicaView<RoleState>, 'get'>;
  /** Whether accounts without a user may press buttons. */
  readonly unknownMayAct: boolean;
}

/** The users of accounts of chat: by the mail address of the account, if the operator trusts the product with that (C7). */
export class AccountUsers {
  readonly #ports: AccountUsersPorts;
  /** By integration. */
  readonly #lookUps = new Admission(LOOK_UPS);

  constructor(ports: AccountUsersPorts) {
    this.#ports = ports;
  }

  /**
   * The user of an account of the channel of an integration, or why there is none, for its owner.
   *
   * @throws UnavailableError where users cannot be looked up.
   */
  async userOf(integrationId: string, channel: ActingChannel, account: string): Promise<ActingUser | string> {
    const found = await this.#find(integrationId, channel, account);
    if (typeof found === 'string' || 'user' in found) return found;
    return this.#ports.unknownMayAct ? `${NO_USER} Buttons work without a user, commands do not.` : NO_USER;
  }

  /**
   * As whom a press of a button by an account of the channel of an integration acts, or why it may not, for its owner: as its user, or, where
   * the operator allows that, in the name of the account.
   *
   * @throws UnavailableError where users cannot be looked up.
   */
  async actorOf(integrationId: string, channel: ActingChannel, account: string): Promise<AnswerActor | string> {
    const found = await this.#find(integrationId, channel, account);
    if (typeof found === 'string') return found;
    if ('user' in found) return mayChange(found) ? found.user : MAY_NOT;
    if (!this.#ports.unknownMayAct) return NO_USER;
    const name = abbreviated(oneLine(found.name), MAX_NAME) || account;
    return { name: `${PRODUCT_NAMES[channel.chat.provider]}: ${name}`, account };
  }

  async #find(
    integrationId: string,
    channel: ActingChannel,
    account: string,
  ): Promise<ActingUser | UnknownAccount | string> {
    const { accounts, clients, roles, users } = this.#ports;
    if (this.#lookUps.tryAcquire(integrationId) !== 'granted') return TOO_MANY;
    try {
      const found = await clients[channel.chat.provider].accountOf(channel, account);
      if (found.kind === 'unknown') return `Nothing was changed: your account cannot be looked up, ${found.reason}.`;
      if (!accounts.include(channel, found) || !PLAIN_ADDRESS.test(found.mail)) return NO_USER;
      const user = await users.fetch('username', found.mail.toLowerCase());
      if (user === undefined) return { name: found.name };
      if (user.blocked) return NO_USER;
      return { user, role: personRole(user.role, roles.get(user.role)) };
    } finally {
      this.#lookUps.release(integrationId);
    }
  }
}

/** Whether a user with this role may change alerts. */
export const mayChange = ({ role }: Pick<ActingUser, 'role'>): boolean => !READERS.has(role);

/** For users who may not. */
export const MAY_NOT = 'Nothing was changed: your role may not change alerts.';

const NO_USER =
  'Nothing was changed: no user of Tocsin has the mail address of your account as their user name. An admin of Tocsin can invite you by that address.';
const TOO_MANY = 'Nothing was changed: too many accounts are looked up now. Please try again.';
