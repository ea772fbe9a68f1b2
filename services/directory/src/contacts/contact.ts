import type { ContactMethod, UserState } from '@tocsin/events';
import type { NotFoundError } from '@tocsin/core';
import { doesNotExist } from '../references/reference.ts';
import type { Verification } from './verification-code.ts';

/** Where the push service of a browser takes messages for it, and the keys that encrypt them, as base64url. */
export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** A device that shows push messages (U13, U22). */
export interface Device {
  /** The name that its owner gave it. */
  readonly name: string;
  /**
   * Whether the push server has accepted a message for it; whether the device showed it is not known. A device that is not verified
   * is used as well, because only the user who registered it knows its topic.
   */
  readonly verified: boolean;
  /** Of a browser; `ended` once its push service said that it is no longer subscribed. */
  readonly subscription?: Subscription | 'ended';
}

/** Part 3, 2.2: one way to reach a user. */
export interface Contact {
  readonly id: string;
  readonly method: ContactMethod;
  /** As it was written; of one method a user has each address once. */
  readonly to: string;
  /** Whether its owner wants it to be used. */
  readonly enabled: boolean;
  /** Present until the contact is verified. It is not used before (U3). */
  readonly verification?: Verification;
  /** Of method mobile: what it is of; then `to` is the topic to which the device listens (U13), or the name of a subscription (U22). */
  readonly device?: Device;
}

/** A contact as a path names it: a user by id or user name, and the id of the contact. */
export interface ContactPath {
  readonly user: string;
  readonly contactId: string;
}

export const unknownContact = (id: string): NotFoundError => doesNotExist('Contact', { id });

/** Whether two addresses of one method reach the same place: mail addresses do in any case. */
export function sameAddress(method: ContactMethod, one: string, other: string): boolean {
  return method === 'email' ? one.toLowerCase() === other.toLowerCase() : one === other;
}

/** Why a contact is not used, in words; undefined where it is. */
export function disabledReason({ device, enabled, verification }: Contact): string | undefined {
  if (!enabled) return 'Contact is disabled.';
  if (device?.subscription === 'ended') return 'The browser is no longer subscribed to push messages.';
  return verification === undefined ? undefined : 'Contact is not verified yet.';
}

/** The part of a contact that other services know: nothing of its code. */
export function contactState(contact: Contact): UserState['contacts'][number] {
  const { device, enabled, id, method, to, verification } = contact;
  return {
    id,
    method,
    to,
    enabled,
    ...(verification !== undefined && { unverified: true }),
    ...(device?.verified === false && { unverifiedDevice: true }),
    ...subscriptionState(device?.subscription),
  };
}

function subscriptionState(subscription: Device['subscription']) {
  if (subscription === undefined) return {};
  return subscription === 'ended' ? ({ subscriptionEnded: true } as const) : { subscription };
}
