import type { ContactBodyMethod } from '@tocsin/api';
import type { User } from '../users/user.ts';
import { withDefaultStep, withMovedSteps, withoutStepsOf, withReplacedContacts } from './contact-steps.ts';
import { type Contact, sameAddress } from './contact.ts';

/** How many contacts of one method that is not `mobile` a user may have (U3). */
export const MAX_CONTACTS_OF_METHOD = 2;
/** How many devices and browsers together a user may have (U13, U22). */
export const MAX_DEVICES = 5;

/** Whether new addresses have to be confirmed before they are used (U3). */
export type ConfirmationPolicy = 'off' | 'required';

/** A contact before it is used or verified. */
export type NewContact = Pick<Contact, 'id' | 'to'> & { readonly method: ContactBodyMethod };

export type ContactAddition =
  { readonly kind: 'added'; readonly user: User } | { readonly kind: 'taken' } | { readonly kind: 'full' };

/**
 * The user with one contact more, the last of their list. The first one of its method gets a step, of the id `stepId`, in
 * the default rule for new alerts if that is as it was made (U1).
 */
export function withContact(
  user: User,
  { id, method, to }: NewContact,
  stepId: string,
  policy: ConfirmationPolicy,
): ContactAddition {
  const ofMethod = user.contacts.filter((contact) => contact.method === method);
  if (ofMethod.some((contact) => sameAddress(method, contact.to, to))) return { kind: 'taken' };
  if (ofMethod.length >= MAX_CONTACTS_OF_METHOD) return { kind: 'full' };
  const contact = pending(user, { id, method, to, enabled: true }, policy);
  const { notificationRules } = user;
  return {
    kind: 'added',
    user: {
      ...user,
      contacts: [...user.contacts, contact],
      notificationRules:
        ofMethod.length === 0 ? withDefaultStep(notificationRules, contact, stepId) : notificationRules,
    },
  };
}

export type ContactMove =
  { readonly kind: 'moved'; readonly user: User } | { readonly kind: 'missing' } | { readonly kind: 'taken' };

/** The user with another address for one contact and for the steps that use it (U12); another place is confirmed anew. */
export function withAddress(user: User, contactId: string, to: string, policy: ConfirmationPolicy): ContactMove {
  const contact = contactOf(user, contactId);
  if (contact === undefined) return { kind: 'missing' };
  if (contact.to === to) return { kind: 'moved', user };
  const { method } = contact;
  const others = user.contacts.filter((other) => other.method === method && other.id !== contactId);
  if (others.some((other) => sameAddress(method, other.to, to))) return { kind: 'taken' };
  const samePlace = sameAddress(method, contact.to, to);
  const moved = samePlace ? { ...contact, to } : pending(user, { ...contact, to }, policy);
  const notificationRules = withMovedSteps(user.notificationRules, contact, to);
  return { kind: 'moved', user: { ...withChanged(user, moved), notificationRules } };
}

/** A contact in a list that replaces those of a user. Without an id it keeps the one that it has by its address. */
export interface ListedContact {
  readonly id?: string | undefined;
  readonly method: ContactBodyMethod;
  readonly to: string;
  readonly enabled: boolean;
}

/** The contact at `place` has the address of one before or the id of a device, or there are too many of its method. */
export interface ContactsFault {
  readonly kind: 'same-address' | 'id-of-device' | 'full';
  readonly place: number;
}

/**
 * The user with these contacts in place of all that are no devices, which follow. All count as confirmed. The address of the user name is one
 * of them, the first where the list lacks it. The first contact of a method that the user had not gets a step as in
 * {@link withContact}.
 */
export function withContacts(user: User, listed: readonly ListedContact[], newId: () => string): User | ContactsFault {
  const devices = user.contacts.filter(({ method }) => method === 'mobile');
  const fault = contactsFault(listed, user);
  if (fault !== undefined) return fault;
  const own = { method: 'email', to: user.username, enabled: true } as const;
  const wanted: readonly ListedContact[] = listed.some((contact) => isOwnAddress(contact, user.username))
    ? listed
    : [own, ...listed];
  const before = user.contacts.filter(({ method }) => method !== 'mobile');
  const ids = new Set(wanted.map(({ id }) => id));
  const after = wanted.map(({ enabled, id, method, to }): Contact => {
    const present = before.find((each) => each.method === method && sameAddress(method, each.to, to));
    const kept = present !== undefined && !ids.has(present.id) ? present.id : newId();
    return { id: id ?? kept, method, to, enabled };
  });
  const moved = withReplacedContacts(user.notificationRules, before, after);
  const added = after.filter(({ method }) => before.every((each) => each.method !== method));
  const notificationRules = added.reduce((rules, contact) => withDefaultStep(rules, contact, newId()), moved);
  return { ...user, contacts: [...after, ...devices], notificationRules };
}

const isOwnAddress = ({ method, to }: Pick<Contact, 'method' | 'to'>, username: string): boolean =>
  method === 'email' && sameAddress('email', to, username);

/** Which of the contacts can not be, and why. The address of the user name does not count among those of its method. */
function contactsFault(listed: readonly ListedContact[], { contacts, username }: User): ContactsFault | undefined {
  for (const [place, contact] of listed.entries()) {
    if (contacts.some(({ id, method }) => method === 'mobile' && id === contact.id))
      return { kind: 'id-of-device', place };
    const others = listed.slice(0, place).filter(({ method }) => method === contact.method);
    if (others.some(({ to }) => sameAddress(contact.method, to, contact.to))) return { kind: 'same-address', place };
    const counted = others.filter((other) => !isOwnAddress(other, username));
    if (counted.length >= MAX_CONTACTS_OF_METHOD && !isOwnAddress(contact, username)) return { kind: 'full', place };
  }
  return undefined;
}

export interface ContactRemoval {
  readonly user: User;
  readonly contact: Contact;
  /** The names of the rules that lost steps, in the order of the rules. */
  readonly rulesCut: readonly string[];
}

/** The user without one contact and without the steps that use it; undefined where there is no such contact. */
export function withoutContact(user: User, contactId: string): ContactRemoval | undefined {
  const contact = contactOf(user, contactId);
  if (contact === undefined) return undefined;
  const { rules, rulesCut } = withoutStepsOf(user.notificationRules, contact);
  const contacts = user.contacts.filter(({ id }) => id !== contactId);
  return { user: { ...user, contacts, notificationRules: rules }, contact, rulesCut };
}

/** The same user where the contact is so already; undefined where there is no such contact. */
export function withContactEnabled(user: User, contactId: string, enabled: boolean): User | undefined {
  const contact = contactOf(user, contactId);
  if (contact === undefined) return undefined;
  return contact.enabled === enabled ? user : withChanged(user, { ...contact, enabled });
}

export function contactOf(user: User, contactId: string): Contact | undefined {
  return user.contacts.find(({ id }) => id === contactId);
}

/** The user with that contact in the place of the one of its id. */
export function withChanged(user: User, contact: Contact): User {
  return { ...user, contacts: user.contacts.map((present) => (present.id === contact.id ? contact : present)) };
}

/** A contact at a new address, which is to be verified if the policy says so; the user's own mail address never is. */
function pending(user: User, { id, method, to, enabled }: Contact, policy: ConfirmationPolicy): Contact {
  const own = method === 'email' && sameAddress('email', to, user.username);
  return { id, method, to, enabled, ...(policy === 'off' || own ? {} : { verification: {} }) };
}

/** A device to register. */
export interface NewDevice {
  readonly id: string;
  readonly name: string;
  /** Secret, and random unless a service beside ntfy gave it: a device that subscribes to it shows what is pushed to the user. */
  readonly topic: string;
  /** Whether it is used only after the code that is sent to it. */
  readonly needsCode?: boolean;
}

/** Whether a user may have one device more (U3). */
export const hasRoomForDevice = ({ contacts }: Pick<User, 'contacts'>): boolean =>
  contacts.filter(({ method }) => method === 'mobile').length < MAX_DEVICES;

/** The refusal of one device more. */
export const NO_ROOM_FOR_DEVICE = `The user has ${MAX_DEVICES} devices already, which is the most.`;

/** The user with one device more, the last of their contacts; undefined where they have as many as one may have (U3). */
export function withDevice(user: User, { id, name, needsCode = false, topic }: NewDevice): User | undefined {
  if (!hasRoomForDevice(user)) return undefined;
  const device = { name, verified: false };
  const contact = { id, method: 'mobile', to: topic, enabled: true, device } as const;
  return { ...user, contacts: [...user.contacts, needsCode ? { ...contact, verification: {} } : contact] };
}

/** Where a device subscribes to a topic of the push server at `pushUrl`: for a browser, and for the app that scans it. */
export function subscription(pushUrl: string, topic: string): { readonly url: string; readonly qrText: string } {
  const { host, origin, protocol } = new URL(pushUrl);
  const insecure = protocol === 'http:' ? '?secure=false' : '';
  return { url: `${origin}/${topic}`, qrText: `ntfy://${host}/${topic}${insecure}` };
}
