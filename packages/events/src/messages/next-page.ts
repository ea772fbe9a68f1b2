import { z } from 'zod';
import { id } from '../primitives.ts';
import { at } from './shared.ts';

// Requests of alert-processor to scheduling and notifier about the next page of an alert, and their answers; never on a topic.

/** The alert whose next page is asked for. */
export const NextPageQuestion = z.object({ alertId: id });
export type NextPageQuestion = z.infer<typeof NextPageQuestion>;

/** The most users whom a next page names. */
export const MAX_NEXT_USERS = 20;

/** When a service next pages users of an alert by itself. */
export const NextPage = z.object({
  at,
  /** At most {@link MAX_NEXT_USERS}; empty where they are chosen at random then. */
  users: z.array(z.object({ id, username: z.string() })).max(MAX_NEXT_USERS),
  /** By which rule or message, such as `rule 2 of escalation [Ops]`. */
  why: z.string(),
});
export type NextPage = z.infer<typeof NextPage>;

/** Without `next` the service knows of no page unless something changes. */
export const NextPageAnswer = z.object({
  next: NextPage.optional(),
  /** When a user or team is looked up for whom directory did not answer before: a page that is found then may come before `next`. */
  lookUpAt: at.optional(),
});
export type NextPageAnswer = z.infer<typeof NextPageAnswer>;
