import { collectionOf, type Connection, type IndexPlan, orUnavailable } from '@tocsin/mongo';
import type { OpenIdFlow } from './openid-flow.ts';

const OPENID_FLOWS = 'openid_flows';

interface FlowDocument {
  readonly _id: string;
  readonly expiresAt: Date;
}

export const openIdFlowIndexes: readonly IndexPlan[] = [
  { collection: OPENID_FLOWS, keys: { expiresAt: 1 }, serves: 'the removal of sign-ins that were not ended' },
];

/**
 * Stores the begun sign-ins by OpenID Connect in MongoDB, for all replicas. The secrets of a sign-in are derived from the token of its
 * browser.
 */
export class OpenIdFlowStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async add({ expiresAt, flowHash }: OpenIdFlow): Promise<void> {
    await orUnavailable(this.#flows().insertOne({ _id: flowHash, expiresAt }));
  }

  /** Removes the flow and returns it. Only one of several callers gets it. */
  async take(flowHash: string): Promise<OpenIdFlow | undefined> {
    const taken = await orUnavailable(this.#flows().findOneAndDelete({ _id: flowHash }));
    return taken === null ? undefined : { flowHash, expiresAt: taken.expiresAt };
  }

  async removeExpired(now: Date): Promise<void> {
    await orUnavailable(this.#flows().deleteMany({ expiresAt: { $lte: now } }));
  }

  #flows() {
    return collectionOf<FlowDocument>(this.#connection, OPENID_FLOWS);
  }
}
