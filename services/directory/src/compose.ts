import { randomUUID } from 'node:crypto';
import { Escalations, NoticeCommands, Schedules, Teams, Users, VerificationEvents } from '@tocsin/contracts';
import { subscription } from '@tocsin/messaging';
import { Revision, type DueWork, type IndexPlan } from '@tocsin/persistence';
import {
  appOptions,
  internalClient,
  openDueWork,
  openMongo,
  openEntityStates,
  openOutbox,
  openPublisher,
  openReplicas,
  serve,
  startConsumer,
  startDueWork,
  type ServiceContext,
} from '@tocsin/service-kit';
import { createApp } from './app.ts';
import type { CopyRules } from './application/copy-notification-rules.ts';
import { createDirectory, type Directory } from './application/directory.ts';
import { randomTopic } from './application/devices.ts';
import { randomCode } from './application/verification-codes.ts';
import { HttpSchedulingClient } from './clients/http-scheduling-client.ts';
import { HttpTeamParts } from './clients/http-team-parts.ts';
import type { Config } from './config.ts';
import { verificationHandler } from './events/verification-handler.ts';
import { sweepTeams } from './jobs/sweep-teams.ts';
import { ConfigurationWrites } from './storage/configuration-writes.ts';
import { indexPlans, TEAMS, USERS } from './storage/index-plans.ts';
import { copyWorkOptions, MongoPendingCopies, type PendingCopyDocument } from './storage/mongo-pending-copies.ts';
import { teamSource, userSource } from './storage/mongo-states.ts';
import { MongoRoleStore } from './storage/mongo-role-store.ts';
import { MongoTeamStore } from './storage/mongo-team-store.ts';
import { MongoUserLots } from './storage/mongo-user-lots.ts';
import { MongoUserStore } from './storage/mongo-user-store.ts';
import { MongoVerificationEventStore } from './storage/mongo-verification-event-store.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = indexPlans;

/** The only file that knows every concrete part. Work stops first, then resources, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config } = context;
  const connection = await openMongo(context, INDEXES);
  const publisher = await openPublisher(context);
  const outbox = await openOutbox(context, connection, publisher, [NoticeCommands, Users, Teams]);
  const common = { connection, publisher, outbox };
  const userAnnouncements = openEntityStates(context, { ...common, topic: Users, ...userSource(connection) });
  const teamAnnouncements = openEntityStates(context, { ...common, topic: Teams, ...teamSource(connection) });
  const written = { connection, revision: new Revision(connection) };
  const writes = new ConfigurationWrites({ ...written, announcements: userAnnouncements });
  const users = new MongoUserStore({ connection, writes, notices: outbox });
  const roleStore = new MongoRoleStore(connection);
  const userLots = new MongoUserLots(connection, writes);
  const teams = new MongoTeamStore(
    connection,
    new ConfigurationWrites({ ...written, announcements: teamAnnouncements }),
  );
  const copyWork: DueWork<PendingCopyDocument, readonly CopyRules[]> = openDueWork(
    context,
    copyWorkOptions(connection, () => ({ copies: pendingCopies, copyRules: directory.copyNotificationRules })),
  );
  const pending = { connection, clock, users: userLots, dueWork: copyWork, log: context.logger };
  const pendingCopies = new MongoPendingCopies(pending);
  const scheduling = new HttpSchedulingClient(internalClient(context, 'scheduling'));
  const replicas = await openReplicas(context);
  replicas.own(Users, { connection, collection: USERS, ...userSource(connection), announcements: userAnnouncements });
  replicas.own(Teams, { connection, collection: TEAMS, ...teamSource(connection), announcements: teamAnnouncements });
  const targets = {
    schedules: replicas.add(Schedules, { owner: 'scheduling' }),
    escalations: replicas.add(Escalations, { owner: 'scheduling' }),
  };
  const integrations = new HttpTeamParts(internalClient(context, 'alert-ingest'), 'alert-ingest');
  const policies = new HttpTeamParts(internalClient(context, 'alert-processor'), 'alert-processor');
  const account = { name: config.accountName, timezone: config.accountTimezone, locale: config.accountLocale };
  const sources = { clock, newId: randomUUID, newCode: randomCode, newTopic: randomTopic, log: context.logger };
  const settings = { account, confirmation: config.contactVerification, pushUrl: config.pushUrl };
  const stores = { users, roleStore, userLots, teams, pendingCopies };
  const others = { scheduling, targets, integrations, policies };
  const directory: Directory = createDirectory({ ...stores, ...others, ...sources, ...settings });

  await replicas.start();
  await directory.users.ensureOwner(config.ownerEmail);
  sweepTeams(context, directory.saga);
  startDueWork(context, copyWork);
  await serve(context, createApp({ ...appOptions(context), directory, userStore: users, teamStore: teams }));
  // Nobody waits for the group, which after a crash waits for the dead process.
  const handler = verificationHandler(new MongoVerificationEventStore(connection, writes));
  const subscriptions = [subscription(VerificationEvents, handler)];
  startConsumer(context, { group: 'directory', subscriptions, publisher, checkpointsIn: connection }).catch(
    (error: unknown) => {
      if (!context.lifecycle.stopping) context.onFatal(error as Error);
    },
  );
}
