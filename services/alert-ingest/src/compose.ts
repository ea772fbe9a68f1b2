import { randomUUID } from 'node:crypto';
import { AlertCommands, Integrations as IntegrationsTopic } from '@tocsin/contracts';
import { requestIdAt } from '@tocsin/http';
import { addResponders } from '@tocsin/messaging';
import { statesOf, type IndexPlan } from '@tocsin/persistence';
import {
  appOptions,
  internalClient,
  openEntityStates,
  openMongo,
  openOutbox,
  openPublisher,
  openReplicas,
  serve,
  type ServiceContext,
} from '@tocsin/service-kit';
import { createApp } from './app.ts';
import { AlertWrites } from './application/alert-writes.ts';
import { ensureDefaultIntegration } from './application/first-start.ts';
import { InboundMail } from './application/inbound-mail.ts';
import { IntegrationActions } from './application/integration-actions.ts';
import { Integrations } from './application/integrations.ts';
import { HttpAttachmentStore } from './clients/http-attachment-store.ts';
import type { Config } from './config.ts';
import { openStamps } from './jobs/open-stamps.ts';
import { openMail } from './mail/open-mail.ts';
import { HeldIntegrations } from './storage/held-integrations.ts';
import { INTEGRATION, integrationIndexes } from './storage/integration-kind.ts';
import { MongoIntegrationStore } from './storage/mongo-integration-store.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = integrationIndexes;

/** The only file that knows every concrete part. Work stops first, then resources, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config, logger, tracer } = context;
  const newId = randomUUID;
  // Alert writes need no database: an outage of MongoDB must not take them away.
  const connection = await openMongo(context, INDEXES, { neededWhenReady: false });
  const publisher = await openPublisher(context, { topic: AlertCommands, book: openStamps(context) });
  const source = statesOf(connection, INTEGRATION);
  const outbox = await openOutbox(context, connection, publisher, [IntegrationsTopic]);
  const common = { connection, publisher, outbox };
  const announcements = openEntityStates(context, { ...common, topic: IntegrationsTopic, ...source });
  const replicas = await openReplicas(context);
  const references = addResponders(replicas);
  replicas.own(IntegrationsTopic, {
    connection,
    ...source,
    collection: INTEGRATION.collection,
    announcements,
  });
  const told = replicas.add(IntegrationsTopic, { owner: 'alert-ingest' });
  await replicas.start();
  const store = new HeldIntegrations(new MongoIntegrationStore(connection, announcements));
  told.whenChanged((id) => {
    store.changed(id);
  });
  const notice = (text: string) => {
    logger.warn(text);
  };
  const show = process.stderr.isTTY ? (line: string) => void process.stderr.write(`${line}\n`) : undefined;
  await ensureDefaultIntegration({ store, clock, newId, notice, show }, config.bootstrapApiKey);
  await store.load();
  const integrations = new Integrations({
    store,
    references,
    announcer: announcements,
    clock,
    newId,
    keyOverlapMs: config.keyRotationOverlapMinutes * 60_000,
  });
  const cutExcess = config.ingestOnExcess === 'truncate';
  const alertWrites = new AlertWrites({
    publisher,
    clock,
    newId,
    cutExcess,
    rules: store,
    names: references,
    currentTrace: () => tracer.current(),
  });
  const integrationActions = new IntegrationActions({ store, references });
  const attachments = new HttpAttachmentStore(internalClient(context, 'alert-processor'));
  const newRequestId = () => requestIdAt(clock.now());
  await openMail(context, new InboundMail({ mailboxes: store, attachments, writes: alertWrites, newRequestId }));
  await serve(
    context,
    createApp({ integrations, integrationActions, alertWrites, store, ...appOptions(context), ...config }),
  );
}
