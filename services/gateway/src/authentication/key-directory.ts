import type { IntegrationState } from '@tocsin/events';
import { Admission } from '@tocsin/http';
import type { Indexes, ReplicaView } from '@tocsin/kafka';
import type { RateLimit } from '../rate-limit/rate-limit.ts';

/** The index of the replica of integrations: the current key of each and those that it replaced. */
export const KEY_INDEXES: Indexes<IntegrationState> = {
  keyHash: ({ keyHash, retiringKeys = [] }) => [
    ...(keyHash === undefined ? [] : [keyHash]),
    ...retiringKeys.map((retiring) => retiring.keyHash),
  ],
};

/**
 * Unknown keys that are looked up at alert-ingest at a time, in all and for one address. A flood of invented keys must neither flood
 * alert-ingest nor keep other callers from using new keys.
 */
const LOOK_UPS = { inAll: 64, each: 48 };

/** Bounds the unknown keys that an address may try. */
export type UnknownKeysLimit = Pick<RateLimit, 'spend' | 'giveBack'>;

/**
 * Finds the integration of a key in the replica of `integrations.v1`, and at alert-ingest where the replica lacks it. No limit holds
 * for keys in the replica.
 */
export class KeyDirectory {
  readonly #integrations: Pick<ReplicaView<IntegrationState>, 'find' | 'fetch'>;
  readonly #unknownKeys: UnknownKeysLimit;
  readonly #lookUps = new Admission(LOOK_UPS);

  constructor(integrations: Pick<ReplicaView<IntegrationState>, 'find' | 'fetch'>, unknownKeys: UnknownKeysLimit) {
    this.#integrations = integrations;
    this.#unknownKeys = unknownKeys;
  }

  /** The integration that has the key, where the replica has it. */
  held(keyHash: string): IntegrationState | undefined {
    return this.#integrations.find('keyHash', keyHash);
  }

  /**
   * The integration one of whose keys, present or replaced, has this SHA-256, enabled or not. One that was just created is
   * found as well (E11).
   *
   * @throws UnavailableError where the replica lacks it and alert-ingest does not answer, or too many are looked up, in all or for this
   *   address; ThrottledError where the address tried too many keys that do not exist.
   */
  async find(keyHash: string, address: string): Promise<IntegrationState | undefined> {
    const known = this.held(keyHash);
    if (known !== undefined) return known;
    // Spent before the look-up, so that keys that are tried at the same time count as well.
    this.#unknownKeys.spend(address);
    let isUnknown = false;
    try {
      const found = await this.#lookUps.run(address, () => this.#integrations.fetch('keyHash', keyHash));
      isUnknown = found === undefined;
      return found;
    } finally {
      if (!isUnknown) this.#unknownKeys.giveBack(address);
    }
  }
}
