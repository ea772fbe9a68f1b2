import { randomUUID } from 'node:crypto';
import { Escalations, Schedules, Teams, Users } from '@tocsin/contracts';
import { appOptions, openMongo, openPublisher, openReplica, openStateOutbox, serve } from '@tocsin/service-kit';
import type { ServiceContext } from '@tocsin/service-kit';
import { createApp } from './app.ts';
import { AlertWrites } from './application/alert-writes.ts';
import { ensureDefaultIntegration } from './application/first-start.ts';
import { Integrations } from './application/integrations.ts';
import type { Config } from './config.ts';
import { integrationIndexes } from './storage/integration-model.ts';
import { integrationStates } from './storage/integration-states.ts';
import { MongoIntegrationStore } from './storage/mongo-integration-store.ts';
import { ReplicaReferences, referenceIndexes } from './storage/replica-references.ts';

/** The only file that knows every concrete part. Parts stop in the reverse of the order they start in. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config, logger } = context;
  const connection = await openMongo(context, integrationIndexes);
  const publisher = await openPublisher(context);
  const announcer = await openStateOutbox(context, { ...integrationStates(connection), publisher });
  const references = new ReplicaReferences({
    teams: await openReplica(context, Teams, { indexes: referenceIndexes.teams, owner: 'directory' }),
    users: await openReplica(context, Users, { indexes: referenceIndexes.users, owner: 'directory' }),
    schedules: await openReplica(context, Schedules, { indexes: referenceIndexes.schedules, owner: 'scheduling' }),
    escalations: await openReplica(context, Escalations, {
      indexes: referenceIndexes.escalations,
      owner: 'scheduling',
    }),
  });
  const store = new MongoIntegrationStore(connection, announcer);
  const notice = (text: string) => {
    logger.warn(text);
  };
  await ensureDefaultIntegration({ store, announcer, clock, newId: randomUUID, notice }, config.bootstrapApiKey);
  const integrations = new Integrations({ store, references, announcer, clock, newId: randomUUID });
  const instance = `${config.common.instance}-${randomUUID()}`;
  const cutExcess = config.ingestOnExcess === 'truncate';
  const alertWrites = new AlertWrites({ publisher, clock, newId: randomUUID, instance, cutExcess });
  await serve(context, createApp({ integrations, alertWrites, store, ...appOptions(context), ...config }));
}
