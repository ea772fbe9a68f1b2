import { z } from 'zod';
import type { ResponderReference } from '../messages/shared.ts';
import {
  codePoints,
  DEFAULT_LIMIT,
  optional,
  optionalReference,
  oneOf,
  Priority,
  requiredText,
  text,
} from '../primitives.ts';

/** The limits of an alert's fields in code points and items (part 1, section 8; E8). */
export const ALERT_LIMITS = {
  message: 130,
  alias: 512,
  description: 15_000,
  entity: 512,
  source: 100,
  user: 100,
  note: 25_000,
  responders: 50,
  visibleTo: 50,
  actions: 10,
  actionLength: 50,
  tags: 20,
  tagLength: 50,
  /** Keys and values together. */
  details: 8_000,
} as const;

/** What happens to lists and details over their limit: the whole body is refused, or what fits is kept (E8). */
export const OnExcess = z.enum(['reject', 'truncate']);
export type OnExcess = z.infer<typeof OnExcess>;

type ResponderKind = ResponderReference['type'];

const NO_REFERENCE = 'id or name should be provided';

function references(kinds: readonly [ResponderKind, ...ResponderKind[]]): z.ZodType<ResponderReference> {
  return z
    .object(
      {
        type: oneOf(kinds),
        id: optionalReference(100),
        name: optionalReference(),
        username: optionalReference(),
      },
      'should be an object with type and id or name',
    )
    .transform(({ type, id, name, username }, context): ResponderReference => {
      const called = type === 'user' ? (username ?? name) : name;
      if (id === undefined && called === undefined) context.addIssue({ code: 'custom', message: NO_REFERENCE });
      return { type, ...(id !== undefined && { id }), ...(called !== undefined && { name: called }) };
    });
}

const teamReference = z
  .object({ id: optionalReference(100), name: optionalReference() }, 'should be an object with id or name')
  .transform(({ id, name }, context): ResponderReference => {
    if (id === undefined && name === undefined) context.addIssue({ code: 'custom', message: NO_REFERENCE });
    return { type: 'team', ...(id !== undefined && { id }), ...(name !== undefined && { name }) };
  });

/** Code points of all keys and values together: what the limit of `details` counts. */
export function detailsLength(details: Readonly<Record<string, string>>): number {
  let length = 0;
  for (const [key, value] of Object.entries(details)) length += codePoints(key) + codePoints(value);
  return length;
}

/** Numbers and booleans become text and `null` is left out: clients send what their templates gave (wire facts 1.6). */
const details = z
  .record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.null()], 'should be a string'),
    'should be a map of strings',
  )
  .transform((values): Record<string, string> => {
    const kept: Record<string, string> = {};
    for (const [key, value] of Object.entries(values)) if (value !== null) kept[key] = String(value);
    return kept;
  });

/** A list of at most `max` items, or of any length where excess is cut later. */
function list<T>(item: z.ZodType<T>, max: number, onExcess: OnExcess): z.ZodType<readonly T[]> {
  const items = z.array(item, 'should be a list');
  const bounded =
    onExcess === 'reject' ? items.max(max, `should have at most ${max} items`) : items.max(DEFAULT_LIMIT, TOO_MANY);
  return optional(bounded).transform((value): readonly T[] => value ?? []);
}

const TOO_MANY = `should have at most ${DEFAULT_LIMIT} items`;

const word = (max: number, onExcess: OnExcess) => (onExcess === 'reject' ? text(max) : z.string('should be a string'));

/** An optional field whose empty string means absent: `user`, `source` and `note` have a default of their own (A3). */
const filled = (max: number) => optionalReference(max);

const actor = { user: filled(ALERT_LIMITS.user), source: filled(ALERT_LIMITS.source) };

/**
 * The body of an alert create with every limit of part 1, 4.1. `truncate` lets lists and details over their limit
 * pass (up to 1000 items), for the caller to cut; scalars over theirs are refused in either mode (E8).
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
      responders: list(references(['user', 'team', 'schedule', 'escalation']), ALERT_LIMITS.responders, onExcess),
      teams: list(teamReference, ALERT_LIMITS.responders, onExcess),
      visibleTo: list(references(['team', 'user']), ALERT_LIMITS.visibleTo, onExcess),
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

/**
 * What a caller asked for in a create, within every limit (part 1, 2.2; E8). Absent fields are left to the defaults of
 * A3.
 */
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

/** Who acts on an alert, from where, and with which note; all of it optional (E5). */
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
