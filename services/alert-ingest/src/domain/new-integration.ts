import type { CreateIntegrationBody } from '@tocsin/contracts';
import { DEFAULT_INTEGRATION, type Integration, type NamedReference, type Recipient } from './integration.ts';

/** What a new integration gets from outside its body. */
export interface Origin {
  readonly id: string;
  readonly createdAt: Date;
  readonly keyHash: string;
  readonly keyLastFour: string;
}

/** The things that a body refers to, found. */
export interface FoundReferences {
  readonly ownerTeam: NamedReference | undefined;
  readonly recipients: readonly Recipient[];
}

/** Recipients beyond this many are ignored (P11). */
const RECIPIENT_LIMIT = 50;

/** The recipients that a body asks for: `responders` is the newer name and wins where both are sent (P2). */
export function wantedRecipients(body: CreateIntegrationBody): NonNullable<CreateIntegrationBody['recipients']> {
  return (body.responders ?? body.recipients ?? []).slice(0, RECIPIENT_LIMIT);
}

/** The integration that `body` describes, every field that it leaves out at its default (part 1, 4.2). */
export function newIntegration(body: CreateIntegrationBody, found: FoundReferences, origin: Origin): Integration {
  return {
    ...base(origin),
    name: body.name,
    type: body.type,
    enabled: body.enabled ?? true,
    ownerTeam: found.ownerTeam,
    allowWriteAccess: body.allowWriteAccess ?? true,
    allowConfigurationAccess: body.allowConfigurationAccess ?? false,
    ...ignoreFlags(body),
    suppressNotifications: body.suppressNotifications ?? false,
    recipients: found.recipients,
    sendAlertActions: body.sendAlertActions ?? false,
    alertActions: body.alertActions ?? [],
  };
}

/**
 * The three flags hold each other in step where a caller names only some: `ignoreResponders` covers what it leaves out,
 * and is true by itself only when both of the others are (P2, P11).
 */
function ignoreFlags(
  body: CreateIntegrationBody,
): Pick<Integration, 'ignoreRecipients' | 'ignoreTeams' | 'ignoreResponders'> {
  const both = body.ignoreRespondersFromPayload;
  const ignoreRecipients = body.ignoreRecipientsFromPayload ?? both ?? false;
  const ignoreTeams = body.ignoreTeamsFromPayload ?? both ?? false;
  return { ignoreRecipients, ignoreTeams, ignoreResponders: both ?? (ignoreRecipients && ignoreTeams) };
}

/** The account-wide integration with every right that each installation begins with (K5, K7). */
export function defaultIntegration(origin: Omit<Origin, 'id'>): Integration {
  const body: CreateIntegrationBody = {
    name: DEFAULT_INTEGRATION.name,
    type: DEFAULT_INTEGRATION.type,
    allowConfigurationAccess: true,
  };
  return newIntegration(body, { ownerTeam: undefined, recipients: [] }, { ...origin, id: DEFAULT_INTEGRATION.id });
}

const base = ({ id, createdAt, keyHash, keyLastFour }: Origin) => ({
  id,
  version: { epoch: createdAt.getTime(), n: 1 },
  createdAt,
  keyHash,
  keyLastFour,
});
