import type { TeamState } from '@tocsin/contracts';
import type { Snapshot } from '../snapshot.ts';
import type { TeamRouting } from './routing.ts';

/** What routing reads during one settlement. */
export interface RoutingView extends Snapshot {
  /** The routing rules of a team, compiled once for as long as its state is the same. */
  routing(team: TeamState): TeamRouting;
  /** Picks one of several with equal chances. */
  pick<T>(items: readonly T[]): T | undefined;
}
