import { MOST_SIMULATED, type TimedEvent } from '@tocsin/contracts';
import { simulateRun, type RunSimulation } from '../../domain/runs/simulate.ts';
import type { Snapshots } from '../loaded-snapshot.ts';
import { RoutingViews } from './routing-views.ts';

const MOST_STEPS = 10_000;
const MOST_VERDICTS = 1_000;
/** Of verdicts. */
const MOST_BYTES = 5_000_000;
/** Real time for one pass. */
const MOST_MS = 500;
/** From the first event on. Longer than 20 repetitions of an hour each with all their rules. */
const WITHIN_MS = 7 * 86_400_000;

/** Tells whom the runs of alerts would page and when, by today's configuration. Writes nothing. */
export class SimulateRuns {
  readonly #views: RoutingViews;

  /** `random` answers from 0 up to but not including 1. */
  constructor(snapshots: Snapshots, random: () => number) {
    this.#views = new RoutingViews(snapshots, random);
  }

  /**
   * The pages of a run through `events` (at least one, in their order), at most 500 and for seven days.
   *
   * @throws UnavailableError when the configuration cannot be read.
   */
  async simulate(events: readonly TimedEvent[]): Promise<RunSimulation> {
    const { load, view } = await this.#views.open();
    const start = events[0]?.at.getTime() ?? 0;
    const most = {
      ...MOST_SIMULATED,
      steps: MOST_STEPS,
      verdicts: MOST_VERDICTS,
      bytes: MOST_BYTES,
      until: new Date(start + WITHIN_MS),
    };
    const run = () => {
      const endsAt = performance.now() + MOST_MS;
      return simulateRun(events, view, { ...most, isOver: () => performance.now() > endsAt });
    };
    await load(() => run().unknown);
    return run();
  }
}
