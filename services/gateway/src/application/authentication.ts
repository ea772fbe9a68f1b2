import type { Clock } from '@tocsin/clock';
import type { IntegrationState } from '@tocsin/contracts';
import { UnauthenticatedError } from '@tocsin/errors';
import { hashKey, NOT_AUTHENTICATED, parseCredentials, type Principal } from '@tocsin/key-auth';
import type { KeyDirectory } from '../ports/key-directory.ts';

interface Ports {
  readonly keys: KeyDirectory;
  readonly clock: Clock;
  /** Words that may stand before a key in `Authorization` (K1). */
  readonly schemes: readonly string[];
}

/** The parts of a request that name its sender. */
interface Given {
  readonly authorization: string | undefined;
  readonly apiKeyQuery: string | undefined;
  /** Of the caller, whose key is not known yet. */
  readonly address: string;
}

/** Finds the principal of a key. */
export class Authentication {
  readonly #ports: Ports;
  /** One principal object for each state of an integration: the signer keeps the token of each object. */
  readonly #principals = new WeakMap<IntegrationState, Principal>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * The principal behind a request's key.
   *
   * @throws UnauthenticatedError without a key, with an unknown one, with one whose time after a rotation is over, and
   *   with that of a disabled integration; InvalidError for a key of the wrong form (E4); UnavailableError when an unknown key cannot be asked about;
   *   ThrottledError for an unknown key from an address that tried too many (F1).
   */
  async principalOf(given: Given): Promise<Principal> {
    const credentials = parseCredentials({ ...given, schemes: this.#ports.schemes });
    if (credentials.kind === 'refused') throw credentials.error;
    const keyHash = hashKey(credentials.key);
    const integration = await this.#ports.keys.find(keyHash, given.address);
    if (!integration?.enabled || !opens(integration, keyHash, this.#ports.clock.now()))
      throw new UnauthenticatedError(NOT_AUTHENTICATED);
    const known = this.#principals.get(integration);
    if (known !== undefined) return known;
    const principal = principalFor(integration);
    this.#principals.set(integration, principal);
    return principal;
  }
}

/** Whether the key is the present one, or one that was replaced and may still be used. */
function opens({ keyHash, retiringKeys = [] }: IntegrationState, given: string, now: Date): boolean {
  if (keyHash === given) return true;
  return retiringKeys.some((retiring) => retiring.keyHash === given && Date.parse(retiring.validUntil) > now.getTime());
}

function principalFor(integration: IntegrationState): Principal {
  return {
    integrationId: integration.id,
    integrationName: integration.name,
    integrationType: integration.type,
    teamId: integration.ownerTeamId,
    mayWrite: integration.allowWriteAccess,
    mayConfigure: integration.allowConfigurationAccess,
  };
}
