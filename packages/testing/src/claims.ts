import { setTimeout as pause } from 'node:timers/promises';

/** What a test gives timers, so that they fire into its hands at the instants that it names. */
export interface Steering<Due> {
  readonly clock: { readonly now: () => Date; readonly whenMoved: () => () => void };
  readonly fire: (due: readonly Due[]) => Promise<void>;
  readonly pollMs: number;
  /** Longer than a test: what it was given stays its own. */
  readonly leaseMs: number;
}

interface Timers {
  start(): void;
  stop(): Promise<void>;
  due(): Promise<number>;
}

/** Timers that do nothing by themselves: `claim(at)` claims all that are due at that instant, and leaves them to the test. */
export function claimedTimers<Due, T extends Timers>(
  open: (steering: Steering<Due>) => T,
): { readonly timers: T; readonly claim: (at: Date) => Promise<readonly Due[]> } {
  let now = new Date(0);
  let claimed: Due[] = [];
  const timers = open({
    clock: { now: () => now, whenMoved: () => () => undefined },
    fire: (due) => Promise.resolve(void claimed.push(...due)),
    pollMs: 10,
    leaseMs: 600_000,
  });
  const claim = async (at: Date) => {
    now = at;
    claimed = [];
    timers.start();
    while ((await timers.due()) > claimed.length) await pause(5);
    await timers.stop();
    return claimed;
  };
  return { timers, claim };
}
