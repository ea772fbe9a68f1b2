import type { TeamState } from '@tocsin/contracts';
import { isDefect } from '@tocsin/errors';
import type { Mention } from '../../domain/mentions.ts';
import { compileRouting, type RoutingView, type TeamRouting } from '../../domain/runs/routing.ts';
import type { Snapshots } from '../loaded-snapshot.ts';

/** What runs are settled with: the configuration of one moment, with the users and teams that are asked for meanwhile. */
export interface OpenView {
  readonly view: RoutingView;
  /**
   * Loads what `attempt` did not find, until it misses nothing new. An owner that is away must not keep others from being
   * paged: its users and teams are looked up again later. A defect is thrown again where it is classified.
   */
  readonly load: (attempt: () => readonly Mention[]) => Promise<void>;
}

/** Opens views for the settlement of runs. Teams are compiled once for each of their versions. */
export class RoutingViews {
  readonly #snapshots: Snapshots;
  readonly #random: () => number;
  /** By team state: a replica holds one object for each version of a team. */
  readonly #routings = new WeakMap<TeamState, TeamRouting>();

  /** `random` answers from 0 up to but not including 1. */
  constructor(snapshots: Snapshots, random: () => number) {
    this.#snapshots = snapshots;
    this.#random = random;
  }

  /** @throws UnavailableError when the configuration cannot be read. */
  async open(): Promise<OpenView> {
    const snapshot = await this.#snapshots.open();
    const view: RoutingView = {
      schedule: (id) => snapshot.schedule(id),
      escalation: (id) => snapshot.escalation(id),
      team: (id) => snapshot.team(id),
      user: (id) => snapshot.user(id),
      forwardings: snapshot.forwardings,
      isUnanswered: (mention) => snapshot.isUnanswered(mention),
      routing: (team) => this.#routing(team),
      pick: (items) => items[Math.floor(this.#random() * items.length)],
    };
    const load: OpenView['load'] = async (attempt) => {
      try {
        while (await snapshot.tryLoad(attempt()));
      } catch (error) {
        if (!isDefect(error)) throw error;
      }
    };
    return { view, load };
  }

  #routing(team: TeamState): TeamRouting {
    const known = this.#routings.get(team);
    if (known !== undefined) return known;
    const compiled = compileRouting(team);
    this.#routings.set(team, compiled);
    return compiled;
  }
}
