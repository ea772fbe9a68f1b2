import { z } from 'zod';
import { id } from '../primitives.ts';
import { AlertFact, AlertState, type AlertEvent } from './alert-events.ts';
import { DecisionVerdict } from './decisions.ts';
import { ActionType, Page } from './pages.ts';
import { at } from './shared.ts';
import { ContactMethod } from './states.ts';

// What alert-processor asks scheduling and notifier when an alert is simulated, and what they answer; never on a topic.

/** The part of an alert's state that changes while nobody does anything. */
const Changing = AlertState.pick({
  status: true,
  acknowledged: true,
  snoozed: true,
  cycle: true,
  verdict: true,
  flowStartedAt: true,
  flow: true,
});

/** So many events of an alert, and pages of its run, one question holds: a body is bounded. */
export const MOST_SIMULATED = { events: 200, pages: 500 } as const;

/** What would become of an alert, its content once and each event at the instant at which it would come. */
export const SimulatedAlert = z.object({
  alertId: id,
  acceptedAt: at,
  content: AlertState,
  events: z
    .array(z.object({ at, version: z.int(), facts: z.array(AlertFact), state: Changing }))
    .max(MOST_SIMULATED.events),
});
export type SimulatedAlert = z.infer<typeof SimulatedAlert>;

/** An event of an alert, and when it would come. */
export interface TimedEvent {
  readonly at: Date;
  readonly event: AlertEvent;
}

/** The events of a simulated alert, as its owner would publish them. */
export function eventsOf({ acceptedAt, alertId, content, events }: SimulatedAlert): readonly TimedEvent[] {
  return events.map(({ at: instant, facts, state, version }) => ({
    at: new Date(instant),
    event: { alertId, version, state: { ...content, ...state }, facts, acceptedAt },
  }));
}

/** The reverse of {@link eventsOf}: `events`, of one alert, are at least one. */
export function simulatedAlert([first, ...others]: readonly [TimedEvent, ...TimedEvent[]]): SimulatedAlert {
  const { acceptedAt, alertId, state: content } = first.event;
  const events = [first, ...others].map(({ at: instant, event: { facts, state, version } }) => ({
    at: instant.toISOString(),
    version,
    facts,
    state: Changing.parse(state),
  }));
  return { alertId, acceptedAt, content, events };
}

/** What would be decided, and when. */
export const TimedVerdict = DecisionVerdict.pick({ subject: true, outcome: true, text: true }).extend({ at });
export type TimedVerdict = z.infer<typeof TimedVerdict>;

/** A page without what it says of its alert: that is the same for all pages of a run. */
const SimulatedPage = Page.omit({ alert: true });

/** The pages of a simulated run, with what all of them say of the alert: undefined where there are none. */
export const SimulatedPages = z.object({
  pages: z.array(SimulatedPage).max(MOST_SIMULATED.pages),
  about: Page.shape.alert.optional(),
});
export type SimulatedPages = z.infer<typeof SimulatedPages>;

/** The pages themselves. */
export const pagesOf = ({ about, pages }: SimulatedPages): readonly Page[] =>
  about === undefined ? [] : pages.map((page) => ({ ...page, alert: about }));

/** The reverse of {@link pagesOf}. */
export const simulatedPages = (pages: readonly Page[]): SimulatedPages => ({
  pages: pages.map((page) => SimulatedPage.parse(page)),
  about: pages[0]?.alert,
});

/** What scheduling answers: whom the run of a simulated alert would page. */
export const SimulatedRun = SimulatedPages.extend({
  verdicts: z.array(TimedVerdict),
  /** The alert with the events to which its run would lead, in their order. */
  alert: SimulatedAlert,
  /** Whether more would follow. */
  truncated: z.boolean(),
});
export type SimulatedRun = z.infer<typeof SimulatedRun>;

/** What the notifier is asked: the pages of a run, and what becomes of the alert meanwhile. */
export const PagesToSimulate = SimulatedPages.extend({ alert: SimulatedAlert });
export type PagesToSimulate = z.infer<typeof PagesToSimulate>;

/** One message that would be sent. */
export const SimulatedMessage = z.object({
  at,
  userId: id,
  username: z.string(),
  method: ContactMethod,
  actionType: ActionType,
  why: z.string(),
});
export type SimulatedMessage = z.infer<typeof SimulatedMessage>;

/** What the notifier answers: what users would be told by their own rules. */
export const SimulatedMessages = z.object({
  messages: z.array(SimulatedMessage),
  verdicts: z.array(TimedVerdict),
  truncated: z.boolean(),
});
export type SimulatedMessages = z.infer<typeof SimulatedMessages>;
