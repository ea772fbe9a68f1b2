import type { Alert } from './queries.ts';

/** The most characters of a message that a search for it has. */
const MAX_WORDS = 200;

/** The search for the open alerts about the same: of the same entity or, where the alert names none, with the same message. */
export function similarSearch({ entity, message }: Pick<Alert, 'entity' | 'message'>): string {
  const [field, value] =
    entity === '' ? (['message', message.slice(0, MAX_WORDS)] as const) : (['entity', entity] as const);
  return `status:open AND ${field}:"${value.replaceAll('"', ' ').trim()}"`;
}
