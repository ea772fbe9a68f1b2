export { Alarm } from './alarm.ts';
export { timerIndexes } from './timer-indexes.ts';
export type { TimerIndex } from './timer-indexes.ts';
export type { DueTimer, TimerRow } from './timer-rows.ts';
export { Timers } from './timers.ts';
export type { TimerLogger } from './timer-logger.ts';
export type { TimerMetrics, TimersOptions } from './timers.ts';
