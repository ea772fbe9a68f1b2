import type { IntegrationBody, RecipientType } from '@tocsin/api';
import type { Priority } from '@tocsin/events';

/** The content that an integration adds to each alert, with any of its actions (wire facts 5). */
export interface IntegrationContent {
  /** Gets the alerts together with the recipients (P11). */
  readonly assignedTeam: NamedReference | undefined;
  /** For alerts that get no priority from the payload or an action. */
  readonly priority: Priority | undefined;
  /** A template whose result is a priority; goes before `priority` where it is one. */
  readonly customPriority: string | undefined;
  /** Templates, beside the tags of the payload. */
  readonly tags: readonly string[];
  /** By name, in their order: templates of the details that neither the payload nor an action has. */
  readonly extraProperties: readonly (readonly [name: string, value: string])[];
  readonly ignoreTags: boolean;
  readonly ignoreExtraProperties: boolean;
}

/** Adds nothing to alerts. */
export const NO_CONTENT: IntegrationContent = contentOf({}, undefined);

/** The content that `body` adds to alerts, with defaults for missing fields. */
export function contentOf(
  body: Partial<IntegrationBody>,
  assignedTeam: NamedReference | undefined,
): IntegrationContent {
  return {
    assignedTeam,
    priority: body.priority,
    customPriority: body.customPriority,
    tags: body.tags ?? [],
    extraProperties: Object.entries(body.extraProperties ?? {}),
    ignoreTags: body.ignoreTagsFromPayload ?? false,
    ignoreExtraProperties: body.ignoreExtraPropertiesFromPayload ?? false,
  };
}

/** A thing of another service: its id, and its name when it was last seen, for when it is gone. */
export interface NamedReference {
  readonly id: string;
  readonly name: string;
}

/** A recipient that an integration adds to its alerts; `all` and `none` have no target. */
export type Recipient =
  | { readonly type: 'all' | 'none'; readonly target: undefined }
  | { readonly type: Exclude<RecipientType, 'all' | 'none'>; readonly target: NamedReference };

/** Whether whom the payload names is left out: teams, the others, or all of them (P11). */
export interface IgnoreFlags {
  readonly ignoreRecipients: boolean;
  readonly ignoreTeams: boolean;
  readonly ignoreResponders: boolean;
}

/**
 * The flags of a body, in two spellings: a flag for each kind, and a newer one for all, which covers what is left out. Where they
 * disagree the newer one holds, because clients send back a copy of the older ones as they read it (P2; wire facts 10.7).
 */
export function ignoreFlags({
  ignoreRecipientsFromPayload: recipients,
  ignoreTeamsFromPayload: teams,
  ignoreRespondersFromPayload: all,
}: Pick<IntegrationBody, `ignore${'Recipients' | 'Teams' | 'Responders'}FromPayload`>): IgnoreFlags {
  const older = { ignoreRecipients: recipients ?? all ?? false, ignoreTeams: teams ?? all ?? false };
  const both = older.ignoreRecipients && older.ignoreTeams;
  if (all === undefined || all === both) return { ...older, ignoreResponders: both };
  return { ignoreRecipients: all, ignoreTeams: all, ignoreResponders: all };
}
