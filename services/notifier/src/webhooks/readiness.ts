import { integrationKind, type ServiceFinding } from '@tocsin/api';
import { formatInstant, type IntegrationState } from '@tocsin/events';

/** A post that its receiver did not accept. */
export interface FailedPost {
  /** Of a post that is still tried: of its first try. */
  readonly at: Date;
  /** Without secrets. */
  readonly reason: string;
}

/** Deletions of alerts that a receiver did not accept, the last of them, and how many. */
export interface FailedDeletions extends FailedPost {
  readonly count: number;
}

/** The failures of one integration. */
export interface PostFailures {
  /** The last post, if it failed. */
  readonly post: FailedPost | undefined;
  readonly deletions: FailedDeletions | undefined;
  /** Why the channel does not show who is on call, and since when. */
  readonly onCall: FailedPost | undefined;
}

/** The part of what a channel shows of who is on call that a finding is about. */
interface FailedParts {
  readonly failures: Readonly<
    Record<string, { readonly since: Date; readonly reason: string; readonly isForGood: boolean }>
  >;
}

/** A failure that may pass is named once it has lasted so long. */
const PASSING_MS = 15 * 60_000;

/** Why a channel does not show who is on call: the failure that is there for longest. */
export function onCallFailure(shown: FailedParts | undefined, now: Date): FailedPost | undefined {
  const [longest] = Object.values(shown?.failures ?? {})
    .filter(({ isForGood, since }) => isForGood || now.getTime() - since.getTime() >= PASSING_MS)
    .toSorted((a, b) => a.since.getTime() - b.since.getTime());
  return longest && { at: longest.since, reason: longest.reason };
}

/** The part of an integration that a finding is about. */
export type PostingIntegration = Pick<IntegrationState, 'id' | 'name' | 'ownerTeamId' | 'type'>;

/**
 * The finding about an integration whose last post was not accepted, or whose channel of chat does not show who is on call, or may still
 * show words of deleted alerts (S17); undefined where there is none of these.
 */
export function postFinding(
  integration: PostingIntegration,
  { deletions, onCall, post }: PostFailures,
): ServiceFinding | undefined {
  const { id, name, ownerTeamId, type } = integration;
  const texts = [
    ...(post === undefined ? [] : [refusedText(name, post)]),
    ...(onCall === undefined ? [] : [onCallText(name, onCall)]),
    ...(deletions !== undefined && integrationKind(type) === 'chat' ? [keptText(name, deletions)] : []),
  ];
  if (texts.length === 0) return undefined;
  return {
    kind: 'post-refused',
    severity: 'warning',
    teamIds: ownerTeamId === undefined ? [] : [ownerTeamId],
    entity: { type: 'integration', id, name },
    path: `/v2/integrations/${id}`,
    message: texts.map(({ message }) => message).join(' '),
    remedy: texts.map(({ remedy }) => remedy).join(' '),
  };
}

type FindingText = Pick<ServiceFinding, 'message' | 'remedy'>;

const refusedText = (name: string, { at, reason }: FailedPost): FindingText => ({
  message: `The last post of integration [${name}] was not accepted, at ${formatInstant(at)}: ${reason}. What happens to alerts is not seen there.`,
  remedy:
    'Mend what the reason names, such as the URL, the channel or the token. Then add a note to an alert: the finding ends with the next post that is accepted.',
});

const onCallText = (name: string, { at, reason }: FailedPost): FindingText => ({
  message: `The channel of integration [${name}] does not show who is on call since ${formatInstant(at)}: ${reason}.`,
  remedy:
    'Mend what the reason names, such as a scope of the app, the user group or a schedule. It is tried again every 5 minutes.',
});

const keptText = (name: string, { at, count, reason }: FailedDeletions): FindingText => ({
  message: `The channel of integration [${name}] may still show words of ${count} deleted ${count === 1 ? 'alert' : 'alerts'}: it did not take the deletion, last at ${formatInstant(at)}: ${reason}.`,
  remedy:
    'Remove the posts about these alerts in the channel by hand. The finding ends 14 days after the last deletion.',
});
