import type { IndexPlan } from '@tocsin/persistence';
import type { Repetition } from '../domain/repetition.ts';
import type { AlertStanding } from '../domain/wanted.ts';

export const FLOWS = 'flows';
export const NOTICES = 'notices';
export const DELIVERIES = 'deliveries';
export const STANDINGS = 'alert_standings';
export const STEP_TIMERS = 'step_timers';
export const REPEAT_TIMERS = 'repeat_timers';

/** One page that was expanded: by its id the page is known again. */
export interface FlowDocument {
  readonly _id: string;
  readonly alertId: string;
  readonly userId: string;
  readonly pagedAt: Date;
  /** The next repetition of its steps; absent or null where there is none. */
  readonly next?: Repetition | null;
}

/** One notice that was taken: by its id the notice is known again. */
export interface NoticeDocument {
  readonly _id: string;
  readonly userId: string;
  readonly at: Date;
}

export type StandingDocument = Omit<AlertStanding, 'alertId'> & { readonly _id: string };

export const notifierIndexes: readonly IndexPlan[] = [
  { collection: FLOWS, keys: { alertId: 1 }, serves: 'what became of the pages of one alert' },
  { collection: DELIVERIES, keys: { 'page.alertId': 1 }, serves: 'what became of the messages about one alert' },
];
