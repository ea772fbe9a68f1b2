import { CallError } from '../api/call-error.ts';
import { responderOf } from '../people/people.ts';
import { mapOfPairs, NEW_PAIR, type Pair } from '../ui/pairs.ts';
import type { AlertWrite } from './alert-write.ts';
import type { Alert } from './queries.ts';

/** An action on an alert that a person has to say something for. */
export type FormAction =
  'snooze' | 'assign' | 'responders' | 'escalate' | 'tags' | 'details' | 'message' | 'description' | 'priority';

interface ActionWords {
  /** On the button that opens the form. */
  readonly name: string;
  /** On the button that sends it. */
  readonly submit: string;
  /** After a number of alerts. */
  readonly done: string;
  /** What happened to an alert. */
  readonly result: string;
  /** Why an empty form is not sent. */
  readonly empty: string;
  /** The field of the request that the form is about. */
  readonly field: string;
}

export const FORM_ACTIONS: Readonly<Record<FormAction, ActionWords>> = {
  snooze: {
    name: 'Snooze …',
    submit: 'Snooze',
    done: 'snoozed',
    result: 'The alert is snoozed.',
    empty: 'Choose a time first.',
    field: 'endTime',
  },
  assign: {
    name: 'Assign …',
    submit: 'Assign',
    done: 'assigned',
    result: 'The alert has a new owner.',
    empty: 'Type or choose a person first.',
    field: 'owner',
  },
  responders: {
    name: 'Add responder …',
    submit: 'Add',
    done: 'given a responder',
    result: 'The responder was added.',
    empty: 'Type or choose a responder first.',
    field: 'responder',
  },
  escalate: {
    name: 'Escalate …',
    submit: 'Escalate',
    done: 'escalated',
    result: 'The escalation was asked for its next rule. The log says whether there was one.',
    empty: 'Type or choose an escalation first.',
    field: 'escalation',
  },
  tags: {
    name: 'Tag …',
    submit: 'Add tags',
    done: 'tagged',
    result: 'The tags were added.',
    empty: 'Type a tag first.',
    field: 'tags',
  },
  details: {
    name: 'Details …',
    submit: 'Set details',
    done: 'given details',
    result: 'The details were set.',
    empty: 'Add a detail with a name first.',
    field: 'details',
  },
  message: {
    name: 'Change message …',
    submit: 'Change message',
    done: 'given a message',
    result: 'The message was changed.',
    empty: 'Type a message first.',
    field: 'message',
  },
  description: {
    name: 'Change description …',
    submit: 'Change description',
    done: 'given a description',
    result: 'The description was changed.',
    empty: 'Nothing was changed.',
    field: 'description',
  },
  priority: {
    name: 'Change priority …',
    submit: 'Change priority',
    done: 'given a priority',
    result: 'The priority was changed.',
    empty: 'Choose another priority first.',
    field: 'priority',
  },
};

/** The actions that replace a text of the alert. Their form begins with the text that it has. */
const REPLACING = ['message', 'description', 'priority'] as const satisfies readonly (FormAction & keyof Alert)[];
type ReplacingAction = (typeof REPLACING)[number];
export const isReplacing = (action: FormAction): action is ReplacingAction =>
  (REPLACING as readonly FormAction[]).includes(action);

/** Marks that something was typed, also where it was emptied. */
const TYPED = '=';

/** What a form shows: what was typed and kept as a draft, else what the alert has. */
export function textOf(action: FormAction, draft: string | undefined, alert: Pick<Alert, ReplacingAction>): string {
  if (!isReplacing(action)) return draft ?? '';
  return draft === undefined ? alert[action] : draft.slice(TYPED.length);
}

/** What is kept of a form. */
export const draftOf = (action: FormAction, typed: string): string =>
  isReplacing(action) ? `${TYPED}${typed}` : typed;

/** The rows of the form of details, as their text. */
export const detailsText = (pairs: readonly Pair[]): string => JSON.stringify(pairs);

/** The rows of the form of details; one that is empty where nothing was typed. */
export const detailRows = (text: string): readonly Pair[] =>
  text === '' ? [NEW_PAIR] : (JSON.parse(text) as readonly Pair[]);

/** The actions that change what the alert says, which people take less often than the others. */
export const CHANGING = ['details', ...REPLACING] as const satisfies readonly FormAction[];

/** The actions on several alerts that need input. */
export const BULK_FORMS = ['snooze', 'assign', 'tags'] as const satisfies readonly FormAction[];
export type BulkForm = (typeof BULK_FORMS)[number];

/** What the text of each form means; undefined where it says nothing. */
const BODIES: Readonly<Record<FormAction, (text: string) => AlertWrite['body'] | undefined>> = {
  snooze: (text) => {
    const at = new Date(text);
    return Number.isNaN(at.getTime()) ? undefined : { endTime: at.toISOString() };
  },
  assign: (username) => ({ owner: { username } }),
  responders: (text) => ({ responder: responderOf(text) }),
  escalate: (name) => ({ escalation: { name } }),
  tags: (text) => {
    const tags = text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean);
    return tags.length === 0 ? undefined : { tags };
  },
  details: (text) => {
    const details = mapOfPairs(detailRows(text));
    return Object.keys(details).length === 0 ? undefined : { details };
  },
  message: (message) => ({ message }),
  description: (description) => ({ description }),
  priority: (priority) => ({ priority }),
};

/** The body of an action by what was typed in its form; undefined where that says nothing. The server says what is wrong with it. */
export function bodyOf(action: FormAction, typed: string): AlertWrite['body'] | undefined {
  const text = typed.trim();
  return text === '' && action !== 'description' ? undefined : BODIES[action](text);
}

type Body = NonNullable<AlertWrite['body']>;

/** The body of an action with what was typed as its note, which every action takes and which may be empty. */
export function withNote(body: Body, typed: string): Body {
  const note = typed.trim();
  return note === '' ? body : { ...body, note };
}

/** Where the note of an action is kept, beside what was typed at `place`. */
export const notePlace = (place: string): string => `${place} note`;

/** What can be done with a closed alert too (A6). */
const CLOSED_TAKES: ReadonlySet<string> = new Set(['tags', ...CHANGING]);

/** Why an action does nothing for an alert at present; undefined where it does something. */
export function actionRefused(
  action: FormAction | 'unacknowledge' | 'own',
  { acknowledged, owner, status }: Pick<Alert, 'acknowledged' | 'owner' | 'status'>,
  username: string,
): string | undefined {
  if (CLOSED_TAKES.has(action)) return undefined;
  if (status === 'closed') return 'The alert is closed.';
  if (action === 'unacknowledge' && !acknowledged) return 'The alert is not acknowledged.';
  return action === 'own' && owner === username ? 'You own the alert.' : undefined;
}

/** The form that is open after an action succeeded: its own closes, and another that was opened meanwhile stays. */
export const formAfter = (open: FormAction | undefined, sent: AlertWrite['action']): FormAction | undefined =>
  open === sent ? undefined : open;

/** A time until which alerts are snoozed in one click. */
export interface SnoozePreset {
  readonly name: string;
  readonly endTime: string;
}

const MINUTE_MS = 60_000;
const LENGTHS = [
  ['for 30 min', 30],
  ['for 1 h', 60],
  ['for 4 h', 240],
] as const;
/** When a working day begins in the zone of the device. */
const MORNING_HOUR = 8;

/** Half an hour, some hours, and until the next morning, from an instant on the clock of the server, which ends the snooze. */
export function snoozePresets(now: number): readonly SnoozePreset[] {
  const morning = new Date(now);
  if (morning.getHours() >= MORNING_HOUR) morning.setDate(morning.getDate() + 1);
  morning.setHours(MORNING_HOUR, 0, 0, 0);
  return [
    ...LENGTHS.map(([name, minutes]) => ({ name, endTime: new Date(now + minutes * MINUTE_MS).toISOString() })),
    { name: `until ${MORNING_HOUR}:00`, endTime: morning.toISOString() },
  ];
}

/** What the server says of a field of a request, or of a part of it such as `tags[0]`; undefined where it says nothing of it. */
export function fieldFault(error: unknown, field: string): string | undefined {
  if (!(error instanceof CallError)) return undefined;
  const named = Object.entries(error.fields).find(
    ([name]) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`),
  );
  return named === undefined ? undefined : `${named[0]} ${named[1]}.`;
}
