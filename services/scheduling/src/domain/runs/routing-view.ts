import type { World } from '../world.ts';

/** What routing reads while one settlement runs. */
export interface RoutingView extends World {
  /** Picks one of several with equal chances. */
  pick<T>(items: readonly T[]): T | undefined;
}
