import type { ServiceFinding } from '@tocsin/api';
import { formatInstant, type IntegrationState } from '@tocsin/events';

/** A post that its receiver did not accept. */
export interface FailedPost {
  readonly at: Date;
  /** Without secrets. */
  readonly reason: string;
}

/** The part of an integration that a finding is about. */
export type PostingIntegration = Pick<IntegrationState, 'id' | 'name' | 'ownerTeamId'>;

/** The finding about an integration whose last post was not accepted (S17). */
export const postFinding = (
  { id, name, ownerTeamId }: PostingIntegration,
  { at, reason }: FailedPost,
): ServiceFinding => ({
  kind: 'post-refused',
  severity: 'warning',
  teamIds: ownerTeamId === undefined ? [] : [ownerTeamId],
  entity: { type: 'integration', id, name },
  path: `/v2/integrations/${id}`,
  message: `The last post of integration [${name}] was not accepted, at ${formatInstant(at)}: ${reason}. What happens to alerts is not seen there.`,
  remedy:
    'Mend what the reason names, such as the URL, the channel or the token. Then add a note to an alert: the finding ends with the next post that is accepted.',
});
