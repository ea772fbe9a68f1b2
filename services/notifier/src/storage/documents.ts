import type { IndexPlan } from '@tocsin/persistence';
import type { AlertStanding } from '../domain/wanted.ts';

export const FLOWS = 'flows';
export const DELIVERIES = 'deliveries';
export const STANDINGS = 'alert_standings';
export const STEP_TIMERS = 'step_timers';

/** One page that was expanded: by its id the page is known again. */
export interface FlowDocument {
  readonly _id: string;
  readonly alertId: string;
  readonly userId: string;
  readonly pagedAt: Date;
}

export type StandingDocument = Omit<AlertStanding, 'alertId'> & { readonly _id: string };

export const notifierIndexes: readonly IndexPlan[] = [
  { collection: FLOWS, keys: { alertId: 1 }, serves: 'what became of the pages of one alert' },
  { collection: DELIVERIES, keys: { 'page.alertId': 1 }, serves: 'what became of the messages about one alert' },
];
