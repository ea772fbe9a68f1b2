import type { TeamState } from '@tocsin/events';
import { isDefect } from '@tocsin/core';
import type { Mention } from '../configuration/mentions.ts';
import type { Snapshots } from '../configuration/snapshot-operations.ts';
import { compileRouting, type RoutingView, type TeamRouting } from './routing.ts';

/** The input of decisions about events and due items: the configuration of one instant, with the users and teams that are loaded meanwhile. */
export interface OpenView {
  readonly view: RoutingView;
  /**
   * Repeats `attempt`, and loads the users and teams that it did not find, until it finds all that can be loaded. Where directory is
   * unavailable, the rest is looked up later, so that others are paged now. Defects are ignored here: the same code runs again in the
   * transaction, and throws there, where the consumer halves the batch.
   */
  readonly load: (attempt: () => readonly Mention[] | Promise<readonly Mention[]>) => Promise<void>;
}

/** Opens views of the configuration. Teams are compiled once for each of their versions. */
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
        while (await snapshot.tryLoad(await attempt()));
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
