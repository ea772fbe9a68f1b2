import { randomBytes } from 'node:crypto';
import {
  contactAddressFault,
  type CreateContactBody,
  type KeyedPushService,
  type RegisterDeviceBody,
} from '@tocsin/api';
import { type Clock, ConflictError, InvalidError } from '@tocsin/core';
import { deviceAddress } from '@tocsin/events';
import { excess } from '../notification-rules/notification-rule.ts';
import type { Users } from '../users/operations.ts';
import type { User, UserChange } from '../users/user.ts';
import { type Contact, type ContactPath, unknownContact } from './contact.ts';
import {
  type ConfirmationPolicy,
  contactOf,
  MAX_CONTACTS_OF_METHOD,
  type NewDevice,
  NO_ROOM_FOR_DEVICE,
  subscription,
  withAddress,
  withContact,
  withContactEnabled,
  withDevice,
  withoutContact,
} from './user-contacts.ts';
import { type CodeSources, freshCode, type FreshCode, orderCode } from './verification-operations.ts';

export interface ContactsDependencies {
  readonly users: Pick<Users, 'change' | 'get'>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Six random digits. */
  readonly newCode: () => string;
  readonly codeSealer: CodeSources['codeSealer'];
  readonly confirmation: ConfirmationPolicy;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
}

const NO_CODE_SENT = 'No code was sent, because too many were sent lately. Ask for one later.';

const TOPIC_STAYS = 'is the topic of a device and stays: register the device anew';

const addressFault = ({ method, to: present }: Contact, to: string): string | undefined => {
  if (method === 'mobile') return to === present ? undefined : TOPIC_STAYS;
  return contactAddressFault(method, to);
};

const taken = (method: string, to: string): ConflictError =>
  new ConflictError(`Contact [${method}] [${to}] already exists.`);

/** The answer to a write of a contact. */
export interface ContactAnswer {
  readonly id: string;
  /** For users. */
  readonly message: string | undefined;
}

/** Creates, reads, changes and deletes the contacts of users (part 3, 4.2). */
export class Contacts {
  readonly #ports: ContactsDependencies;

  constructor(ports: ContactsDependencies) {
    this.#ports = ports;
  }

  /**
   * The contacts in the order in which they were added.
   *
   * @throws NotFoundError when there is no such user.
   */
  async list(user: string): Promise<readonly Contact[]> {
    return (await this.#ports.users.get(user)).contacts;
  }

  /** @throws NotFoundError when there is no such user or contact. */
  async get({ user, contactId }: ContactPath): Promise<Contact> {
    const contact = (await this.list(user)).find(({ id }) => id === contactId);
    if (contact === undefined) throw unknownContact(contactId);
    return contact;
  }

  /**
   * Adds a contact, and sends its code where contacts are confirmed (U3).
   *
   * @throws NotFoundError when there is no such user.
   * @throws ConflictError when the user has the contact.
   * @throws InvalidError when the user has as many contacts of the method as one may have.
   */
  async create(user: string, { method, to }: CreateContactBody): Promise<ContactAnswer> {
    const { newId, confirmation } = this.#ports;
    const [id, stepId, fresh] = [newId(), newId(), freshCode(this.#ports)];
    return this.#ports.users.change(user, (present) => {
      const addition = withContact(present, { id, method, to }, stepId, confirmation);
      if (addition.kind === 'taken') throw taken(method, to);
      if (addition.kind === 'full')
        throw InvalidError.ofFields({ method: `has ${MAX_CONTACTS_OF_METHOD} contacts already, which is the most` });
      return this.#withCode(addition.user, id, fresh);
    });
  }

  /**
   * Changes the address of a contact, and of the steps that use it (U12). A new address must be verified again (U3).
   *
   * @throws NotFoundError when there is no such user or contact.
   * @throws InvalidError when the address does not have the form of the method, or makes the rules too long.
   * @throws ConflictError when another contact of the user has the address.
   */
  async move({ user, contactId }: ContactPath, to: string): Promise<ContactAnswer> {
    const fresh = freshCode(this.#ports);
    return this.#ports.users.change(user, (present) => {
      const contact = contactOf(present, contactId);
      if (contact === undefined) throw unknownContact(contactId);
      const fault = addressFault(contact, to);
      if (fault !== undefined) throw InvalidError.ofFields({ to: fault });
      const move = withAddress(present, contactId, to, this.#ports.confirmation);
      if (move.kind === 'missing') throw unknownContact(contactId);
      if (move.kind === 'taken') throw taken(contact.method, to);
      const tooMuch = excess(move.user.notificationRules);
      if (tooMuch !== undefined) throw InvalidError.about('notificationRules', tooMuch);
      const elsewhere = contactOf(move.user, contactId)?.verification !== contact.verification;
      if (!elsewhere) return { user: move.user, answer: { id: contactId, message: undefined } };
      return this.#withCode(move.user, contactId, fresh);
    });
  }

  /**
   * Deletes a contact and the steps that use it, which the answer names. `by` is the name of the key or of the user, for the log.
   *
   * @throws NotFoundError when there is no such user or contact.
   */
  async remove({ user, contactId }: ContactPath, by: string): Promise<ContactAnswer> {
    const { userId, method, rulesCut } = await this.#ports.users.change(user, (present) => {
      const removal = withoutContact(present, contactId);
      if (removal === undefined) throw unknownContact(contactId);
      const { contact, rulesCut } = removal;
      return { user: removal.user, answer: { userId: present.id, method: contact.method, rulesCut } };
    });
    if (rulesCut.length === 0) return { id: contactId, message: undefined };
    this.#ports.log.info({ userId, contactId, method, rules: rulesCut, by }, 'steps were deleted with their contact');
    return { id: contactId, message: `The steps that used the contact were deleted from: ${rulesCut.join(', ')}.` };
  }

  /** @throws NotFoundError when there is no such user or contact. */
  async setEnabled({ user, contactId }: ContactPath, enabled: boolean): Promise<void> {
    await this.#ports.users.change(user, (present) => {
      const changed = withContactEnabled(present, contactId, enabled);
      if (changed === undefined) throw unknownContact(contactId);
      return { user: changed, answer: undefined };
    });
  }

  /** Sends the code of a contact that needs one, unless too many were sent lately: then its owner has to ask for one. */
  #withCode(user: User, id: string, fresh: FreshCode): UserChange<ContactAnswer> {
    const dispatch = orderCode(user, id, fresh, this.#ports.clock.now());
    if (dispatch.kind === 'sent')
      return { ...dispatch, answer: { id, message: 'The code that confirms the contact is on its way.' } };
    const message = dispatch.kind === 'too-soon' ? NO_CODE_SENT : undefined;
    return { user, answer: { id, message } };
  }
}

/** A topic of 144 random bits. */
export const randomTopic = (): string => `tocsin-${randomBytes(18).toString('base64url')}`;

export interface DevicesDependencies {
  readonly users: Pick<Users, 'change' | 'get'>;
  readonly newId: () => string;
  /** A random topic. */
  readonly newTopic: () => string;
  /** The push server; without it there are no devices. */
  readonly pushUrl: string | undefined;
  /** The push services beside it that are set up. */
  readonly deviceServices: Readonly<Record<KeyedPushService, boolean>>;
}

const SERVICE_NAMES: Readonly<Record<KeyedPushService, string>> = { gotify: 'Gotify', pushover: 'Pushover' };

/** The body of a device that is registered at once. */
type DeviceBody = RegisterDeviceBody & { readonly kind: KeyedPushService | 'ntfy' };

/** A device that was registered: its contact, and what it subscribes to. */
export interface RegisteredDevice {
  readonly id: string;
  /** The address of the contact. */
  readonly topic: string;
  /** Absent where the device gets messages without a subscription. */
  readonly url?: string;
  readonly qrText?: string;
}

/** The devices of users that show push messages (U13). */
export class Devices {
  readonly #ports: DevicesDependencies;

  constructor(ports: DevicesDependencies) {
    this.#ports = ports;
  }

  /**
   * Adds a contact of method mobile.
   *
   * @throws NotFoundError when there is no such user.
   * @throws InvalidError when push is not set up, or the user has as many devices as one may have.
   */
  async register(user: string, { key = '', kind, name }: DeviceBody): Promise<RegisteredDevice> {
    const { deviceServices, newId, newTopic, pushUrl } = this.#ports;
    if (kind !== 'ntfy') {
      if (!deviceServices[kind])
        throw InvalidError.about(
          'devices',
          `${SERVICE_NAMES[kind]} is not set up: ${kind.toUpperCase()}_URL is not set.`,
        );
      return this.#add(user, { id: newId(), name, topic: deviceAddress(kind, key) });
    }
    if (pushUrl === undefined)
      throw InvalidError.about('devices', 'Push is not set up in this installation: PUSH_URL is not set.');
    const device = await this.#add(user, { id: newId(), name, topic: newTopic() });
    return { ...device, ...subscription(pushUrl, device.topic) };
  }

  async #add(user: string, device: NewDevice): Promise<RegisteredDevice> {
    const { id, topic } = device;
    await this.#ports.users.change(user, (present) => {
      if (present.contacts.some(({ method, to }) => method === 'mobile' && to === topic))
        throw InvalidError.about('devices', 'The user has a device with this key already.');
      const changed = withDevice(present, device);
      if (changed === undefined) throw InvalidError.about('devices', NO_ROOM_FOR_DEVICE);
      return { user: changed, answer: undefined };
    });
    return { id, topic };
  }
}
