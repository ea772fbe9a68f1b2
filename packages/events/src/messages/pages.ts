import { z } from 'zod';
import { id } from '../primitives.ts';
import { defineTopic, type Traced } from '../topics.ts';
import { AlertContent, at, NamedResponder } from './shared.ts';

/** The reason of a page; a user chooses notification rules by it (part 3, 2.3). */
export const ActionType = z.enum([
  'create-alert',
  'acknowledged-alert',
  'closed-alert',
  'assigned-alert',
  'add-note',
  'schedule-start',
  'schedule-end',
  'incoming-call-routing',
  'renotified-alert',
]);
export type ActionType = z.infer<typeof ActionType>;

/** The change of its alert that a page is about: who made it, and the note that they left with it. */
export const PageStatusUpdate = z.object({
  kind: z.enum(['acknowledged', 'closed', 'noted', 'assigned']),
  actor: z.string(),
  note: z.string().optional(),
});
export type PageStatusUpdate = z.infer<typeof PageStatusUpdate>;

/**
 * The event that ends the messages of a page, besides a new cycle, a snooze and a deletion: `ack`, an acknowledgement or a close;
 * `close`, a close alone.
 */
export const CancelOn = z.enum(['ack', 'close']);
export type CancelOn = z.infer<typeof CancelOn>;

/** Order to notify one user of one alert; the notification rules of the user decide what is sent and when. */
export const Page = z.object({
  kind: z.literal('page'),
  /** `alert:cycle:branch:rule:repeat:user:actionType[:factId]`; the same page twice is one page. */
  pageId: z.string(),
  alertId: id,
  cycle: z.int(),
  userId: id,
  actionType: ActionType,
  /** Which cancels end it. Absent in status updates, which only an erase ends (U15). */
  cancelOn: CancelOn.optional(),
  /** The alert was acknowledged when the page was ordered by hand, so its steps are not repeated (U4). */
  once: z.literal(true).optional(),
  /** The rule's due instant: the user's `sendAfter` counts from here. */
  pagedAt: at,
  /** One sentence: by which responder, rule and schedule this user is paged. */
  why: z.string(),
  /** The version of the alert's state on which the decision rests. */
  alertVersion: z.int(),
  /** The change that an acknowledged-alert, closed-alert, add-note or assigned-alert page is about; absent in all others. */
  statusUpdate: PageStatusUpdate.optional(),
  alert: AlertContent.omit({ owner: true }).extend({
    /** With their names where these were known: conditions match either (P3). */
    responders: z.array(NamedResponder),
  }),
  acceptedAt: at,
});
export type Page = z.infer<typeof Page> & Traced;

/**
 * Ends what is left to send of the pages of one user about one alert that came before it: messages, later steps and repetitions. A
 * page that comes after it is not changed, also where the cancel comes once more after that.
 */
export const Cancel = z.object({
  kind: z.literal('cancel'),
  alertId: id,
  userId: id,
  /** The version of the alert that ended them: pages of that version and later ones came after it. */
  alertVersion: z.int(),
  /** Which pages it ends: those with `cancelOn: 'ack'` and the repetitions of the others, or all. */
  on: CancelOn,
  /** The text of the log about each message that is not sent. */
  reason: z.string(),
});
export type Cancel = z.infer<typeof Cancel>;

/** Removes all that is kept of a deleted alert: of the pages of one user, or of all where there is no user. */
export const Erase = z.object({ kind: z.literal('erase'), alertId: id, userId: id.optional() });
export type Erase = z.infer<typeof Erase>;

export const PageMessage = z.discriminatedUnion('kind', [Page, Cancel, Erase]);
export type PageMessage = z.infer<typeof PageMessage> & Traced;

/** Whether a page asks its user to look after the alert. A status update does not. */
export const isCall = ({ statusUpdate }: Pick<Page, 'statusUpdate'>): boolean => statusUpdate === undefined;

/**
 * Calls, and what ends them, are keyed by user, so that they come in order. Status updates, which only a deletion ends, are keyed by alert, as is
 * the erase for all users: nothing keeps to whom the status updates of an alert went.
 */
export const Pages = defineTopic<PageMessage>({
  name: 'pages.v1',
  version: 2,
  kind: 'commands',
  schema: PageMessage,
  key: (message) => {
    if (message.kind === 'page') return isCall(message) ? message.userId : message.alertId;
    return message.userId ?? message.alertId;
  },
});
