import type { IntegrationBody, Priority } from '@tocsin/contracts';
import type { NamedReference } from './recipient.ts';

/** What an integration says of every alert that comes through it, whichever of its actions makes it (wire facts 5). */
export interface IntegrationContent {
  /** Gets the alerts together with the recipients (P11). */
  readonly assignedTeam: NamedReference | undefined;
  /** For alerts of which neither the payload nor an action says how urgent they are. */
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

/** Says nothing of any alert. */
export const NO_CONTENT: IntegrationContent = contentOf({}, undefined);

/** What `body` says of alerts, and the defaults for what it does not. */
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
