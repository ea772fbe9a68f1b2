import { type ServiceFinding, serviceFindings } from '@tocsin/api';
import type { Clock } from '@tocsin/core';
import type { IntegrationState } from '@tocsin/events';
import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import { type BotFailure, botFinding } from '../bot/readiness.ts';
import type { ShownOnCall } from '../chat/on-call/on-call.ts';
import type { CallResults } from '../queue/call-result-store.ts';
import { onCallFailure, postFinding } from './readiness.ts';
import { type SocketFailureOfApp, socketFinding } from '../chat/slack-sockets/readiness.ts';

/** A failure that is older is taken to be known. */
const FAILED_DAYS = 14;
const DAY_MS = 86_400_000;

export interface ReadinessHandlers {
  readonly clock: Clock;
  readonly calls: Pick<CallResults, 'failedDeletions' | 'lastFailed'>;
  /** By integration. */
  readonly shownOnCalls: { all(): Promise<ReadonlyMap<string, ShownOnCall>> };
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'all'>;
  /** Finds why the updates of the bot cannot be read; undefined where there is no bot. */
  readonly botFailure?: (() => Promise<BotFailure | undefined>) | undefined;
  readonly sockets: { all(now: Date): Promise<readonly SocketFailureOfApp[]> };
}

/** Which integrations cannot post what happens to alerts, or have no connection to Slack, and that the updates of the bot cannot be read, for scheduling, which lists it for callers (S17). */
export const internalReadinessRoute = ({
  botFailure,
  calls,
  clock,
  integrations,
  shownOnCalls,
  sockets,
}: ReadinessHandlers): InternalRoute =>
  defineInternalRoute({
    method: 'GET',
    path: '/internal/readiness',
    handle: async () => {
      const now = clock.now();
      const since = new Date(now.getTime() - FAILED_DAYS * DAY_MS);
      const posting = [...integrations.all()].filter(
        ({ enabled, onCall, webhook }) => enabled && (webhook !== undefined || onCall !== undefined),
      );
      const shown = await shownOnCalls.all();
      const findings: ServiceFinding[] = [];
      for (const integration of posting) {
        const { id, webhook } = integration;
        const post = webhook && (await calls.lastFailed(id, since, now));
        const deletions = webhook && (await calls.failedDeletions(id, since));
        const onCall = onCallFailure(shown.get(id), now);
        const finding = postFinding(integration, { post, deletions, onCall });
        if (finding !== undefined) findings.push(finding);
      }
      const unconnected = await sockets.all(now);
      for (const integration of integrations.all()) {
        const finding = integration.enabled ? socketFinding(integration, unconnected, now) : undefined;
        if (finding !== undefined) findings.push(finding);
      }
      const ofBot = botFinding(await botFailure?.(), now);
      if (ofBot !== undefined) findings.push(ofBot);
      return { body: serviceFindings(findings) };
    },
  });
