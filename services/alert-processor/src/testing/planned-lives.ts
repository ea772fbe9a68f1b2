import type { AlertCommand } from '@tocsin/contracts';
import { EMPTY_CONFIGURATION, type Configuration } from '../domain/configuration.ts';
import type { AlarmKind } from '../domain/alert.ts';
import { pagingCreate, timerOf } from './commands-samples.ts';
import { EVERY_KIND, type Target } from './every-kind.ts';
import { condition, notifies } from './judging-samples.ts';
import type { NotificationEffects } from '../domain/policies/policy.ts';

const tagged = (tag: string, effects: Partial<NotificationEffects>) =>
  notifies(tag, effects, { filter: { conditions: [condition('tags', 'contains', tag)] } });

const minutes = (timeAmount: number) => ({ timeAmount, timeUnit: 'minutes' as const });

/** Policies for alerts that are tagged for them. */
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
/** A timer, so many minutes after the alert was made. */
const due = ({ alertId, at }: Target, kind: AlarmKind, fence: number, minute: number): AlertCommand =>
  timerOf(kind, alertId, fence, new Date(Date.parse(at) + minute * 60_000).toISOString());

/** Each is of one alert, which is named by its id; a timer names the version of the alert that set it. */
const LIVES: readonly Life[] = [
  (alert) => [
    created(alert, 'held', 'tidy', 'insist'),
    created(alert),
    due(alert, 'hold', 1, 30),
    due(alert, 'restart', 3, 40),
    due(alert, 'restart', 4, 50),
    due(alert, 'auto-close', 1, 60),
  ],
  (alert) => [
    created(alert, 'often', 'insist'),
    created(alert),
    EVERY_KIND.acknowledge(alert),
    created(alert),
    EVERY_KIND.unacknowledge(alert),
    due(alert, 'restart', 5, 10),
  ],
  (alert) => [
    created(alert, 'held', 'tidy'),
    EVERY_KIND.snooze(alert),
    due(alert, 'snooze', 2, 60),
    due(alert, 'hold', 1, 30),
    EVERY_KIND.delete(alert),
  ],
  (alert) => [
    created(alert, 'held', 'insist'),
    EVERY_KIND.acknowledge(alert),
    due(alert, 'hold', 1, 30),
    EVERY_KIND.unacknowledge(alert),
  ],
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

/** Ends an alert of `plannedLives` that is open, with the timers that it has by then. */
export const endOfPlanned = (number: number, at: string): AlertCommand =>
  EVERY_KIND.close(planned(number, LIVES.length - 1, at));

/** As many lives of alerts that policies are for as there are kinds of them; `number` tells their alerts from others. */
export function plannedLives(number: number, at: string): readonly (readonly AlertCommand[])[] {
  return LIVES.map((life, index) => life(planned(number, index, at)));
}
