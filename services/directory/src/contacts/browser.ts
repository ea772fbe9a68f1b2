import type { User } from '../users/user.ts';
import { withMovedSteps } from './contact-steps.ts';
import type { Contact, Subscription } from './contact.ts';
import { contactOf, hasRoomForDevice, withChanged } from './user-contacts.ts';

/** A browser to register (U22). */
export interface NewBrowser {
  /** Of the contact, if it becomes one. */
  readonly id: string;
  /** The random name of this subscription. */
  readonly to: string;
  /** The name that its user gave it. */
  readonly name: string;
  readonly subscription: Subscription;
  /** The id of the contact that gets the subscription. */
  readonly replaces: string | undefined;
}

export type BrowserAddition =
  | { readonly kind: 'added'; readonly user: User; readonly contact: Contact }
  | { readonly kind: 'full' }
  /** `replaces` is not the contact of a browser of the user. */
  | { readonly kind: 'missing' };

/**
 * The user with a browser. The same subscription again is the same contact. Another one of a known endpoint, or in the place of
 * `replaces`, keeps the id of the contact and its steps; its name is new, so that late messages about the older one do not concern it.
 */
export function withBrowser(user: User, browser: NewBrowser): BrowserAddition {
  const { endpoint } = browser.subscription;
  const known = user.contacts.find(({ device }) => endpointOf(device) === endpoint);
  const replaced = browser.replaces === undefined ? undefined : contactOf(user, browser.replaces);
  if (browser.replaces !== undefined && replaced?.device?.subscription === undefined) return { kind: 'missing' };
  const present = known ?? replaced;
  if (present !== undefined) return replacing(user, present, browser);
  if (!hasRoomForDevice(user)) return { kind: 'full' };
  const contact = contactWith(browser, browser.id);
  return { kind: 'added', contact, user: { ...user, contacts: [...user.contacts, contact] } };
}

function replacing(user: User, present: Contact, browser: NewBrowser): BrowserAddition {
  if (present.enabled && isSame(present.device?.subscription, browser.subscription))
    return { kind: 'added', user, contact: present };
  const contact = contactWith(browser, present.id);
  const notificationRules = withMovedSteps(user.notificationRules, present, contact.to);
  return { kind: 'added', contact, user: { ...withChanged(user, contact), notificationRules } };
}

const contactWith = ({ name, subscription, to }: NewBrowser, id: string): Contact => ({
  id,
  method: 'mobile',
  to,
  enabled: true,
  device: { name, verified: false, subscription },
});

const endpointOf = (device: Contact['device']): string | undefined =>
  typeof device?.subscription === 'object' ? device.subscription.endpoint : undefined;

const isSame = (present: Subscription | 'ended' | undefined, { auth, endpoint, p256dh }: Subscription): boolean =>
  typeof present === 'object' && present.endpoint === endpoint && present.p256dh === p256dh && present.auth === auth;

/** The contact of that subscription as long as it has not ended. */
export const liveBrowser = (user: Pick<User, 'contacts'>, to: string): Contact | undefined =>
  user.contacts.find((contact) => contact.to === to && typeof contact.device?.subscription === 'object');

/** The user without that subscription: the contact stays, and is not used. */
export function withEndedSubscription(user: User, { id, device }: Contact): User {
  const contact = contactOf(user, id);
  if (contact === undefined || device === undefined) return user;
  return withChanged(user, { ...contact, device: { ...device, subscription: 'ended' } });
}
