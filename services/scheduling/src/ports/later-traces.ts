/** What is done at its own time, as a trace of its own. */
export interface LaterTrace {
  /** What comes of it is a part of this. */
  readonly trace: string;
  end(): void;
}

/** Begins what is done for `alertId` long after it was asked for, linked to the trace of whoever asked; undefined where that is not sampled. */
export type BeginLater = (name: string, asked: string, alertId: string) => LaterTrace | undefined;
