import type { NextPage } from '@tocsin/events';
import type { Alert } from '../alerts/alert.ts';
import { scheduledActions, type ScheduledActionKind } from '../alerts/due.ts';

/** The answer of a service about the next page: that page, none, or no answer. */
export type NextPageReport = NextPage | 'none' | 'no-answer';

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

/**
 * The first page of an alert, of those that scheduling and notifier report and of the starts of its flow, if no user acts. It is unknown
 * where a service does not answer: that one may have an earlier page.
 */
export function nextPageOf(alert: Alert, reports: readonly NextPageReport[]): NextPageResult {
  if (alert.status !== 'open') return { state: 'none', text: 'The alert is closed.' };
  if (reports.includes('no-answer')) return { state: 'unknown', text: 'A service that knows it does not answer.' };
  const reported = reports.flatMap((report) => (typeof report === 'string' ? [] : dueOf(report)));
  const [first] = [...reported, ...startsOf(alert)].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const closesAt = scheduledActions(alert).find(({ kind }) => kind === 'auto-close')?.dueAt;
  if (first === undefined) return { state: 'none', text: whyNone(alert) };
  if (closesAt !== undefined && closesAt <= first.at)
    return { state: 'none', text: 'The alert closes by itself before it pages again.' };
  return first;
}

function dueOf({ at, users, why }: NextPage): Due {
  const to =
    users.length === 0 ? 'a user who is chosen at random then' : users.map(({ username }) => username).join(', ');
  return { state: 'due', at: new Date(at), users, text: `To ${to}: ${why}.` };
}

/**
 * A flow without responders pages no user, nor does that of a suppressed alert. At the end of its delay an acknowledged alert stays held
 * until an unacknowledgement (P16); the end of a snooze takes the acknowledgement back.
 */
function startsOf(alert: Alert): readonly Start[] {
  if (alert.responders.length === 0 || alert.notifications.kind === 'suppressed') return [];
  return scheduledActions(alert).flatMap(({ dueAt: at, kind }): readonly Start[] => {
    const text = kind === 'hold' && alert.acknowledged ? undefined : STARTS[kind];
    return text === undefined ? [] : [{ state: 'starts', at, text }];
  });
}

function whyNone({ acknowledged, notifications, responders }: Alert): string {
  if (notifications.kind === 'suppressed') return 'The pages of the alert are suppressed.';
  if (acknowledged) return 'The alert is acknowledged.';
  return responders.length === 0 ? 'The alert has no responders.' : 'No further step is due.';
}
