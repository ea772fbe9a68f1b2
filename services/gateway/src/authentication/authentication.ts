import { type Clock, UnauthenticatedError } from '@tocsin/core';
import type { IntegrationState } from '@tocsin/events';
import { hashKey, NOT_AUTHENTICATED, parseCredentials, type KeyPrincipal } from '@tocsin/http';
import type { KeyDirectory } from './key-directory.ts';

export interface AuthenticationOptions {
  readonly keys: Pick<KeyDirectory, 'find'>;
  readonly clock: Clock;
  /** Words that may stand before a key in `Authorization` (K1). */
  readonly schemes: readonly string[];
}

/** The parts of a request that name its sender. */
interface Sender {
  readonly authorization: string | undefined;
  readonly otherKey: string | undefined;
  /** Words that may stand before the key in `authorization` besides those of the settings. */
  readonly moreSchemes?: readonly string[];
  /** The address of the caller. */
  readonly address: string;
}

/** Authenticates requests by their keys (K1). */
export class Authentication {
  readonly #options: AuthenticationOptions;
  /** One object for each state of an integration, because the signer caches tokens by principal object. */
  readonly #principals = new WeakMap<IntegrationState, KeyPrincipal>();

  constructor(options: AuthenticationOptions) {
    this.#options = options;
  }

  /**
   * The principal of a request's key.
   *
   * @throws UnauthenticatedError where there is no key, an unknown one, one that was replaced and is no longer valid, or that of a
   *   disabled integration; InvalidError for a key of the wrong form (E4); UnavailableError where an unknown key cannot be looked
   *   up; ThrottledError where the address tried too many unknown keys (F6).
   */
  async principalOf(sender: Sender): Promise<KeyPrincipal> {
    const schemes = [...this.#options.schemes, ...(sender.moreSchemes ?? [])];
    const credentials = parseCredentials({ ...sender, schemes });
    if (credentials.kind === 'refused') throw credentials.error;
    const keyHash = hashKey(credentials.key);
    const integration = await this.#options.keys.find(keyHash, sender.address);
    if (integration === undefined || !isAccepted(integration, keyHash, this.#options.clock.now()))
      throw new UnauthenticatedError(NOT_AUTHENTICATED);
    const known = this.#principals.get(integration);
    if (known !== undefined) return known;
    const principal = principalFor(integration);
    this.#principals.set(integration, principal);
    return principal;
  }
}

/** Whether Tocsin accepts the key: its integration is enabled, and it is the current one, or one that was replaced and is still valid. */
export function isAccepted(
  { enabled, keyHash, retiringKeys = [] }: IntegrationState,
  given: string,
  now: Date,
): boolean {
  if (!enabled || keyHash === given) return enabled;
  return retiringKeys.some((retiring) => retiring.keyHash === given && Date.parse(retiring.validUntil) > now.getTime());
}

function principalFor(integration: IntegrationState): KeyPrincipal {
  return {
    kind: 'key',
    integrationId: integration.id,
    integrationName: integration.name,
    integrationType: integration.type,
    teamId: integration.ownerTeamId,
    mayRead: integration.allowReadAccess,
    mayWrite: integration.allowWriteAccess,
    mayConfigure: integration.allowConfigurationAccess,
  };
}
