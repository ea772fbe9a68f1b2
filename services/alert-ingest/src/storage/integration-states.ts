import type { IntegrationState, StateMessage } from '@tocsin/contracts';
import type { Connection } from '@tocsin/persistence';
import { stateMessage } from '../domain/integration.ts';
import { integrationModel, toIntegration } from './integration-model.ts';

/** What is told of integrations to the other services, as it stands in the database now. */
export class IntegrationStates {
  readonly #model: ReturnType<typeof integrationModel>;

  constructor(connection: Connection) {
    this.#model = integrationModel(connection);
  }

  /** Those of `ids` that exist. */
  async load(ids: readonly string[]): Promise<ReadonlyMap<string, StateMessage<IntegrationState>>> {
    const documents = await this.#model
      .find({ _id: { $in: [...ids] } })
      .lean()
      .exec();
    return new Map(documents.map((document) => [document._id, stateMessage(toIntegration(document))]));
  }

  /** The ids of all, page by page. */
  async *ids(): AsyncGenerator<string> {
    for await (const { _id } of this.#model.find({}, { _id: 1 }).lean().cursor({ batchSize: 500 })) yield _id;
  }
}
