import type { IntegrationState } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import type { Indexes, ReplicaView } from '@tocsin/messaging';
import type { KeyDirectory } from '../ports/key-directory.ts';

/** The secondary key that the replica of integrations needs: every key that works, or did until a while ago. */
export const KEY_INDEXES: Indexes<IntegrationState> = {
  keyHash: ({ keyHash, retiringKeys = [] }) => [
    ...(keyHash === undefined ? [] : [keyHash]),
    ...retiringKeys.map((retiring) => retiring.keyHash),
  ],
};

/** How many unknown keys are asked about at a time: a flood of invented ones must not become a flood at their owner. */
const MAX_ASKED = 64;

/** Looks keys up in the replica of `integrations.v1`, and asks their owner for those that it lacks. */
export class ReplicaKeyDirectory implements KeyDirectory {
  readonly #integrations: ReplicaView<IntegrationState>;
  #asked = 0;

  constructor(integrations: ReplicaView<IntegrationState>) {
    this.#integrations = integrations;
  }

  async find(keyHash: string): Promise<IntegrationState | undefined> {
    const held = this.#integrations.find('keyHash', keyHash);
    if (held !== undefined) return held;
    if (this.#asked >= MAX_ASKED) throw new UnavailableError('Too many unknown keys. Please try again.');
    this.#asked += 1;
    try {
      return await this.#integrations.fetch('keyHash', keyHash);
    } finally {
      this.#asked -= 1;
    }
  }
}
