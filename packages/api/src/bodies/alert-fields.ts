import {
  ALERT_LIMITS,
  codePoints,
  DEFAULT_LIMIT,
  listOf,
  mapOf,
  optional,
  optionalReference,
  type ResponderReference,
  text,
} from '@tocsin/events';
import { z } from 'zod';
import { byIdOrName, byKind, type Reference, referenceList } from './references.ts';

/** The handling of lists and details over their limit: the whole body is refused, or the values that fit are kept (E8). */
export const OnExcess = z.enum(['reject', 'truncate']);
export type OnExcess = z.infer<typeof OnExcess>;

type ResponderKind = ResponderReference['type'];

/** A responder, `visibleTo` entry or owner by id or name; users by user name too, which wins over `name`. */
export const references = (kinds: readonly ResponderKind[]): z.ZodType<ResponderReference> =>
  byKind(kinds).transform(({ type, ...named }) => ({ type, ...present(named) }));

/** At most `max` references without the empty ones (E12), or a list of any length if its reader cuts the excess. */
export const listOfReferences = (
  kinds: readonly ResponderKind[],
  max: number,
  onExcess: OnExcess,
): z.ZodType<readonly ResponderReference[]> =>
  absentIsEmpty(referenceList(references(kinds), kinds, atMost(max, onExcess)));

/** As {@link listOfReferences}, but every item counts as a team, whatever its type. */
export const listOfTeams = (max: number, onExcess: OnExcess): z.ZodType<readonly ResponderReference[]> =>
  absentIsEmpty(referenceList(referenceTo('team'), [], atMost(max, onExcess)));

/** A thing of `type` by id or name. */
export const referenceTo = (type: 'team' | 'escalation'): z.ZodType<ResponderReference> =>
  byIdOrName('should be an object with id or name').transform((named) => ({ type, ...present(named) }));

const present = ({ id, name }: Reference) => ({ ...(id !== undefined && { id }), ...(name !== undefined && { name }) });

/** Code points of all keys and values together: what the limit of `details` counts. */
export function detailsLength(details: Readonly<Record<string, string>>): number {
  let length = 0;
  for (const [key, value] of Object.entries(details)) length += codePoints(key) + codePoints(value);
  return length;
}

/** Numbers and booleans become text and `null` is left out: clients send what their templates gave (wire facts 1.6). */
export const details = mapOf(
  z.union([z.string(), z.number(), z.boolean(), z.null()], 'should be a string'),
  'should be a map of strings',
).transform((values): Record<string, string> => {
  const kept = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([key, value]) => [key, String(value)]));
});

/** How many items a list has at most: `max`, or more where excess is cut later. */
export const atMost = (max: number, onExcess: OnExcess): number => (onExcess === 'reject' ? max : DEFAULT_LIMIT);

/** A list of at most `max` items, or of any length where excess is cut later. */
export function list<T>(item: z.ZodType<T>, max: number, onExcess: OnExcess): z.ZodType<readonly T[]> {
  return absentIsEmpty(listOf(item, atMost(max, onExcess)));
}

const absentIsEmpty = <T>(items: z.ZodType<readonly T[]>): z.ZodType<readonly T[]> =>
  optional(items).transform((value): readonly T[] => value ?? []);

/** Old clients send a comma-separated string (wire facts 4). */
export const separated = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    : value;

/** The JSON Schema of a text that {@link separated} reads as 1 to `items` words of at most `max` characters. */
export const withCommas = (max: number, items: number): { readonly type: 'string'; readonly pattern: string } => ({
  type: 'string',
  pattern: `^[^,\\s][^,]{0,${max - 1}}(,[^,]{1,${max}}){0,${items - 1}}$`,
});

/** A tag or an action. */
export const word = (max: number, onExcess: OnExcess): z.ZodType<string> =>
  onExcess === 'reject' ? text(max) : z.string('should be a string');

/** An optional field that is absent where it is blank: `alias`, `user`, `source` and `note` have a default of their own (A1, A3). */
export const filled = (max: number): z.ZodType<string | undefined> =>
  optionalReference(max).overwrite((value) => (value?.trim() === '' ? undefined : value));

/** The actor and the source (A3). */
export const actor = { user: filled(ALERT_LIMITS.user), source: filled(ALERT_LIMITS.source) };
