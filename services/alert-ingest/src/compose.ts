import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { OnExcess } from '@tocsin/api';
import { AlertCommands, Integrations as IntegrationsTopic } from '@tocsin/events';
import { createServiceApp, OutgoingCaller, requestIdAt, type ServiceAppOptions } from '@tocsin/http';
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
import { Hooks, type HooksOptions } from './hooks/operations.ts';
import { type PresetSample, presetsOf, readSamples, SAMPLES_FOLDER } from './hooks/preset-store.ts';
import { hookRoutes } from './hooks/routes.ts';
import { Subscriptions } from './hooks/subscription-operations.ts';
import { tryCommandsBy, type TryCommands } from './hooks/trial-client.ts';
import { trialRoutes } from './hooks/trial-routes.ts';
import { IntegrationActions } from './integrations/action-operations.ts';
import { actionRoutes } from './integrations/action-routes.ts';
import { CachedIntegrations } from './integrations/cached-store.ts';
import { IntegrationImports } from './integrations/import-operations.ts';
import { importRoutes } from './integrations/import-routes.ts';
import { internalRoutes } from './integrations/internal-routes.ts';
import { ensureDefaultIntegration, Integrations, type IntegrationsOptions } from './integrations/operations.ts';
import { integrationRoutes } from './integrations/routes.ts';
import {
  INTEGRATION,
  integrationIndexes,
  type IntegrationStoreMethods,
  IntegrationStore,
} from './integrations/store.ts';
import { internalOpsgenieKeysRoute, opsgenieKeyRoutes } from './opsgenie-keys/routes.ts';
import { opsgenieKeyIndexes, OpsgenieKeyStore } from './opsgenie-keys/store.ts';
import { sampleRoutes } from './samples/routes.ts';
import { sampleIndexes, SampleStore } from './samples/store.ts';
import { recordSamples } from './samples/task.ts';
import { storeAttachment } from './mail/client.ts';
import { InboundMail } from './mail/operations.ts';
import { openMail } from './mail/smtp/open-mail.ts';
import { internalReadinessRoute, internalTrafficRoute, trafficRoutes } from './traffic/routes.ts';
import { trafficIndexes, TrafficStore } from './traffic/store.ts';
import { countMails } from './traffic/task.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = [
  ...integrationIndexes,
  ...trafficIndexes,
  ...sampleIndexes,
  ...opsgenieKeyIndexes,
];

/** Opens all parts and connects them. At the stop, work ends first, then resources are closed, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config, tracer } = context;
  // Alert writes need no database: an outage of MongoDB must not take them away.
  const connection = await openMongo(context, INDEXES, { neededWhenReady: false });
  const publisher = await openPublisher(context, { topic: AlertCommands, counter: openSequenceReports(context) });
  const source = statesOf(connection, INTEGRATION);
  const outbox = await openOutbox(context, connection, publisher, [IntegrationsTopic]);
  const common = { connection, publisher, outbox };
  const announcements = openEntityStates(context, { ...common, topic: IntegrationsTopic, ...source });
  const replicas = await openReplicas(context);
  const references = addResponders(replicas);
  replicas.own(IntegrationsTopic, { connection, ...source, collection: INTEGRATION.collection, announcements });
  const states = replicas.add(IntegrationsTopic, { owner: 'alert-ingest' });
  await replicas.start();
  const store = new CachedIntegrations(new IntegrationStore(connection, announcements));
  states.whenChanged((id) => {
    store.markStale(id);
  });
  await makeDefaultIntegration(context, store);
  await store.load();
  const samples = new SampleStore(connection);
  const options: IntegrationsOptions = {
    store,
    references,
    publishNow: (ids) => announcements.publishNow(ids),
    removeSamples: (id) => samples.removeOf([id]),
    clock,
    newId: randomUUID,
    keyOverlapMs: config.keyRotationOverlapMinutes * 60_000,
  };
  const integrations = new Integrations(options);
  const actions = new IntegrationActions({ store, references });
  const alertWrites = new AlertWrites({
    publisher,
    clock,
    newId: randomUUID,
    cutExcess: config.ingestOnExcess === 'truncate',
    rulesOf: (id) => store.rulesOf(id),
    names: references,
    currentTrace: () => tracer.current(),
  });
  const hooks = await openHooks(context, { store, integrations, writes: alertWrites, names: references, samples });
  const alertProcessor = internalClient(context, 'alert-processor');
  const traffic = new TrafficStore(connection);
  const inboundMail = new InboundMail({
    findMailbox: (username) => store.findMailbox(username),
    storeAttachment: (file, integrationId) => storeAttachment(alertProcessor, file, integrationId),
    writes: alertWrites,
    newRequestId: () => requestIdAt(clock.now()),
    onTaken: countMails(context, traffic, randomUUID()),
  });
  await openMail(context, inboundMail);
  await serve(
    context,
    createApp({
      integrations,
      integrationActions: actions,
      integrationImports: new IntegrationImports({ ...options, actions }),
      alertWrites,
      hooks,
      tryCommands: tryCommandsBy(alertProcessor),
      presetSamples: await readSamples(SAMPLES_FOLDER),
      store,
      traffic,
      opsgenieKeys: new OpsgenieKeyStore(connection),
      samples,
      ...appOptions(context),
      ...config,
    }),
  );
}

/** The integration of the first start; its key is shown where a person sees it. */
async function makeDefaultIntegration(
  { clock, config, logger }: ServiceContext<Config>,
  store: CachedIntegrations,
): Promise<void> {
  const notice = (text: string) => {
    logger.warn(text);
  };
  const show = process.stderr.isTTY ? (line: string) => void process.stderr.write(`${line}\n`) : undefined;
  await ensureDefaultIntegration({ store, clock, newId: randomUUID, notice, show }, config.bootstrapApiKey);
}

interface HookParts extends Pick<HooksOptions, 'writes' | 'names'> {
  readonly store: CachedIntegrations;
  readonly integrations: Integrations;
  readonly samples: SampleStore;
}

/** Of each of two calls. The gateway waits for the answer, and Amazon SNS for that of the gateway. */
const AMAZON_TIMEOUT_MS = 4_000;

/** Reads the presets, and takes the requests of tools by them. */
async function openHooks(
  context: ServiceContext<Config>,
  { store, integrations, writes, names, samples }: HookParts,
): Promise<Hooks> {
  const { clock, config, logger, metrics } = context;
  const findIntegration = (id: string) => store.find(id);
  const recorder = recordSamples(context, {
    samples: config.webhookSamples,
    store: samples,
    findIntegration,
    keepingSamples: (ids) => store.keepingSamples(ids),
  });
  return new Hooks({
    presets: await presetsOf(config.webhookPresetsDir),
    writes,
    names,
    subscriptions: new Subscriptions({
      outgoing: new OutgoingCaller({ allowedRanges: config.outgoingAllowedRanges, timeoutMs: AMAZON_TIMEOUT_MS }),
      clock,
      claimTopic: (id, topic) => integrations.claimTopic(id, topic),
      log: logger,
    }),
    clock,
    newId: randomUUID,
    rulesOf: (id) => store.rulesOf(id),
    onItem: (preset, outcome) => {
      metrics.hookItem(preset, outcome);
    },
    onLost: (lost) => {
      logger.warn(lost, 'Items of a request of a tool match no action, or have no key.');
    },
    onRefused: (reason, integrationId) => {
      metrics.hookItem('none', reason);
      logger.warn({ integrationId, reason }, 'A request of a tool is refused.');
    },
    onAnswer: (answered) => {
      recorder.record(answered);
    },
  });
}

export interface AppDependencies extends Omit<ServiceAppOptions, 'routes' | 'internalRoutes'> {
  readonly integrations: Integrations;
  readonly integrationActions: IntegrationActions;
  readonly integrationImports: IntegrationImports;
  readonly alertWrites: AlertWrites;
  readonly hooks: Hooks;
  readonly tryCommands: TryCommands;
  readonly presetSamples: ReadonlyMap<string, readonly PresetSample[]>;
  readonly store: IntegrationStoreMethods;
  readonly traffic: TrafficStore;
  readonly opsgenieKeys: OpsgenieKeyStore;
  readonly samples: SampleStore;
  readonly webhookSamples: number;
  readonly ingestOnExcess: OnExcess;
  readonly extraIntegrationTypes: readonly string[];
  readonly emailDomain: string;
}

/** The HTTP operations of the service, without a port, Kafka or a database. Component tests use them. */
export function createApp(dependencies: AppDependencies): RequestListener {
  const { clock, integrations, alertWrites, hooks, store, traffic } = dependencies;
  const { extraIntegrationTypes: extraTypes, emailDomain } = dependencies;
  return createServiceApp({
    ...dependencies,
    routes: [
      ...alertRoutes(alertWrites, dependencies.ingestOnExcess),
      ...hookRoutes(hooks),
      ...trialRoutes(dependencies),
      ...integrationRoutes(integrations, { extraTypes, emailDomain }),
      ...actionRoutes(integrations, dependencies.integrationActions),
      ...importRoutes(dependencies.integrationImports, extraTypes),
      ...sampleRoutes(dependencies),
      ...trafficRoutes({ clock, integrations, store: traffic }),
      ...opsgenieKeyRoutes(dependencies.opsgenieKeys, (hashes) => store.holdersOf(hashes)),
    ],
    internalRoutes: [
      ...internalRoutes(integrations, store),
      internalTrafficRoute(traffic),
      internalOpsgenieKeysRoute(dependencies.opsgenieKeys),
      internalReadinessRoute({ clock, listIntegrations: () => store.list({}), traffic }),
    ],
  });
}
