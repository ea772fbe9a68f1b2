import { inSteps, UnavailableError } from '@tocsin/core';
import { type DraftEscalation, MAX_SIMULATED, type TimedEvent } from '@tocsin/events';
import { simulateEscalations, type EscalationSimulation } from './simulate.ts';
import type { Snapshots } from '../configuration/snapshot-operations.ts';
import type { RoutingView } from './routing.ts';
import { RoutingViews } from './view-operations.ts';

const MAX_TRANSITIONS = 10_000;
const MAX_FINDINGS = 1_000;
const MAX_FINDING_BYTES = 5_000_000;
/** Real time for all passes of one simulation together, in which the event loop runs after each step. */
const MAX_PASSES_MS = 1_000;
/** From the first event on. Longer than 20 repeats of an hour each with all their rules. */
const MAX_SIMULATED_MS = 7 * 86_400_000;

/** Computes which users alerts would page and when, by today's configuration. Writes nothing. */
export class EscalationSimulator {
  readonly #views: RoutingViews;

  /** `random` answers from 0 up to but not including 1. */
  constructor(snapshots: Snapshots, random: () => number) {
    this.#views = new RoutingViews(snapshots, random);
  }

  /**
   * The pages that follow from `events` (at least one, in their order), at most 500 and for seven days. `draft` is what one escalation would
   * be.
   *
   * @throws UnavailableError when the configuration cannot be read, or its users and teams are not all loaded within a second of passes.
   */
  async simulate(events: readonly TimedEvent[], draft?: DraftEscalation): Promise<EscalationSimulation> {
    const { load, view: present } = await this.#views.open();
    const view = draft === undefined ? present : withDraft(present, draft);
    const start = events[0]?.at.getTime() ?? 0;
    const limits = {
      ...MAX_SIMULATED,
      transitions: MAX_TRANSITIONS,
      findings: MAX_FINDINGS,
      findingBytes: MAX_FINDING_BYTES,
      until: new Date(start + MAX_SIMULATED_MS),
    };
    let leftMs = MAX_PASSES_MS;
    const simulate = async () => {
      if (leftMs <= 0) throw new UnavailableError('The simulation takes too long to compute.');
      const endsAt = performance.now() + leftMs;
      const simulated = await inSteps(
        simulateEscalations(events, view, { ...limits, isTimeUp: () => performance.now() > endsAt }),
      );
      leftMs = endsAt - performance.now();
      return simulated;
    };
    let simulated = await simulate();
    let hasLoaded = false;
    await load(async () => {
      if (hasLoaded) simulated = await simulate();
      hasLoaded = true;
      return simulated.unknown;
    });
    return simulated;
  }
}

/** The view in which the escalation of a draft, if it exists, has the rules and the repeat of the draft. */
function withDraft(view: RoutingView, { id, repeat, rules }: DraftEscalation): RoutingView {
  return {
    ...view,
    escalation: (wanted) => {
      const found = view.escalation(wanted);
      return found === undefined || wanted !== id ? found : { ...found, rules, repeat };
    },
  };
}
