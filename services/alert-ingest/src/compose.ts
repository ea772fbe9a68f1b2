import { randomUUID } from 'node:crypto';
import { Escalations, Schedules, Teams, Users } from '@tocsin/contracts';
import { appOptions, openMongo, openPublisher, openReplicas, openStateOutbox, serve } from '@tocsin/service-kit';
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
  const newId = randomUUID;
  // Alert writes need no database: an outage of MongoDB must not take them away.
  const connection = await openMongo(context, integrationIndexes, { neededWhenReady: false });
  const publisher = await openPublisher(context);
  const announcer = await openStateOutbox(context, { ...integrationStates(connection), publisher });
  const replicas = await openReplicas(context);
  const references = new ReplicaReferences({
    teams: replicas.add(Teams, { owner: 'directory', indexes: referenceIndexes.teams }),
    users: replicas.add(Users, { owner: 'directory', indexes: referenceIndexes.users }),
    schedules: replicas.add(Schedules, { owner: 'scheduling', indexes: referenceIndexes.schedules }),
    escalations: replicas.add(Escalations, { owner: 'scheduling', indexes: referenceIndexes.escalations }),
  });
  await replicas.start();
  const store = new MongoIntegrationStore(connection, announcer);
  const notice = (text: string) => {
    logger.warn(text);
  };
  await ensureDefaultIntegration({ store, announcer, clock, newId, notice }, config.bootstrapApiKey);
  const integrations = new Integrations({
    ...{ store, references, announcer, clock, newId },
    keyOverlapMs: config.keyRotationOverlapMinutes * 60_000,
  });
  const instance = `${config.common.instance}-${randomUUID()}`;
  const cutExcess = config.ingestOnExcess === 'truncate';
  const alertWrites = new AlertWrites({ publisher, clock, newId, instance, cutExcess });
  await serve(context, createApp({ integrations, alertWrites, store, ...appOptions(context), ...config }));
}
