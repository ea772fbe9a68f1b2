import type { WebhookSettings } from '@tocsin/events';
import type { Row } from '../messages/content.ts';
import type { WebhookEvent } from '../messages/delivery.ts';
import { oneLine } from '../messages/safe-text.ts';
import type { AnswerAction } from '../answers/answer.ts';

/** The state of an alert as a channel shows it. */
export type ChatState = 'open' | 'acknowledged' | 'snoozed' | 'closed' | 'deleted';

/** The color of the bar beside a post. */
export const STATE_COLORS: Readonly<Record<ChatState, string>> = {
  open: '#d32f2f',
  acknowledged: '#f9a825',
  snoozed: '#f9a825',
  closed: '#2e7d32',
  deleted: '#757575',
};

/** A button below a post. */
export interface ChatButton {
  readonly action: AnswerAction;
  readonly label: string;
  /** Signed by Tocsin for one alert, integration and action. */
  readonly token: string;
  /** The URL at which a product reports a press, where it has no URL of its own settings. It has no secret. */
  readonly url: string;
}

/** The post about an alert, as the alert is now. Each text may contain texts of others, which a product shows so that none is markup. */
export interface ChatPost {
  readonly state: ChatState;
  /** The priority, the message and the number, on one line. */
  readonly title: string;
  /** The state, and who caused it, on one line. */
  readonly stateLine: string;
  /** Each value is one line. */
  readonly facts: readonly Row[];
  /** Names and values of a caller. */
  readonly details: readonly Row[];
  /** A text of a caller, in its own lines. */
  readonly description?: string;
  /** Alerts of a storm, each in a line. */
  readonly lines?: readonly string[];
  /** The alert in the console. */
  readonly url?: string;
  readonly buttons?: readonly ChatButton[];
  /** Accounts of users who are mentioned, as the product knows them. */
  readonly mentions?: readonly string[];
}

/** The reply about one event below a post. */
export interface ChatReply {
  /** The change and its actor, on one line. */
  readonly line: string;
  /** A text of a user or a caller, in its own lines. */
  readonly note?: string;
  /** The title and the URL of the post, for products whose replies stand apart from it. */
  readonly title: string;
  readonly url?: string;
  /** The alert as it is now, for products that do not edit the post; absent where the event is older than what was shown. */
  readonly now?: Pick<ChatPost, 'state' | 'stateLine' | 'facts'>;
}

type Event = Pick<
  WebhookEvent,
  'action' | 'actor' | 'alert' | 'alertId' | 'customAction' | 'note' | 'responder' | 'snoozedUntil' | 'state' | 'tags'
>;

/** The parts of an alert that a channel shows only where its integration asks for them. */
type Parts = Pick<WebhookSettings, 'addAlertDescription' | 'addAlertDetails'>;

/** What posts need of the installation. */
export interface PostLinks {
  /** The address of the installation for users. */
  readonly publicUrl: string | undefined;
  /** The buttons below a post; absent where the channel has none. */
  readonly buttons?: ((state: ChatState) => readonly ChatButton[]) | undefined;
}

/** The post about the alert of an event, as the alert is after it. */
export function chatPost(
  event: Event,
  { addAlertDescription, addAlertDetails }: Parts,
  { buttons, publicUrl }: PostLinks,
): ChatPost {
  const { alert, alertId } = event;
  const { description, details, message, priority, tinyId } = alert;
  const facts: readonly Row[] = [
    ['Owner', alert.owner],
    ['Responders', alert.responders.map(nameOf).join(', ')],
    ['Entity', alert.entity],
    ['Source', alert.source],
    ['Tags', alert.tags.join(', ')],
    ['Created', instantText(alert.createdAt)],
  ];
  const state = stateOf(event);
  return {
    ...state,
    ...(buttons && { buttons: buttons(state.state) }),
    title: oneLine(`[${priority}] ${message} (#${tinyId})`),
    facts: facts.map(([name, value]): Row => [name, oneLine(value)]).filter(hasValue),
    details: addAlertDetails ? Object.entries(details).filter(hasValue) : [],
    ...(addAlertDescription && description !== '' && { description }),
    ...(publicUrl !== undefined && { url: `${publicUrl}/console/alerts/${encodeURIComponent(alertId)}` }),
  };
}

/** The details of a post as text, a line each. */
export const detailLines = (details: ChatPost['details']): string =>
  details.map(([name, value]) => `${name}: ${value}`).join('\n');

/** What is left of the post about an alert that was deleted: no word of the alert (A6). */
export const DELETED_POST: ChatPost = {
  state: 'deleted',
  title: 'An alert',
  stateLine: 'This alert was deleted.',
  facts: [],
  details: [],
};

/** What a stored line has at most. */
const MAX_STORED_LINE = 300;

/** The line of an alert in a digest: its title, and its state where that is not open. */
export function digestLine({ state, stateLine, title }: Pick<ChatPost, 'state' | 'stateLine' | 'title'>): string {
  const line = state === 'open' ? title : `${title}: ${stateLine}`;
  return Array.from(line).slice(0, MAX_STORED_LINE).join('');
}

/** The post that lists alerts of a storm; without lines all of them were deleted. */
export const digestPost = (lines: readonly string[]): ChatPost =>
  lines.length === 0
    ? { ...DELETED_POST, title: 'Alerts', stateLine: 'These alerts were deleted.' }
    : {
        state: 'open',
        title: lines.length === 1 ? '1 more alert' : `${lines.length} more alerts`,
        stateLine: 'There are too many new alerts for a post each. An alert gets one when a user acts on it.',
        facts: [],
        details: [],
        lines,
      };

/** A message that lists alerts of a storm, or what became of them, where no message is edited. */
export const digestMessage = (lines: readonly string[]): ChatPost => ({
  state: 'open',
  title: lines.length === 1 ? '1 alert in one message' : `${lines.length} alerts in one message`,
  stateLine: 'There are too many new alerts for a message each. An alert gets one when a user acts on it.',
  facts: [],
  details: [],
  lines,
});

function stateOf({ actor, state }: Event): Pick<ChatPost, 'state' | 'stateLine'> {
  const { acknowledged, acknowledgedBy, closedBy, snoozedUntil, status } = state ?? UNKNOWN_STATE;
  if (status === 'closed') return { state: 'closed', stateLine: by('Closed', closedBy ?? actor) };
  if (snoozedUntil !== undefined) return { state: 'snoozed', stateLine: `Snoozed until ${instantText(snoozedUntil)}` };
  if (acknowledged) return { state: 'acknowledged', stateLine: by('Acknowledged', acknowledgedBy ?? actor) };
  return { state: 'open', stateLine: 'Open' };
}

const UNKNOWN_STATE: NonNullable<WebhookEvent['state']> = { status: 'open', acknowledged: false };

/** The events that change the state of an alert. */
const OF_STATE: ReadonlySet<Event['action']> = new Set(['Acknowledge', 'UnAcknowledge', 'Snooze', 'Close']);

/** What a reply needs beside its event. */
export interface ReplyContext {
  /** Whether the event is older than what the channel was shown. */
  readonly isLate: boolean;
  /** The alert as it is after the event. */
  readonly post: ChatPost;
  readonly thread: NonNullable<WebhookSettings['chat']>['thread'];
}

/** The reply about an event to the post about its alert; undefined where the channel gets none. */
export function chatReply(
  event: Event,
  { isLate, post: { facts, state, stateLine, title, url }, thread }: ReplyContext,
): ChatReply | undefined {
  const { action, note } = event;
  if (thread === 'none' || action === 'Update' || (thread === 'state' && !OF_STATE.has(action))) return undefined;
  return {
    line: lineOf(event),
    ...(note !== undefined && note !== '' && { note }),
    title,
    ...(url !== undefined && { url }),
    ...(!isLate && { now: { facts, state, stateLine } }),
  };
}

const lineOf = (event: Event): string => by(DONE[event.action](event), event.actor);

const DONE: Readonly<Record<Event['action'], (event: Event) => string>> = {
  Create: () => 'Created',
  Acknowledge: () => 'Acknowledged',
  UnAcknowledge: () => 'No longer acknowledged, changed',
  Snooze: ({ snoozedUntil }) => (snoozedUntil === undefined ? 'Snoozed' : `Snoozed until ${instantText(snoozedUntil)}`),
  EscalateToNext: (event) => `Escalated to the next step of ${responderOf(event)}`,
  AddNote: () => 'Note',
  AddRecipient: (event) => `Responder ${responderOf(event)} added`,
  AddTeam: (event) => `Responder ${responderOf(event)} added`,
  AddTags: ({ tags = [] }) => `Tags added: ${tags.join(', ')},`,
  RemoveTags: ({ tags = [] }) => `Tags removed: ${tags.join(', ')},`,
  Close: () => 'Closed',
  Delete: () => 'Deleted',
  CustomAction: ({ customAction = '' }) => `Action ${customAction} executed`,
  AssignOwnership: (event) => `Assigned to ${responderOf(event)}`,
  TakeOwnership: () => 'Ownership taken',
  Update: () => 'Updated',
};

const responderOf = ({ responder }: Event): string => (responder === undefined ? '' : nameOf(responder));

const by = (done: string, actor: string): string => oneLine(actor === '' ? done : `${done} by ${actor}`);

const nameOf = ({ id, name }: NonNullable<Event['responder']>): string => name ?? id;

/** An instant to the minute, such as `2026-01-05 08:00 UTC`. */
export const instantText = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

const hasValue = ([, value]: Row): boolean => value !== '';
