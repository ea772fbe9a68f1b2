export { timerIndexes } from './timer-indexes.ts';
export type { TimerIndex } from './timer-indexes.ts';
export type { DueTimer, TimerRow } from './timer-rows.ts';
export { Timers } from './timers.ts';
export type { TimerLogger, TimerMetrics, TimersOptions } from './timers.ts';
