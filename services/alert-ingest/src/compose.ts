import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { OnExcess } from '@tocsin/api';
import { AlertCommands, Integrations as IntegrationsTopic } from '@tocsin/events';
import { createServiceApp, requestIdAt, type ServiceAppOptions } from '@tocsin/http';
import { addResponders } from '@tocsin/kafka';
import { type IndexPlan, statesOf } from '@tocsin/mongo';
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
} from '@tocsin/service';
import { AlertWrites } from './alerts/operations.ts';
import { alertRoutes } from './alerts/routes.ts';
import { openSequenceReports } from './alerts/task.ts';
import type { Config } from './config.ts';
import { IntegrationActions } from './integrations/action-operations.ts';
import { actionRoutes } from './integrations/action-routes.ts';
import { CachedIntegrations } from './integrations/cached-store.ts';
import { internalRoutes } from './integrations/internal-routes.ts';
import { ensureDefaultIntegration, Integrations } from './integrations/operations.ts';
import { integrationRoutes } from './integrations/routes.ts';
import {
  INTEGRATION,
  integrationIndexes,
  type IntegrationStoreMethods,
  IntegrationStore,
} from './integrations/store.ts';
import { storeAttachment } from './mail/client.ts';
import { InboundMail } from './mail/operations.ts';
import { openMail } from './mail/smtp/open-mail.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = integrationIndexes;

/** Opens all parts and connects them. At the stop, work ends first, then resources are closed, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config, logger, tracer } = context;
  const newId = randomUUID;
  // Alert writes need no database: an outage of MongoDB must not take them away.
  const connection = await openMongo(context, INDEXES, { neededWhenReady: false });
  const publisher = await openPublisher(context, { topic: AlertCommands, counter: openSequenceReports(context) });
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
  const states = replicas.add(IntegrationsTopic, { owner: 'alert-ingest' });
  await replicas.start();
  const store = new CachedIntegrations(new IntegrationStore(connection, announcements));
  states.whenChanged((id) => {
    store.markStale(id);
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
    publishNow: (ids) => announcements.publishNow(ids),
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
    rulesOf: (id) => store.rulesOf(id),
    names: references,
    currentTrace: () => tracer.current(),
  });
  const integrationActions = new IntegrationActions({ store, references });
  const alertProcessor = internalClient(context, 'alert-processor');
  const inboundMail = new InboundMail({
    findMailbox: (username) => store.findMailbox(username),
    storeAttachment: (file, integrationId) => storeAttachment(alertProcessor, file, integrationId),
    writes: alertWrites,
    newRequestId: () => requestIdAt(clock.now()),
  });
  await openMail(context, inboundMail);
  await serve(
    context,
    createApp({ integrations, integrationActions, alertWrites, store, ...appOptions(context), ...config }),
  );
}

export interface AppDependencies extends Omit<ServiceAppOptions, 'routes' | 'internalRoutes'> {
  readonly integrations: Integrations;
  readonly integrationActions: IntegrationActions;
  readonly alertWrites: AlertWrites;
  readonly store: IntegrationStoreMethods;
  readonly ingestOnExcess: OnExcess;
  readonly extraIntegrationTypes: readonly string[];
  readonly emailDomain: string;
}

/** The HTTP operations of the service, without a port, Kafka or a database. Component tests use them. */
export function createApp(dependencies: AppDependencies): RequestListener {
  const { integrations, alertWrites, store } = dependencies;
  const { extraIntegrationTypes: extraTypes, emailDomain } = dependencies;
  return createServiceApp({
    ...dependencies,
    routes: [
      ...alertRoutes(alertWrites, dependencies.ingestOnExcess),
      ...integrationRoutes(integrations, { extraTypes, emailDomain }),
      ...actionRoutes(integrations, dependencies.integrationActions),
    ],
    internalRoutes: internalRoutes(integrations, store),
  });
}
