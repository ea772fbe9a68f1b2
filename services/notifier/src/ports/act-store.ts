import type { AlertAct } from '../domain/alert-act.ts';

/** Where answers of people who were told of alerts are kept, each once. */
export interface ActStore {
  /**
   * Keeps an act with its command and what the log says of it, in one transaction: all three, or nothing. Once this resolves, the
   * command survives any crash. False where the act is kept already; then nothing is written.
   */
  take(act: AlertAct, at: Date): Promise<boolean>;
  /** Whether an act with this request id is kept. */
  isKnown(requestId: string): Promise<boolean>;
}
