import { contactAddressFault, type CreateContactBody } from '@tocsin/api';
import { type Clock, ConflictError, InvalidError } from '@tocsin/core';
import { excess } from '../notification-rules/notification-rule.ts';
import type { Users } from '../users/operations.ts';
import { type Contact, type ContactPath, unknownContact } from './contact.ts';
import {
  type ConfirmationPolicy,
  contactOf,
  MAX_CONTACTS_OF_METHOD,
  withAddress,
  withContact,
  withContactEnabled,
  withoutContact,
} from './user-contacts.ts';
import { type CodeSources, type ContactAnswer, freshCode, withCodeSent } from './verification-operations.ts';

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

const TOPIC_STAYS = 'is the topic of a device and stays: register the device anew';

const addressFault = ({ method, to: present }: Contact, to: string): string | undefined => {
  if (method === 'mobile') return to === present ? undefined : TOPIC_STAYS;
  return contactAddressFault(method, to);
};

/** The refusal of one contact more of a method. */
export const FULL = `has ${MAX_CONTACTS_OF_METHOD} contacts already, which is the most`;

export const taken = (method: string, to: string): ConflictError =>
  new ConflictError(`Contact [${method}] [${to}] already exists.`);

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
    const { clock, newId, confirmation } = this.#ports;
    const [id, stepId, fresh] = [newId(), newId(), freshCode(this.#ports)];
    return this.#ports.users.change(user, (present) => {
      const addition = withContact(present, { id, method, to }, stepId, confirmation);
      if (addition.kind === 'taken') throw taken(method, to);
      if (addition.kind === 'full') throw InvalidError.ofFields({ method: FULL });
      return withCodeSent(addition.user, id, fresh, clock.now());
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
      return withCodeSent(move.user, contactId, fresh, this.#ports.clock.now());
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
}
