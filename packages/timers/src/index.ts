export { timerIndexes } from './timer-rows.ts';
export type { DueTimer, TimerRow } from './timer-rows.ts';
export { Timers } from './timers.ts';
export type { TimerMetrics, TimersOptions } from './timers.ts';
