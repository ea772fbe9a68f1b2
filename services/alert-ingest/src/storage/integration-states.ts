import { Integrations, type IntegrationState, type StateMessage, type TopicDefinition } from '@tocsin/contracts';
import type { Connection } from '@tocsin/persistence';
import { stateMessage } from '../domain/integration.ts';
import { integrationModel, toIntegration } from './integration-model.ts';

/** Where the relay of `integrations.v1` finds what is to be told. */
export interface StateSource {
  readonly connection: Connection;
  readonly topic: TopicDefinition<StateMessage<IntegrationState>>;
  /** The present state of those of `ids` that exist. */
  readonly load: (ids: readonly string[]) => Promise<ReadonlyMap<string, StateMessage<IntegrationState>>>;
  /** The ids of all, page by page. */
  readonly ids: () => AsyncIterable<string>;
}

/** The integrations of a database as the other services are told of them. */
export function integrationStates(connection: Connection): StateSource {
  const model = integrationModel(connection);
  return {
    connection,
    topic: Integrations,
    load: async (ids) => {
      const documents = await model
        .find({ _id: { $in: [...ids] } })
        .lean()
        .exec();
      return new Map(documents.map((document) => [document._id, stateMessage(toIntegration(document))]));
    },
    ids: async function* () {
      for await (const { _id } of model.find({}, { _id: 1 }).lean().cursor({ batchSize: 500 })) yield _id;
    },
  };
}
