import {
  ACTION_GROUPS,
  chatProviderOf,
  type IntegrationBody,
  type RecipientReference,
  type Reference,
  type TeamReference,
} from '@tocsin/api';
import { BUTTON_PROVIDERS, type ChatOnCall, mayName, type ResponderReference } from '@tocsin/events';
import { InvalidError, NotFoundError } from '@tocsin/core';
import { teamKeyRefused } from '@tocsin/http';
import type { Responders } from '@tocsin/kafka';
import type { ActionGroups } from './action.ts';
import type { NamedReference, Recipient } from './content.ts';
import type { Integration } from './integration.ts';
import { type FoundReferences, wantedRecipients } from './new-integration.ts';

/** The sources of the named entities. */
export interface Findable {
  readonly references: Pick<Responders, 'find'>;
  /** The present references of the integration. It may keep the id of a deleted entity, so that the answer to a GET can be PUT (E10). */
  readonly known: readonly Recipient[];
  /** The team of the key that writes: what it names is its own, or of no team (K9). */
  readonly teamId: string | undefined;
}

/**
 * The teams and the recipients that `body` names. `checkOwner` is called with its owner team before anything else is looked up.
 *
 * @throws what `checkOwner` throws; NotFoundError naming the first that does not exist; ForbiddenError where the key of a team names another team's schedule
 *   or escalation (K9); UnavailableError when its owner cannot be asked.
 */
export async function foundReferences(
  findable: Findable,
  body: IntegrationBody,
  checkOwner: (ownerTeam: NamedReference | undefined) => void,
): Promise<Omit<FoundReferences, 'onCall'>> {
  const ownerTeam = await teamOf(findable, body.ownerTeam);
  checkOwner(ownerTeam);
  return {
    ownerTeam,
    assignedTeam: await teamOf(findable, body.assignedTeam),
    recipients: await foundRecipients(findable, wantedRecipients(body)),
  };
}

/** What an integration that is replaced showed of who is on call, and for which team. */
interface ShownBefore {
  readonly onCall: readonly ChatOnCall[];
  readonly ownerTeamId: string | undefined;
}

/**
 * What the channel of an integration of a team is to show of who is on call. It may keep the schedules that it had.
 *
 * @throws NotFoundError naming the first schedule that does not exist; InvalidError where the team may not name one (K9), or one is named
 *   twice; UnavailableError when scheduling cannot be asked.
 */
export async function foundOnCall(
  references: Pick<Responders, 'find'>,
  { onCall: wanted = [], type }: Pick<IntegrationBody, 'onCall' | 'type'>,
  ownerTeamId: string | undefined,
  before: ShownBefore = { onCall: [], ownerTeamId },
): Promise<readonly ChatOnCall[]> {
  if (!BUTTON_PROVIDERS.some((provider) => provider === chatProviderOf(type))) return [];
  const known = before.ownerTeamId === ownerTeamId ? before.onCall : [];
  const entries: ChatOnCall[] = [];
  for (const [index, { announce = false, schedule: named, topic = false, userGroup }] of wanted.entries()) {
    const field = `onCall[${index}].schedule`;
    const schedule = await shownSchedule(references, named, { field, known, ownerTeamId });
    if (entries.some((entry) => entry.schedule.id === schedule.id))
      throw InvalidError.ofFields({ [field]: 'is named twice' });
    entries.push({ schedule, topic, announce, ...(userGroup !== undefined && { userGroup }) });
  }
  return entries;
}

interface ShownFor {
  readonly field: string;
  readonly known: readonly ChatOnCall[];
  readonly ownerTeamId: string | undefined;
}

async function shownSchedule(
  references: Pick<Responders, 'find'>,
  named: Reference,
  { field, known, ownerTeamId }: ShownFor,
): Promise<NamedReference> {
  const one = await references.find('schedule', named);
  const kept = known.find(({ schedule }) => schedule.id === (one ?? named).id)?.schedule;
  if (one === undefined) {
    if (kept === undefined) throw notFound('schedule', named);
    return kept;
  }
  if (kept === undefined && !mayName(one, ownerTeamId))
    throw InvalidError.ofFields({ [field]: 'is of another team than the integration' });
  return { id: one.id, name: one.name };
}

/** The recipients of `wanted`, found; refuses as `foundReferences` does. One is asked about at a time. */
export async function foundRecipients(
  findable: Findable,
  wanted: readonly RecipientReference[],
): Promise<readonly Recipient[]> {
  const found: Recipient[] = [];
  for (const each of wanted) found.push(await recipientOf(findable, each));
  return found;
}

/** Everything that an integration and its actions name. */
export function namedBy({ ownerTeam, content, recipients, actions }: Integration): readonly Recipient[] {
  const teams = [ownerTeam, content.assignedTeam].flatMap((target): readonly Recipient[] =>
    target === undefined ? [] : [{ type: 'team', target }],
  );
  const ofActions = ACTION_GROUPS.flatMap((group) => actions[group].flatMap((each) => each.content?.recipients ?? []));
  return [...teams, ...recipients, ...ofActions];
}

/** The integration with the names that what it and its actions name bears now (E10). */
export function withPresentNames(references: Pick<Responders, 'nameOf'>, integration: Integration): Integration {
  const { ownerTeam, recipients, content, actions, chat } = integration;
  const named = (type: ReferenceType, { id, name }: NamedReference) => ({
    id,
    name: references.nameOf(type, id) ?? name,
  });
  const each = (recipient: Recipient): Recipient =>
    recipient.target === undefined
      ? recipient
      : { type: recipient.type, target: named(recipient.type, recipient.target) };
  return {
    ...integration,
    ownerTeam: ownerTeam && named('team', ownerTeam),
    content: { ...content, assignedTeam: content.assignedTeam && named('team', content.assignedTeam) },
    recipients: recipients.map(each),
    actions: withRecipients(actions, each),
    chat: chat && {
      ...chat,
      ...(chat.onCall && {
        onCall: chat.onCall.map((entry) => ({ ...entry, schedule: named('schedule', entry.schedule) })),
      }),
    },
  };
}

function withRecipients(actions: ActionGroups, each: (recipient: Recipient) => Recipient): ActionGroups {
  const create = actions.create.map((action) =>
    action.content === undefined
      ? action
      : { ...action, content: { ...action.content, recipients: action.content.recipients.map(each) } },
  );
  return { ...actions, create };
}

async function teamOf(findable: Findable, { id, name }: TeamReference = {}): Promise<NamedReference | undefined> {
  return id === undefined && name === undefined ? undefined : found(findable, 'team', { id, name });
}

async function recipientOf(findable: Findable, wanted: RecipientReference): Promise<Recipient> {
  if (wanted.type === 'all' || wanted.type === 'none') return { type: wanted.type, target: undefined };
  return { type: wanted.type, target: await found(findable, wanted.type, wanted) };
}

async function found(
  { known, references, teamId }: Findable,
  type: ReferenceType,
  wanted: Reference,
): Promise<NamedReference> {
  const one = await references.find(type, wanted);
  const before = known.find((each) => each.type === type && each.target.id === (one ?? wanted).id)?.target;
  if (one !== undefined) {
    if (before === undefined && !mayName(one, teamId)) throw teamKeyRefused();
    return { id: one.id, name: one.name };
  }
  if (before !== undefined) return before;
  throw notFound(type, wanted);
}

function notFound(type: ReferenceType, { id, name = '' }: Reference): NotFoundError {
  const called = id === undefined ? `name [${name}]` : `id [${id}]`;
  return new NotFoundError(`${type.charAt(0).toUpperCase()}${type.slice(1)} with ${called} does not exist.`);
}

type ReferenceType = ResponderReference['type'];
