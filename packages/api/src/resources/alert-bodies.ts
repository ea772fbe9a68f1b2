import { ALERT_LIMITS, optional, Priority, requiredText, type ResponderReference, text } from '@tocsin/events';
import { z } from 'zod';
import {
  actor,
  details,
  detailsLength,
  filled,
  list,
  listOfReferences,
  listOfTeams,
  type OnExcess,
  word,
} from '../bodies/alert-fields.ts';

/**
 * The body of an alert create with every limit of part 1, 4.1. `truncate` lets lists and details over their limit
 * pass (up to 1000 items), for the caller to cut; scalars are cut before they are read (E8).
 */
export function createAlertBody(onExcess: OnExcess): z.ZodType<CreateAlertBody> {
  const bounded =
    onExcess === 'reject'
      ? details.refine(
          (value) => detailsLength(value) <= ALERT_LIMITS.details,
          `should be at most ${ALERT_LIMITS.details} characters, keys and values together`,
        )
      : details;
  return z.object(
    {
      message: requiredText('Message', ALERT_LIMITS.message),
      alias: filled(ALERT_LIMITS.alias),
      description: optional(text(ALERT_LIMITS.description)),
      responders: listOfReferences(['user', 'team', 'schedule', 'escalation'], ALERT_LIMITS.responders, onExcess),
      teams: listOfTeams(ALERT_LIMITS.responders, onExcess),
      visibleTo: listOfReferences(['team', 'user'], ALERT_LIMITS.visibleTo, onExcess),
      actions: list(word(ALERT_LIMITS.actionLength, onExcess), ALERT_LIMITS.actions, onExcess),
      tags: list(word(ALERT_LIMITS.tagLength, onExcess), ALERT_LIMITS.tags, onExcess),
      details: optional(bounded),
      entity: optional(text(ALERT_LIMITS.entity)),
      priority: optional(Priority),
      ...actor,
      note: filled(ALERT_LIMITS.note),
    },
    'should be a JSON object',
  );
}

/** The body of a create, within every limit (part 1, 2.2; E8). Absent fields are left to the defaults of A3. */
export interface CreateAlertBody {
  readonly message: string;
  readonly alias?: string | undefined;
  readonly description?: string | undefined;
  readonly responders: readonly ResponderReference[];
  /** The older way to name responders; the union of both counts (A10). */
  readonly teams: readonly ResponderReference[];
  readonly visibleTo: readonly ResponderReference[];
  readonly actions: readonly string[];
  readonly tags: readonly string[];
  readonly details?: Readonly<Record<string, string>> | undefined;
  readonly entity?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly user?: string | undefined;
  readonly source?: string | undefined;
  readonly note?: string | undefined;
}

/** The body that every other write to an alert takes; it may be empty (E5). */
export const AlertActionBody: z.ZodType<AlertActionBody> = z.object(
  { ...actor, note: filled(ALERT_LIMITS.note) },
  'should be a JSON object',
);

/** The actor, the source and the note of an action on an alert; all are optional (E5). */
export interface AlertActionBody {
  readonly user?: string | undefined;
  readonly source?: string | undefined;
  readonly note?: string | undefined;
}

/** The body of a note, whose text is required. */
export const AddNoteBody: z.ZodType<AddNoteBody> = z.object(
  { ...actor, note: requiredText('Note', ALERT_LIMITS.note) },
  'should be a JSON object',
);
export interface AddNoteBody extends AlertActionBody {
  readonly note: string;
}

const IDENTIFIER_TYPES = new Map([
  ['id', 'id'],
  ['alertid', 'id'],
  ['tiny', 'tiny'],
  ['tinyid', 'tiny'],
  ['alias', 'alias'],
] as const);

/** How the path names an alert: `id` (default), `tiny`, `alias`, `AlertID` or `tinyID`, in any case (E5). */
export const AlertIdentifierQuery = z.object({
  identifierType: z
    .string()
    .meta({
      description: 'What the path names the alert by: its id by default.',
      enum: ['id', 'tiny', 'alias', 'AlertID', 'tinyID', ''],
    })
    .optional()
    .transform((written, context) => {
      const type = (IDENTIFIER_TYPES as ReadonlyMap<string, 'id' | 'tiny' | 'alias'>).get(
        (written === undefined || written === '' ? 'id' : written).toLowerCase(),
      );
      if (type !== undefined) return type;
      context.addIssue({ code: 'custom', message: 'should be one of [ id, tiny, alias ]' });
      return z.NEVER;
    }),
});
export type AlertIdentifierQuery = z.infer<typeof AlertIdentifierQuery>;
