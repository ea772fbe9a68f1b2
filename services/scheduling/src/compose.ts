import { randomUUID } from 'node:crypto';
import { Escalations, Schedules, Teams, Users } from '@tocsin/contracts';
import {
  appOptions,
  internalClient,
  openMongo,
  openPublisher,
  openReplicas,
  openStateOutbox,
  serve,
  type ServiceContext,
} from '@tocsin/service-kit';
import { createApp } from './app.ts';
import { createScheduling } from './application/scheduling.ts';
import { HttpRoutingRules } from './clients/http-routing-rules.ts';
import type { Config } from './config.ts';
import { configurationIndexes } from './storage/index-plans.ts';
import { MongoConfigurationStore } from './storage/mongo-configuration-store.ts';
import { mongoEscalations } from './storage/mongo-escalations.ts';
import { mongoSchedules } from './storage/mongo-schedules.ts';

/** The only file that knows every concrete part. Parts stop in the reverse of the order in which they start. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config } = context;
  const connection = await openMongo(context, configurationIndexes);
  const publisher = await openPublisher(context);
  const [schedules, escalations] = [mongoSchedules(connection), mongoEscalations(connection)];
  const relay = { connection, publisher };
  const announcements = {
    schedules: await openStateOutbox(context, { ...relay, topic: Schedules, ...schedules.relayed }),
    escalations: await openStateOutbox(context, { ...relay, topic: Escalations, ...escalations.relayed }),
  };
  const store = new MongoConfigurationStore({ connection, schedules, escalations, announcements });
  const routingRules = new HttpRoutingRules(internalClient(context, 'directory'));
  const replicas = await openReplicas(context);
  const users = replicas.add(Users, { owner: 'directory', indexes: { username: (user) => user.username } });
  const teams = replicas.add(Teams, { owner: 'directory', indexes: { name: (team) => team.name } });
  const { accountTimezone } = config;
  const scheduling = createScheduling({ store, users, teams, routingRules, clock, newId: randomUUID, accountTimezone });

  await replicas.start();
  await serve(context, createApp(scheduling, appOptions(context)));
}
