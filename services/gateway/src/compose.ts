import { readFile } from 'node:fs/promises';
import { Backlogs, Integrations } from '@tocsin/contracts';
import { GATEWAY_HEAD_BYTES } from '@tocsin/http';
import { PrincipalSigner } from '@tocsin/key-auth';
import { openApiDocument } from '@tocsin/openapi';
import { followServices, openReplicas, serve, type ServiceContext } from '@tocsin/service-kit';
import { createApp } from './app.ts';
import { Authentication } from './application/authentication.ts';
import { bodyBounds, connectionBounds, rateLimitsOf } from './bounds.ts';
import type { Config } from './config.ts';
import { ApiDescription } from './http/api-description.ts';
import { openUpstreams } from './http/open-upstreams.ts';
import { KEY_INDEXES, ReplicaKeyDirectory } from './storage/replica-key-directory.ts';

/**
 * New connections are accepted faster than requests are served, so that callers who open one for each request are refused in
 * time (F3).
 */
const LISTENERS = 128;

/** The only file that knows every concrete part. Work stops first, then resources, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config, health, logger } = context;
  followServices(context);
  const replicas = await openReplicas(context);
  const integrations = replicas.add(Integrations, { indexes: KEY_INDEXES, owner: 'alert-ingest' });
  const backlogs = replicas.add(Backlogs, {});
  await replicas.start();
  const { backlog, rates, unknownKeys } = rateLimitsOf(context);
  // Only reports from now on count: what the topic held is out of date.
  backlogs.whenChanged((id) => {
    const told = backlogs.get(id);
    if (told !== undefined) backlog.heard(id, told);
  });
  const upstreams = await openUpstreams(context);
  const app = createApp({
    authentication: new Authentication({
      keys: new ReplicaKeyDirectory(integrations, unknownKeys),
      clock,
      schemes: config.apiKeySchemes,
    }),
    rates,
    upstreams,
    signer: new PrincipalSigner(config.common.signingKeys),
    description: new ApiDescription({
      document: openApiDocument(),
      script: config.docsPageScript === undefined ? undefined : await readFile(config.docsPageScript),
    }),
    clock,
    publicUrl: config.publicUrl,
    ...(config.corsOrigins !== undefined && { corsOrigins: config.corsOrigins }),
    busyTurnMs: config.busyTurnMs,
    trustedProxies: config.trustedProxies,
    ...bodyBounds(config),
    isReady: async () => (await health.missing()).length === 0,
    onDefect: (error, requestId) => {
      logger.error({ err: error, requestId }, 'a request failed');
    },
  });
  await serve(context, app, {
    maxHeadBytes: GATEWAY_HEAD_BYTES,
    listeners: LISTENERS,
    traces: 'begun',
    ...connectionBounds(config),
  });
}
