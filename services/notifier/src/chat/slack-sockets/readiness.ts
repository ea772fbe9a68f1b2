import type { ServiceFinding } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import type { PostingIntegration } from '../../webhooks/readiness.ts';

/** Why an app of Slack has no connection, and since when. */
export interface SocketFailureOfApp {
  readonly since: Date;
  /** Of the last try, without secrets. */
  readonly reason: string;
  readonly integrationIds: readonly string[];
}

/** A shorter failure passes by itself, such as the end of the process that had the connection. */
const SHORTEST_MS = 5 * 60_000;

/** The finding that the connection of an integration to Slack cannot be opened (S17); undefined where it can, or could a moment ago. */
export function socketFinding(
  { id, name, ownerTeamId }: PostingIntegration,
  failures: readonly SocketFailureOfApp[],
  now: Date,
): ServiceFinding | undefined {
  const failure = failures.find(({ integrationIds }) => integrationIds.includes(id));
  if (failure === undefined || now.getTime() - failure.since.getTime() < SHORTEST_MS) return undefined;
  return {
    kind: 'socket-closed',
    severity: 'warning',
    teamIds: ownerTeamId === undefined ? [] : [ownerTeamId],
    entity: { type: 'integration', id, name },
    path: `/v2/integrations/${id}`,
    message: `Integration [${name}] has no connection to Slack since ${formatInstant(failure.since)}: ${failure.reason}. Buttons have no effect, and no command is taken.`,
    remedy:
      'Mend what the reason names: the appToken of the integration, Socket Mode of the app, or the way to Slack. The finding ends once the connection is open.',
  };
}
