import { ECDH, randomBytes } from 'node:crypto';
import type { RegisterBrowserBody } from '@tocsin/api';
import { InvalidError } from '@tocsin/core';
import { SUBSCRIPTION_PREFIX } from '@tocsin/events';
import { type AddressGuard, addressIn, urlProblem } from '@tocsin/http';
import type { Users } from '../users/operations.ts';
import { withBrowser } from './browser.ts';
import { NO_ROOM_FOR_DEVICE } from './user-contacts.ts';

/** The name of a subscription: 144 random bits. */
export const randomSubscriptionName = (): string => `${SUBSCRIPTION_PREFIX}${randomBytes(18).toString('base64url')}`;

export interface BrowsersDependencies {
  readonly users: Pick<Users, 'change'>;
  readonly newId: () => string;
  /** A random name of a subscription. */
  readonly newSubscriptionName: () => string;
  /** The addresses at which push services may be. */
  readonly pushServices: Pick<AddressGuard, 'allows' | 'refusal'>;
}

/** The contact of a browser. */
export interface RegisteredBrowser {
  readonly id: string;
  /** The name of its subscription. */
  readonly to: string;
}

/** Browsers that show the pages of users (U22). */
export class Browsers {
  readonly #ports: BrowsersDependencies;

  constructor(ports: BrowsersDependencies) {
    this.#ports = ports;
  }

  /**
   * Adds a contact of method mobile, or gives one its new subscription.
   *
   * @throws NotFoundError when there is no such user.
   * @throws InvalidError when the endpoint may not be called, the key is none, `replaces` is no browser of the user, or the user has as
   * many devices as one may have.
   */
  async register(user: string, { name, replaces, subscription }: RegisterBrowserBody): Promise<RegisteredBrowser> {
    const { newId, newSubscriptionName, pushServices, users } = this.#ports;
    const { endpoint, keys } = subscription;
    const fault = endpointFault(endpoint, pushServices);
    if (fault !== undefined) throw InvalidError.ofFields({ 'subscription.endpoint': fault });
    if (!isPublicKey(keys.p256dh))
      throw InvalidError.ofFields({ 'subscription.keys.p256dh': 'should be a point of the curve P-256' });
    const browser = {
      id: newId(),
      to: newSubscriptionName(),
      name,
      subscription: { endpoint, p256dh: keys.p256dh, auth: keys.auth },
      replaces,
    };
    return users.change(user, (present) => {
      const addition = withBrowser(present, browser);
      if (addition.kind === 'missing')
        throw InvalidError.ofFields({ replaces: 'should be the id of the contact of a browser of the user' });
      if (addition.kind === 'full') throw InvalidError.about('browsers', NO_ROOM_FOR_DEVICE);
      const { id, to } = addition.contact;
      return { user: addition.user, answer: { id, to } };
    });
  }
}

/** Names of the machine itself and of networks that are not the public internet. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal)\.?$/i;

/**
 * Why messages may not be sent to an endpoint of a push service; undefined where they may. Only the owner of an address that is allowed
 * by a setting may leave out TLS. What a name leads to is checked each time that a message is sent.
 */
function endpointFault(endpoint: string, guard: Pick<AddressGuard, 'allows' | 'refusal'>): string | undefined {
  const problem = urlProblem(endpoint);
  if (problem !== undefined) return `is refused: ${problem}`;
  const { hostname, protocol } = new URL(endpoint);
  const address = addressIn(endpoint);
  const refusal = address === undefined ? undefined : guard.refusal(address);
  if (refusal !== undefined) return `is refused: ${refusal}`;
  if (LOCAL_NAME.test(hostname)) return 'is refused: the name is not public';
  const mayBePlain = address !== undefined && guard.allows(address);
  return protocol === 'https:' || mayBePlain ? undefined : 'should begin with https://';
}

/** Whether the text is a point of the curve P-256, uncompressed, as base64url. */
function isPublicKey(text: string): boolean {
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url');
    return text.startsWith('B');
  } catch {
    return false;
  }
}
