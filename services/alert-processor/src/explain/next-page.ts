import type { NextPage, NextPageAnswer } from '@tocsin/events';
import { flows, type Alert } from '../alerts/alert.ts';
import { scheduledActions, type ScheduledActionKind } from '../alerts/due.ts';

/** The answer of a service about the next page. */
export type NextPageReport = NextPageAnswer | 'no-answer';

/** When an alert next pages users by itself, and whom. */
export type NextPageResult =
  | {
      readonly state: 'due';
      readonly at: Date;
      /** Empty where they are known only then. */
      readonly users: NextPage['users'];
      readonly text: string;
    }
  /** The escalation starts then: it pages at once, or later where its first rule has a delay. */
  | { readonly state: 'starts'; readonly at: Date; readonly text: string }
  | { readonly state: 'none' | 'unknown'; readonly text: string };

/** The starts of the flow, which page again from the beginning. */
const STARTS: Partial<Readonly<Record<ScheduledActionKind, string>>> = {
  snooze: 'The snooze ends, and the escalation starts from the beginning.',
  hold: 'The delay by a policy ends, and the escalation starts.',
  restart: 'A policy starts the escalation from the beginning.',
};

type Due = NextPageResult & { readonly state: 'due' };
type Start = NextPageResult & { readonly state: 'starts' };

const LOOKED_UP: NextPageResult = { state: 'unknown', text: 'Responders are still being looked up.' };

/**
 * The first page of an alert, of those that scheduling and notifier report and of the starts of its flow, if no user acts. It is unknown
 * where a service does not answer, and where responders are looked up before it: either may lead to an earlier page.
 */
export function nextPageOf(alert: Alert, reports: readonly NextPageReport[]): NextPageResult {
  if (alert.status !== 'open') return { state: 'none', text: 'The alert is closed.' };
  const answers = reports.filter((report) => report !== 'no-answer');
  if (answers.length < reports.length) return { state: 'unknown', text: 'A service that knows it does not answer.' };
  const starts = startsOf(alert);
  const pages = [
    ...answers.flatMap(({ next }) => (next === undefined ? [] : dueOf(next))),
    // A flow without responders pages no user.
    ...(alert.responders.length === 0 ? [] : starts),
  ];
  const [first] = [
    ...pages.map((result) => ({ at: result.at, result })),
    ...lookUpsOf(alert, answers, starts).map((at) => ({ at, result: LOOKED_UP })),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const closesAt = scheduledActions(alert).find(({ kind }) => kind === 'auto-close')?.dueAt;
  if (first === undefined) return { state: 'none', text: whyNone(alert) };
  if (closesAt !== undefined && closesAt <= first.at)
    return { state: 'none', text: 'The alert closes by itself before it pages again.' };
  return first.result;
}

function dueOf({ at, users, why }: NextPage): Due {
  const to =
    users.length === 0 ? 'a user who is chosen at random then' : users.map(({ username }) => username).join(', ');
  return { state: 'due', at: new Date(at), users, text: `To ${to}: ${why}.` };
}

/**
 * The starts of the flow; none while the alert is suppressed. At the end of its delay an acknowledged alert stays held until an
 * unacknowledgement (P16); the end of a snooze takes the acknowledgement back.
 */
function startsOf(alert: Alert): readonly Start[] {
  if (alert.notifications.kind === 'suppressed') return [];
  return scheduledActions(alert).flatMap(({ dueAt: at, kind }): readonly Start[] => {
    const text = kind === 'hold' && alert.acknowledged ? undefined : STARTS[kind];
    return text === undefined ? [] : [{ state: 'starts', at, text }];
  });
}

/**
 * From when users may be paged whom a look-up finds: those of scheduling, and responders of the alert. They join a running flow at once, and
 * another one at its start.
 */
function lookUpsOf(alert: Alert, answers: readonly NextPageAnswer[], [start]: readonly Start[]): readonly Date[] {
  const ofScheduling = answers.flatMap(({ lookUpAt }) => (lookUpAt === undefined ? [] : new Date(lookUpAt)));
  if (!hasUnresolved(alert)) return ofScheduling;
  const joinAt = flows(alert) ? alert.unresolved?.dueAt : start?.at;
  return joinAt === undefined ? ofScheduling : [...ofScheduling, joinAt];
}

const hasUnresolved = ({ unresolved }: Alert): boolean => (unresolved?.responders.length ?? 0) > 0;

function whyNone(alert: Alert): string {
  const { acknowledged, notifications, responders } = alert;
  if (notifications.kind === 'suppressed') return 'The pages of the alert are suppressed.';
  if (acknowledged) return 'The alert is acknowledged.';
  return responders.length === 0 && !hasUnresolved(alert) ? 'The alert has no responders.' : 'No further step is due.';
}
