import type { IntegrationState } from '@tocsin/contracts';
import type { Indexes, ReplicaView } from '@tocsin/messaging';
import type { KeyDirectory } from '../ports/key-directory.ts';

/** The secondary key that the replica of integrations needs. */
export const KEY_INDEXES: Indexes<IntegrationState> = { keyHash: (integration) => integration.keyHash };

/** Looks keys up in the replica of `integrations.v1`, and asks their owner for those that it lacks. */
export class ReplicaKeyDirectory implements KeyDirectory {
  readonly #integrations: ReplicaView<IntegrationState>;

  constructor(integrations: ReplicaView<IntegrationState>) {
    this.#integrations = integrations;
  }

  find(keyHash: string): Promise<IntegrationState | undefined> {
    const held = this.#integrations.find('keyHash', keyHash);
    return held === undefined ? this.#integrations.fetch('keyHash', keyHash) : Promise.resolve(held);
  }
}
