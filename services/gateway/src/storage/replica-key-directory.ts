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
 * How many unknown keys are asked about at a time, in all and for one address: a flood of invented ones must become neither
 * a flood at their owner nor the end of new ones.
 */
const ASKED = { inAll: 64, each: 48 };

/** Looks keys up in the replica of `integrations.v1`, and asks their owner for those that it lacks. */
export class ReplicaKeyDirectory implements KeyDirectory {
  readonly #integrations: ReplicaView<IntegrationState>;
  readonly #asked = new Shares(ASKED);

  constructor(integrations: ReplicaView<IntegrationState>) {
    this.#integrations = integrations;
  }

  async find(keyHash: string, address: string): Promise<IntegrationState | undefined> {
    const held = this.#integrations.find('keyHash', keyHash);
    if (held !== undefined) return held;
    const taking = this.#asked.take(address);
    if (taking !== 'taken') throw tooManyUnderWay(taking);
    try {
      return await this.#integrations.fetch('keyHash', keyHash);
    } finally {
      this.#asked.giveBack(address);
    }
  }
}
