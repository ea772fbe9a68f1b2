import { CallError } from '../api/call-error.ts';
import { responderOf } from '../people/people.ts';
import type { AlertWrite } from './alert-write.ts';
import type { Alert } from './queries.ts';

/** An action on an alert that a person has to say something for. */
export type FormAction = 'snooze' | 'assign' | 'responders' | 'escalate' | 'tags';

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
};

/** The actions on several alerts that need input. */
export const BULK_FORMS = ['snooze', 'assign', 'tags'] as const satisfies readonly FormAction[];
export type BulkForm = (typeof BULK_FORMS)[number];

/** The body of an action by what was typed in its form; undefined where that says nothing. The server says what is wrong with it. */
export function bodyOf(action: FormAction, typed: string): AlertWrite['body'] | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  switch (action) {
    case 'snooze': {
      const at = new Date(text);
      return Number.isNaN(at.getTime()) ? undefined : { endTime: at.toISOString() };
    }
    case 'assign':
      return { owner: { username: text } };
    case 'responders':
      return { responder: responderOf(text) };
    case 'escalate':
      return { escalation: { name: text } };
    case 'tags': {
      const tags = text
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean);
      return tags.length === 0 ? undefined : { tags };
    }
  }
}

/** Why an action does nothing for an alert at present; undefined where it does something. */
export function actionRefused(
  action: FormAction | 'unacknowledge' | 'own',
  { acknowledged, owner, status }: Pick<Alert, 'acknowledged' | 'owner' | 'status'>,
  username: string,
): string | undefined {
  if (action === 'tags') return undefined;
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
