import type { IntegrationState } from '@tocsin/contracts';
import { Shares, tooManyUnderWay } from '@tocsin/http';
import type { Indexes, ReplicaView } from '@tocsin/messaging';
import type { RateLimit } from '../application/rate-limit.ts';
import type { KeyDirectory } from '../ports/key-directory.ts';

/** The secondary index that the replica of integrations needs: every key that works, or worked until a while ago. */
export const KEY_INDEXES: Indexes<IntegrationState> = {
  keyHash: ({ keyHash, retiringKeys = [] }) => [
    ...(keyHash === undefined ? [] : [keyHash]),
    ...retiringKeys.map((retiring) => retiring.keyHash),
  ],
};

/**
 * Unknown keys that are looked up at their owner at a time, in all and for one address. A flood of invented keys must neither
 * flood the owner nor keep others from using keys that are new.
 */
const LOOK_UPS = { inAll: 64, each: 48 };

/** Bounds the unknown keys that an address may try. */
export type UnknownKeysLimit = Pick<RateLimit, 'spend' | 'giveBack'>;

/**
 * Looks keys up in the replica of `integrations.v1`, and asks their owner for those that it lacks. A key that the replica holds
 * is found whatever others do from the same address.
 */
export class ReplicaKeyDirectory implements KeyDirectory {
  readonly #integrations: Pick<ReplicaView<IntegrationState>, 'find' | 'fetch'>;
  readonly #unknownKeys: UnknownKeysLimit;
  readonly #lookUps = new Shares(LOOK_UPS);

  constructor(integrations: Pick<ReplicaView<IntegrationState>, 'find' | 'fetch'>, unknownKeys: UnknownKeysLimit) {
    this.#integrations = integrations;
    this.#unknownKeys = unknownKeys;
  }

  async find(keyHash: string, address: string): Promise<IntegrationState | undefined> {
    const held = this.#integrations.find('keyHash', keyHash);
    if (held !== undefined) return held;
    // Spent before anybody is asked, so that keys that are tried at once count as well.
    this.#unknownKeys.spend(address);
    let isUnknown = false;
    try {
      const found = await this.#lookUp(keyHash, address);
      isUnknown = found === undefined;
      return found;
    } finally {
      if (!isUnknown) this.#unknownKeys.giveBack(address);
    }
  }

  async #lookUp(keyHash: string, address: string): Promise<IntegrationState | undefined> {
    const taking = this.#lookUps.take(address);
    if (taking !== 'taken') throw tooManyUnderWay(taking);
    try {
      return await this.#integrations.fetch('keyHash', keyHash);
    } finally {
      this.#lookUps.giveBack(address);
    }
  }
}
