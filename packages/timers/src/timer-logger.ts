/** The part of a logger that timers use. */
export interface TimerLogger {
  error(fields: object, message: string): void;
}
