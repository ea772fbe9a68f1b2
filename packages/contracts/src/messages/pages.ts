import { z } from 'zod';
import { id } from '../primitives.ts';
import { defineTopic, type Traced } from '../topics.ts';
import { AlertContent, at, NamedResponder } from './shared.ts';

/** What a page is about; a user chooses notification rules by it (part 3, 2.3). */
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

/** What a page tells of that has happened to its alert: who did it, and the note that they left with it. */
export const PageNews = z.object({
  kind: z.enum(['acknowledged', 'closed', 'noted', 'assigned']),
  actor: z.string(),
  note: z.string().optional(),
});
export type PageNews = z.infer<typeof PageNews>;

/** Order to notify one user of one alert; what is sent and when is the user's own notification rules' business. */
export const Page = z.object({
  /** `alert:cycle:branch:rule:repeat:user:actionType[:factId]`; the same page twice is one page. */
  pageId: z.string(),
  alertId: id,
  cycle: z.int(),
  userId: id,
  actionType: ActionType,
  /** The page is dropped once the alert is acknowledged (`unacked`) or closed (`open`). */
  wantedWhile: z.enum(['unacked', 'open']),
  /** Somebody asked for it although the alert was snoozed: that snooze does not end it (A9). */
  whileSnoozed: z.boolean().optional(),
  /** The rule's due instant: the user's `sendAfter` counts from here. */
  pagedAt: at,
  /** One sentence: by which responder, rule and schedule this user is paged. */
  why: z.string(),
  /** The version of the alert's state on which the decision rests. */
  alertVersion: z.int(),
  /** What an acknowledged-alert, closed-alert, add-note or assigned-alert page tells; absent in all others. */
  news: PageNews.optional(),
  alert: AlertContent.omit({ owner: true }).extend({
    /** With their names where these were known: conditions match either (P3). */
    responders: z.array(NamedResponder),
  }),
  acceptedAt: at,
});
export type Page = z.infer<typeof Page> & Traced;

/** Keyed by user, so that the pages of one person come in order. */
export const Pages = defineTopic<Page>({
  name: 'pages.v1',
  kind: 'commands',
  schema: Page,
  key: (page) => page.userId,
});
