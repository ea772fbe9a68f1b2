import {
  DEFAULT_LIMIT,
  flexibleBoolean,
  listOf,
  mapOf,
  optional,
  optionalReference,
  text,
  tooMany,
} from '@tocsin/events';
import { z } from 'zod';
import { byKind, type KindReference, referenceList } from './references.ts';

/**
 * A responder of an integration: by id, or by name (user name for users). `all` and `none` stand for every user and no user and need
 * neither (P11).
 */
export type RecipientReference = KindReference<'user' | 'escalation' | 'schedule' | 'team', 'all' | 'none'>;
export type RecipientType = RecipientReference['type'];

const NAMED = ['user', 'escalation', 'schedule', 'team'] as const;
const recipient = byKind(NAMED, ['all', 'none']);

/** At most `max` recipients without the empty ones (E12). Undefined for `null` and for an absent list. */
export const recipientList = (max?: number): z.ZodType<RecipientReference[] | undefined> =>
  optional(referenceList(recipient, NAMED, max));

/** A team by id or name; one without either is none (E12). */
export const teamReference = optional(
  z.object({ id: optionalReference(100), name: optionalReference() }, 'should be an object with id or name'),
);
export interface TeamReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

export const flag = optional(flexibleBoolean);

/** The fields of a payload that an integration, or one of its actions, ignores. */
export const ignoreFlags = {
  ignoreRecipientsFromPayload: flag,
  ignoreTeamsFromPayload: flag,
  ignoreRespondersFromPayload: flag,
  ignoreTagsFromPayload: flag,
  ignoreExtraPropertiesFromPayload: flag,
};
export type IgnoreFlags = Readonly<Record<keyof typeof ignoreFlags, boolean>>;

/** The fields of `T`, any of which a body may leave out. */
export type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A template within the limit of the field that it fills (P4, E14); an empty one is absent. Its body looks at its patterns. */
export const template = (max: number): z.ZodType<string | undefined> => optionalReference(max);

/** At most `items` templates of at most `max` code points. */
export const templates = (max: number, items: number): z.ZodType<string[] | undefined> =>
  optional(listOf(text(max), items));

/** Templates by the names of the details that they fill (P4, E14). */
export const detailTemplates = mapOf(text(), 'should be a map of strings', text())
  .refine((map) => Object.keys(map).length <= DEFAULT_LIMIT, tooMany(DEFAULT_LIMIT))
  .meta({ maxProperties: DEFAULT_LIMIT });
export const extraProperties = optional(detailTemplates);
