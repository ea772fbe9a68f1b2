import type { Clock } from '@tocsin/clock';
import { contactAddressFault, type CreateContactBody } from '@tocsin/contracts';
import { ConflictError, InvalidError } from '@tocsin/errors';
import {
  contactOf,
  MAX_CONTACTS_OF_METHOD,
  withAddress,
  withContact,
  withContactEnabled,
  withoutContact,
  type ConfirmationPolicy,
} from '../domain/contact-book.ts';
import type { Contact } from '../domain/contact.ts';
import { excess } from '../domain/notification-rules.ts';
import type { User } from '../domain/user.ts';
import type { Log } from '../ports/log.ts';
import type { UserChange, UserStore } from '../ports/user-store.ts';
import { changeUser, existingUser } from './existing-user.ts';
import { unknownContact } from './not-found.ts';
import { dispatched, freshCode, type FreshCode } from './verification-codes.ts';

export interface ContactsDependencies {
  readonly users: UserStore;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Six digits that nobody can foretell. */
  readonly newCode: () => string;
  readonly confirmation: ConfirmationPolicy;
  readonly log: Log;
}

const NO_CODE_SENT = 'No code was sent, because too many were sent lately. Ask for one later.';

const TOPIC_STAYS = 'is the topic of a device and stays: register the device anew';

const addressFault = ({ method, to: present }: Contact, to: string): string | undefined => {
  if (method === 'mobile') return to === present ? undefined : TOPIC_STAYS;
  return contactAddressFault(method, to);
};

const taken = (method: string, to: string): ConflictError =>
  new ConflictError(`Contact [${method}] [${to}] already exists.`);

/** A contact as a path names it: a user by id or user name, and the id of the contact. */
export interface ContactPath {
  readonly user: string;
  readonly contactId: string;
}

/** What a write of a contact says beyond its success. */
export interface ContactAnswer {
  readonly id: string;
  /** For people to read; absent where there is nothing to say. */
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
    return (await existingUser(this.#ports.users, user)).contacts;
  }

  /** @throws NotFoundError when there is no such user or contact. */
  async get({ user, contactId }: ContactPath): Promise<Contact> {
    const contact = (await this.list(user)).find(({ id }) => id === contactId);
    if (contact === undefined) throw unknownContact(contactId);
    return contact;
  }

  /**
   * Adds a contact; where contacts are confirmed, its code is on its way (U3).
   *
   * @throws NotFoundError when there is no such user.
   * @throws ConflictError when the user has the contact.
   * @throws InvalidError when the user has as many contacts of the method as one may have.
   */
  async create(user: string, { method, to }: CreateContactBody): Promise<ContactAnswer> {
    const { newId, confirmation } = this.#ports;
    const [id, stepId, fresh] = [newId(), newId(), freshCode(this.#ports)];
    return changeUser(this.#ports.users, user, (present) => {
      const addition = withContact(present, { id, method, to }, stepId, confirmation);
      if (addition.kind === 'taken') throw taken(method, to);
      if (addition.kind === 'full')
        throw InvalidError.ofFields({ method: `has ${MAX_CONTACTS_OF_METHOD} contacts already, which is the most` });
      return this.#withCode(addition.user, id, fresh);
    });
  }

  /**
   * Gives a contact another address, and the steps that use it with it (U12); a new place is confirmed anew (U3).
   *
   * @throws NotFoundError when there is no such user or contact.
   * @throws InvalidError when the address has not the form of the method, or the rules become too long with it.
   * @throws ConflictError when another contact of the user has the address.
   */
  async move({ user, contactId }: ContactPath, to: string): Promise<ContactAnswer> {
    const fresh = freshCode(this.#ports);
    return changeUser(this.#ports.users, user, (present) => {
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
   * Deletes a contact and the steps that use it, which the answer names. `by` is who does so, for the log.
   *
   * @throws NotFoundError when there is no such user or contact.
   */
  async remove({ user, contactId }: ContactPath, by: string): Promise<ContactAnswer> {
    const { userId, method, rulesCut } = await changeUser(this.#ports.users, user, (present) => {
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
    await changeUser(this.#ports.users, user, (present) => {
      const changed = withContactEnabled(present, contactId, enabled);
      if (changed === undefined) throw unknownContact(contactId);
      return { user: changed, answer: undefined };
    });
  }

  /** Sends the code of a contact that needs one, unless too many were sent lately: then its owner has to ask for one. */
  #withCode(user: User, id: string, fresh: FreshCode): UserChange<ContactAnswer> {
    const dispatch = dispatched(user, id, fresh, this.#ports.clock.now());
    if (dispatch.kind === 'sent')
      return { ...dispatch, answer: { id, message: 'The code that confirms the contact is on its way.' } };
    const message = dispatch.kind === 'too-soon' ? NO_CODE_SENT : undefined;
    return { user, answer: { id, message } };
  }
}
