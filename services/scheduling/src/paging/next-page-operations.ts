import { inSteps, UnavailableError } from '@tocsin/core';
import type { NextPageAnswer } from '@tocsin/events';
import type { Snapshots } from '../configuration/snapshot-operations.ts';
import { nextPage } from './next-page.ts';
import type { EscalationStateStore } from './store.ts';
import { RoutingViews } from './view-operations.ts';

/** Real time for one pass, in which the event loop runs after each step. */
const MAX_PASS_MS = 1_000;

/** Computes when the escalations of an alert next page users, by their state and today's configuration. Writes nothing. */
export class NextPages {
  readonly #states: Pick<EscalationStateStore, 'find'>;
  readonly #views: RoutingViews;

  /** `random` answers from 0 up to but not including 1. */
  constructor(states: Pick<EscalationStateStore, 'find'>, snapshots: Snapshots, random: () => number) {
    this.#states = states;
    this.#views = new RoutingViews(snapshots, random);
  }

  /**
   * The next page of an alert, and the first look-up that may page a user before; neither where its escalations page no user unless
   * something changes.
   *
   * @throws UnavailableError when the configuration cannot be read, or its evaluation takes too long.
   */
  async find(alertId: string): Promise<NextPageAnswer> {
    const state = (await this.#states.find([alertId])).get(alertId);
    if (state === undefined) return {};
    const { load, view } = await this.#views.open();
    const find = () => {
      const endsAt = performance.now() + MAX_PASS_MS;
      return inSteps(nextPage(state, view, () => performance.now() > endsAt));
    };
    let found = await find();
    if (found.unknown.length > 0) await load(async () => (found = await find()).unknown);
    const { truncated, lookUpAt, next } = found;
    if (truncated) throw new UnavailableError('The next page takes too long to compute.');
    return { next, lookUpAt: lookUpAt?.toISOString() };
  }
}
