import { z } from 'zod';
import { id } from '../primitives.ts';
import { AlertFact, AlertState, type AlertEvent } from './alert-events.ts';
import { DecisionFinding } from './decisions.ts';
import { ActionType, Cancel, Page } from './pages.ts';
import { at } from './shared.ts';
import { ContactMethod, EscalationState } from './states.ts';

// Requests of alert-processor to scheduling and notifier in a simulation of an alert, and their answers; never on a topic.

/** The part of an alert's state that changes without an action of a user. */
const Changing = AlertState.pick({
  status: true,
  acknowledged: true,
  snoozed: true,
  cycle: true,
  notifications: true,
  flowStartedAt: true,
  flow: true,
});

/** So many events of an alert, and pages of its run, one question holds: a body is bounded. */
export const MAX_SIMULATED = { events: 200, pages: 500 } as const;

/** The rules and the repetition that an escalation would have. */
export const DraftEscalation = EscalationState.pick({ id: true, rules: true, repeat: true });
export type DraftEscalation = z.infer<typeof DraftEscalation>;

/** The future of an alert: its content once, and each event at the instant at which it would come. */
export const SimulatedAlert = z.object({
  alertId: id,
  acceptedAt: at,
  content: AlertState,
  events: z
    .array(z.object({ at, version: z.int(), facts: z.array(AlertFact), state: Changing }))
    .max(MAX_SIMULATED.events),
  /** What the escalation of this id would be. */
  escalation: DraftEscalation.optional(),
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
export function simulatedAlert(
  [first, ...others]: readonly [TimedEvent, ...TimedEvent[]],
  escalation?: DraftEscalation,
): SimulatedAlert {
  const { acceptedAt, alertId, state: content } = first.event;
  const events = [first, ...others].map(({ at: instant, event: { facts, state, version } }) => ({
    at: instant.toISOString(),
    version,
    facts,
    state: Changing.parse(state),
  }));
  return { alertId, acceptedAt, content, events, ...(escalation && { escalation }) };
}

/** A decision in a simulation, with its instant. */
export const TimedFinding = DecisionFinding.pick({ subject: true, outcome: true, text: true }).extend({ at });
export type TimedFinding = z.infer<typeof TimedFinding>;

/** A page without what it says of its alert: that is the same for all pages of a run. */
const SimulatedPage = Page.omit({ alert: true });

/** A user has two cancels at most for each page: at an acknowledgement and at a close. */
const MAX_CANCELS = 2 * MAX_SIMULATED.pages;

/** The pages of a simulated run, with what all of them say of the alert (undefined where there are none), and what ends them. */
export const SimulatedPages = z.object({
  pages: z.array(SimulatedPage).max(MAX_SIMULATED.pages),
  cancels: z.array(z.object({ at, cancel: Cancel })).max(MAX_CANCELS),
  about: Page.shape.alert.optional(),
});
export type SimulatedPages = z.infer<typeof SimulatedPages>;

/** The pages themselves. */
export const pagesOf = ({ about, pages }: SimulatedPages): readonly Page[] =>
  about === undefined ? [] : pages.map((page) => ({ ...page, alert: about }));

/** A cancel, and when it would come. */
export interface TimedCancel {
  readonly at: Date;
  readonly cancel: Cancel;
}

/** The cancels, in their order. */
export const cancelsOf = ({ cancels }: SimulatedPages): readonly TimedCancel[] =>
  cancels.map(({ at: instant, cancel }) => ({ at: new Date(instant), cancel }));

/** The reverse of {@link pagesOf} and {@link cancelsOf}. */
export const simulatedPages = (pages: readonly Page[], cancels: readonly TimedCancel[]): SimulatedPages => ({
  pages: pages.map((page) => SimulatedPage.parse(page)),
  cancels: cancels.slice(0, MAX_CANCELS).map(({ at: instant, cancel }) => ({ at: instant.toISOString(), cancel })),
  about: pages[0]?.alert,
});

/** The answer of scheduling: the users whom the escalations of a simulated alert would page. */
export const SimulatedRun = SimulatedPages.extend({
  findings: z.array(TimedFinding),
  /** Whether more would follow. */
  truncated: z.boolean(),
});
export type SimulatedRun = z.infer<typeof SimulatedRun>;

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

/** The answer of notifier: the messages that users would get by their own rules. */
export const SimulatedMessages = z.object({
  messages: z.array(SimulatedMessage),
  findings: z.array(TimedFinding),
  truncated: z.boolean(),
});
export type SimulatedMessages = z.infer<typeof SimulatedMessages>;
