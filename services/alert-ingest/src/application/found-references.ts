import type { IntegrationBody, RecipientReference, Reference, TeamReference } from '@tocsin/contracts';
import { NotFoundError } from '@tocsin/errors';
import type { Integration } from '../domain/integration.ts';
import { wantedRecipients, type FoundReferences } from '../domain/new-integration.ts';
import type { NamedReference, Recipient } from '../domain/recipient.ts';
import type { References, ReferenceType } from '../ports/references.ts';

/**
 * The teams and the recipients that `body` names.
 *
 * @throws NotFoundError naming the first that does not exist; UnavailableError when its owner cannot be asked.
 */
export async function foundReferences(references: References, body: IntegrationBody): Promise<FoundReferences> {
  return {
    ownerTeam: await teamOf(references, body.ownerTeam),
    assignedTeam: await teamOf(references, body.assignedTeam),
    recipients: await foundRecipients(references, wantedRecipients(body)),
  };
}

/** The recipients of `wanted`, found; refuses as `foundReferences` does. One is asked about at a time. */
export async function foundRecipients(
  references: References,
  wanted: readonly RecipientReference[],
): Promise<readonly Recipient[]> {
  const found: Recipient[] = [];
  for (const each of wanted) found.push(await recipientOf(references, each));
  return found;
}

/** The integration with the names that its teams and its recipients bear now (E10). */
export function withPresentNames(references: References, integration: Integration): Integration {
  const { ownerTeam, recipients, content } = integration;
  const named = (type: ReferenceType, { id, name }: NamedReference) => ({
    id,
    name: references.nameOf(type, id) ?? name,
  });
  return {
    ...integration,
    ownerTeam: ownerTeam && named('team', ownerTeam),
    content: { ...content, assignedTeam: content.assignedTeam && named('team', content.assignedTeam) },
    recipients: recipients.map(({ type, target }) => ({
      type,
      target: type === 'all' || type === 'none' ? undefined : target && named(type, target),
    })),
  };
}

async function teamOf(references: References, { id, name }: TeamReference = {}): Promise<NamedReference | undefined> {
  return id === undefined && name === undefined ? undefined : found(references, 'team', { id, name });
}

async function recipientOf(references: References, wanted: RecipientReference): Promise<Recipient> {
  if (wanted.type === 'all' || wanted.type === 'none') return { type: wanted.type, target: undefined };
  return { type: wanted.type, target: await found(references, wanted.type, wanted) };
}

async function found(references: References, type: ReferenceType, wanted: Reference): Promise<NamedReference> {
  const one = await references.find(type, wanted);
  if (one !== undefined) return one;
  const called = wanted.id === undefined ? `name [${wanted.name ?? ''}]` : `id [${wanted.id}]`;
  throw new NotFoundError(`${type.charAt(0).toUpperCase()}${type.slice(1)} with ${called} does not exist.`);
}
