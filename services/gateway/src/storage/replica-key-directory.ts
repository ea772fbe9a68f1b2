import type { IntegrationState } from '@tocsin/contracts';
import { Shares, tooManyUnderWay } from '@tocsin/http';
import type { Indexes, ReplicaView } from '@tocsin/messaging';
import type { KeyDirectory } from '../ports/key-directory.ts';

/** The secondary key that the replica of integrations needs: every key that works, or did until a while ago. */
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

/** Looks keys up in the replica of `integrations.v1`, and asks their owner for those that it lacks. */
export class ReplicaKeyDirectory implements KeyDirectory {
  readonly #integrations: ReplicaView<IntegrationState>;
  readonly #lookUps = new Shares(LOOK_UPS);

  constructor(integrations: ReplicaView<IntegrationState>) {
    this.#integrations = integrations;
  }

  async find(keyHash: string, address: string): Promise<IntegrationState | undefined> {
    const held = this.#integrations.find('keyHash', keyHash);
    if (held !== undefined) return held;
    const taking = this.#lookUps.take(address);
    if (taking !== 'taken') throw tooManyUnderWay(taking);
    try {
      return await this.#integrations.fetch('keyHash', keyHash);
    } finally {
      this.#lookUps.giveBack(address);
    }
  }
}
