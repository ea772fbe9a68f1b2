import type { Answer } from '../api/answer.ts';
import type { Choice } from '../ui/choices.ts';

export type User = Pick<Answer<'list-users'>['data'][number], 'id' | 'username' | 'fullName'>;

/** The first word of what was typed, as far as a search takes it. */
export const searchWord = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .split(/[\s"*]/, 1)[0] ?? '';

/** The searches that find the users of a word: a search has one value for each field. */
export const searchesFor = (word: string): readonly string[] => [`fullName:${word}*`, `username:${word}*`];

/** A user as a field offers them. */
export const choiceOf = ({ fullName, id, username }: User): Choice & { readonly username: string } => ({
  key: id,
  name: fullName,
  hint: username,
  username,
});

/** The responders that are no people. */
export const RESPONDER_KINDS = ['team', 'schedule', 'escalation'] as const;
export type ResponderKind = (typeof RESPONDER_KINDS)[number];

/** How a responder that is no person is typed. */
export const responderText = (kind: ResponderKind, name: string): string =>
  `${kind.charAt(0).toUpperCase()}${kind.slice(1)}: ${name}`;

const RESPONDER = /^(team|schedule|escalation):\s*(\S.*)$/i;

/** A responder as the API takes it. */
export type Responder =
  { readonly type: 'user'; readonly username: string } | { readonly type: ResponderKind; readonly name: string };

/** A responder as it is typed: `Team: Database`, or the user name of a person. */
export function responderOf(text: string): Responder {
  const [, type, name = ''] = RESPONDER.exec(text) ?? [];
  if (type === undefined) return { type: 'user', username: text };
  return { type: type.toLowerCase() as ResponderKind, name };
}
