import type { AlertCommand } from '@tocsin/events';
import { EMPTY_CONFIGURATION, type Configuration } from '../policies/configuration.ts';
import { pagingCreate } from './commands-samples.ts';
import { EVERY_KIND, raise, type Target } from './every-kind.ts';
import { condition, notifies } from './policy-rules-samples.ts';
import type { NotificationEffects } from '../policies/policy.ts';

const tagged = (tag: string, effects: Partial<NotificationEffects>) =>
  notifies(tag, effects, { filter: { conditions: [condition('tags', 'contains', tag)] } });

const minutes = (timeAmount: number) => ({ timeAmount, timeUnit: 'minutes' as const });

/** Policies, each for alerts with its tag. */
export const POLICIES_BY_TAG: Configuration = {
  ...EMPTY_CONFIGURATION,
  policies: [
    tagged('held', { delay: { option: 'for-duration', duration: minutes(30) } }),
    tagged('often', { deduplication: { type: 'frequency-based', count: 3, duration: minutes(10) } }),
    tagged('tidy', { autoClose: { duration: minutes(60) } }),
    tagged('insist', { autoRestart: { duration: minutes(10), maxRepeatCount: 2 } }),
  ].map((policy, order) => ({ ...policy, order })),
};

type Life = (subject: Target) => readonly AlertCommand[];

const created = ({ alertId, at, identifier }: Target, ...tags: readonly string[]): AlertCommand => ({
  ...pagingCreate('', { at, alert: { alertId, tags: [...tags] } }),
  identifier,
});
/** Each is the life of one alert, named by id. */
const LIVES: readonly Life[] = [
  (alert) => [created(alert, 'held', 'tidy', 'insist'), created(alert)],
  (alert) => [
    created(alert, 'often', 'insist'),
    created(alert),
    EVERY_KIND.acknowledge(alert),
    created(alert),
    EVERY_KIND.unacknowledge(alert),
  ],
  (alert) => [created(alert, 'held', 'tidy'), EVERY_KIND.snooze(alert), EVERY_KIND.delete(alert)],
  (alert) => [created(alert, 'held', 'tidy'), raise(alert), EVERY_KIND.acknowledge(alert)],
  (alert) => [created(alert, 'held', 'insist'), EVERY_KIND.acknowledge(alert), EVERY_KIND.unacknowledge(alert)],
  (alert) => [
    created(alert, 'often'),
    created(alert),
    created(alert),
    EVERY_KIND.snooze(alert),
    EVERY_KIND.close(alert),
  ],
  (alert) => [created(alert, 'held', 'tidy', 'insist'), EVERY_KIND.escalate(alert)],
];

const planned = (number: number, index: number, at: string): Target => {
  const alertId = `planned-${String(number)}-${String(index)}`;
  return { identifier: { type: 'id', value: alertId }, alertId, alias: '', at };
};

/** Closes the alert of `plannedLives` that is left open. */
export const endOfPlanned = (number: number, at: string): AlertCommand =>
  EVERY_KIND.close(planned(number, LIVES.length - 1, at));

/** One life of each kind, of alerts with plans of policies. `number` makes their ids unique. */
export function plannedLives(number: number, at: string): readonly (readonly AlertCommand[])[] {
  return LIVES.map((life, index) => life(planned(number, index, at)));
}
