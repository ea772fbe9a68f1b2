import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';

export type Explanation = Answer<'explain-alert'>['data'];
export type ExplainedUser = Explanation['users'][number];
export type ExplanationStep = Explanation['steps'][number];

const OUTCOMES: Readonly<Record<ExplainedUser['outcome'], (name: string) => string>> = {
  notified: (name) => `${name} was notified.`,
  pending: (name) => `A message to ${name} is still due.`,
  failed: (name) => `No message to ${name} could be delivered.`,
  'not-sent': (name) => `The alert paged ${name}, but no message was sent.`,
  'not-paged': (name) => `The alert did not page ${name}.`,
  incomplete: (name) => `The explanation of ${name} is incomplete.`,
};

/** What became of the alert for a user, in a sentence. */
export const outcomeText = ({ outcome, user }: Pick<ExplainedUser, 'outcome' | 'user'>): string =>
  OUTCOMES[outcome](user.username);

/** What an explanation without users says: a truncated one has only the beginning of the log. */
export const noUsersText = ({ truncated }: Pick<Explanation, 'truncated'>): string =>
  truncated
    ? 'The part of the log that was read does not show that the alert paged a user.'
    : 'The alert has paged no user. The steps say why.';

/** A part of a text: words, or an instant in them. */
export type TextPart =
  { readonly kind: 'words'; readonly text: string } | { readonly kind: 'instant'; readonly at: string };

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** The parts of a text of the server, which has its instants in UTC. A page shows them in the zone of the device. */
export const partsOf = (text: string): readonly TextPart[] =>
  text.split(INSTANT).flatMap((part, index): readonly TextPart[] => {
    if (index % 2 === 1) return [{ kind: 'instant', at: part }];
    return part === '' ? [] : [{ kind: 'words', text: part }];
  });

/** What is wrong with the user who was asked about, as the server says it; undefined where the failure has another reason. */
export function userFault(error: unknown): string | undefined {
  if (!(error instanceof CallError)) return undefined;
  const fault = error.fields['user'];
  if (fault !== undefined) return `The user name ${fault}.`;
  return error.failure === 'missing' ? `${error.message}.` : undefined;
}
