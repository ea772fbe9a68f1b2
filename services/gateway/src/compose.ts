import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openApiDocument } from '@tocsin/api/openapi';
import { TrafficCounter } from '@tocsin/core';
import {
  Escalations,
  Integrations,
  Roles,
  Schedules,
  Sessions as SessionsTopic,
  SHADOW_SWITCH,
  ShadowSwitches,
  Teams,
  Users,
} from '@tocsin/events';
import { GATEWAY_HEAD_BYTES, PrincipalSigner, stateLookUp } from '@tocsin/http';
import {
  VERSION,
  followServices,
  internalClient,
  openReplicas,
  type Replicas,
  serve,
  type ServiceContext,
} from '@tocsin/service';
import { ApiDescription } from './answer/api-description.ts';
import { ConsoleFiles } from './answer/console-files.ts';
import { createApp } from './app.ts';
import { Authentication } from './authentication/authentication.ts';
import { KEY_INDEXES, KeyDirectory } from './authentication/key-directory.ts';
import { Memberships } from './authentication/memberships.ts';
import { reportSessionUses } from './authentication/session-uses-task.ts';
import { SESSION_INDEXES, Sessions } from './authentication/sessions.ts';
import { openChangeStreams } from './changes/sources.ts';
import { bodyBounds, connectionBounds, type Config } from './config.ts';
import { openOpsgenie, openUpstreams } from './forward/open-upstreams.ts';
import { OpsgenieForwarding, type OpsgenieForwardingOptions } from './opsgenie/forwarding.ts';
import { followImportedKeys, ImportedKeys } from './opsgenie/imported-keys.ts';
import { reportLearnedKeys } from './opsgenie/learned-keys-task.ts';
import { LearnedKeys } from './opsgenie/learned-keys.ts';
import { RateLimit } from './rate-limit/rate-limit.ts';
import { RateLimits } from './rate-limit/rate-limits.ts';
import { reportTraffic } from './traffic/traffic-task.ts';

/**
 * New connections are accepted faster than requests are served, so that callers who open one for each request are refused in
 * time (F3).
 */
const LISTENERS = 128;

/** Opens all parts and connects them. At the stop, work ends first, then resources are closed, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config, health, logger } = context;
  followServices(context);
  const replicas = await openReplicas(context);
  const integrations = replicas.add(Integrations, { indexes: KEY_INDEXES, owner: 'alert-ingest' });
  const sessionStates = replicas.add(SessionsTopic, { indexes: SESSION_INDEXES, owner: 'directory' });
  const users = replicas.add(Users, { owner: 'directory' });
  const teams = replicas.add(Teams, { owner: 'directory' });
  const memberships = new Memberships(teams);
  const roles = replicas.add(Roles, {});
  const importedKeys = importedKeysOf(context, replicas);
  const [schedules, escalations] = [replicas.versions(Schedules), replicas.versions(Escalations)];
  await replicas.start();
  const { rates, unknownKeys } = rateLimitsOf(context);
  const sessions = new Sessions({
    sessions: sessionStates,
    users,
    roles,
    memberships,
    unknownTokens: unknownKeys,
    clock,
  });
  reportSessionUses(context, { sessions, directory: internalClient(context, 'directory') });
  const traffic = new TrafficCounter();
  const alertIngest = internalClient(context, 'alert-ingest');
  reportTraffic(context, { counter: traffic, alertIngest, clock, source: randomUUID() });
  const changing = { schedules, escalations, users, teams, integrations };
  const changes = await openChangeStreams(context, changing, { inAll: config.changeStreams });
  const upstreams = await openUpstreams(context);
  const keys = new KeyDirectory(integrations, unknownKeys);
  const opsgenie = await opsgenieForwarding(context, { keys, unknownKeys, importedKeys });
  const app = createApp({
    authentication: new Authentication({ keys, clock, schemes: config.apiKeySchemes }),
    ...(opsgenie !== undefined && { opsgenie }),
    sessions,
    changes,
    rates,
    traffic,
    upstreams,
    signer: new PrincipalSigner(config.common.signingKeys),
    description: new ApiDescription({
      document: openApiDocument(VERSION),
      script: config.docsPageScript === undefined ? undefined : await readFile(config.docsPageScript),
    }),
    console: await ConsoleFiles.read({ folder: config.consoleDir, previousFolder: config.consolePreviousDir }),
    clock,
    publicUrl: config.publicUrl,
    settings: new Set(config.import ? ['IMPORT'] : []),
    ...(config.corsOrigins !== undefined && { corsOrigins: config.corsOrigins }),
    busyTurnMs: config.busyTurnMs,
    trustedProxies: config.trustedProxies,
    ...bodyBounds(config),
    isReady: async () => (await health.missing()).length === 0,
    onDefect: (error, requestId) => {
      logger.error({ err: error, requestId }, 'A request failed.');
    },
  });
  await serve(context, app, {
    maxHeadBytes: GATEWAY_HEAD_BYTES,
    listeners: LISTENERS,
    traces: 'begun',
    ...connectionBounds(config),
  });
}

/** Follows the switch of shadow where requests are forwarded. To be called before the replicas start. */
function importedKeysOf(context: ServiceContext<Config>, replicas: Pick<Replicas, 'add'>): ImportedKeys | undefined {
  if (context.config.forwardToOpsgenie === undefined) return undefined;
  const lookUp = stateLookUp(internalClient(context, 'directory'));
  const importedKeys = new ImportedKeys({
    read: () => lookUp(ShadowSwitches, 'id', SHADOW_SWITCH),
    switches: replicas.add(ShadowSwitches, {}),
  });
  followImportedKeys(context, importedKeys);
  return importedKeys;
}

/** Undefined where no request is forwarded to Opsgenie. */
async function opsgenieForwarding(
  context: ServiceContext<Config>,
  {
    importedKeys,
    ...keys
  }: { readonly keys: KeyDirectory } & Pick<OpsgenieForwardingOptions, 'unknownKeys'> & {
      readonly importedKeys: ImportedKeys | undefined;
    },
): Promise<OpsgenieForwarding | undefined> {
  const { clock, config, logger, metrics } = context;
  const url = config.forwardToOpsgenie;
  if (url === undefined || importedKeys === undefined) return undefined;
  const upstream = await openOpsgenie(context, url);
  metrics.forwarding();
  logger.info({ url }, 'requests of tools with keys of Opsgenie are forwarded to it (FORWARD_TO_OPSGENIE)');
  const learned = new LearnedKeys();
  const alertIngest = internalClient(context, 'alert-ingest');
  reportLearnedKeys(context, { alertIngest, learned, keys: keys.keys, metrics, source: randomUUID() });
  return new OpsgenieForwarding({
    ...keys,
    importedKeys,
    upstream,
    learned,
    schemes: config.apiKeySchemes,
    metrics,
    clock,
  });
}

/** The rate limits of the settings, by real time. Each refusal is counted. */
function rateLimitsOf({ config, metrics }: Pick<ServiceContext<Config>, 'config' | 'metrics'>): {
  readonly rates: RateLimits;
  readonly unknownKeys: RateLimit;
} {
  const measured = {
    now: () => performance.now(),
    onRefused: (limit: string) => {
      metrics.throttled(limit);
    },
  };
  return {
    rates: new RateLimits({
      ...measured,
      rates: config.rateLimits,
      callbacks: config.callbackLimit,
      refusedCallbacks: config.failedAuthLimit,
      signIns: config.signInLimit,
    }),
    unknownKeys: new RateLimit({ ...measured, name: 'unknown-keys', rate: config.failedAuthLimit, reason: 'ADDRESS' }),
  };
}
