import { type DraftEscalation, MAX_SIMULATED, type TimedEvent } from '@tocsin/events';
import { simulateEscalations, type EscalationSimulation } from './simulate.ts';
import type { Snapshots } from '../configuration/snapshot-operations.ts';
import type { RoutingView } from './routing.ts';
import { RoutingViews } from './view-operations.ts';

const MAX_TRANSITIONS = 10_000;
const MAX_FINDINGS = 1_000;
const MAX_FINDING_BYTES = 5_000_000;
/** Real time for one pass. */
const MAX_PASS_MS = 500;
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
   * @throws UnavailableError when the configuration cannot be read.
   */
  async simulate(events: readonly TimedEvent[], draft?: DraftEscalation): Promise<EscalationSimulation> {
    const { load, view: present } = await this.#views.open();
    const view = draft === undefined ? present : withDraft(present, draft);
    const start = events[0]?.at.getTime() ?? 0;
    const most = {
      ...MAX_SIMULATED,
      transitions: MAX_TRANSITIONS,
      findings: MAX_FINDINGS,
      bytes: MAX_FINDING_BYTES,
      until: new Date(start + MAX_SIMULATED_MS),
    };
    const simulate = () => {
      const endsAt = performance.now() + MAX_PASS_MS;
      return simulateEscalations(events, view, { ...most, isOver: () => performance.now() > endsAt });
    };
    const simulated = simulate();
    if (simulated.unknown.length === 0) return simulated;
    await load(() => simulate().unknown);
    return simulate();
  }
}

/** The view in which an escalation that is there has the rules and the repetition of a draft. */
function withDraft(view: RoutingView, { id, repeat, rules }: DraftEscalation): RoutingView {
  return {
    ...view,
    escalation: (wanted) => {
      const found = view.escalation(wanted);
      return found === undefined || wanted !== id ? found : { ...found, rules, repeat };
    },
  };
}
