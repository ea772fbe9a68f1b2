import type { MaintenanceRule } from '@tocsin/contracts';
import { overAtMs, type Maintenance } from './maintenance.ts';

/** A window and the state that it gives a thing. */
interface MaintenanceVerdict {
  readonly maintenance: Maintenance;
  readonly state: MaintenanceRule['state'];
}

/** An integration or a policy, and its owner team; undefined means the account. */
interface OwnedThing {
  readonly id: string;
  readonly ownerTeamId?: string | undefined;
}

/**
 * What the windows in force at one instant say of integrations and policies. A team's window affects only what the team
 * owns: a thing that was given to another team is out of its reach (K4, K8).
 */
export interface MaintenanceAt {
  /** The window that silences the integration, the one created first if several do; undefined if none does. */
  silencing(integration: OwnedThing): Maintenance | undefined;
  /**
   * The state that overrides the policy's own flag; undefined if no window does. `disabled` wins over `enabled`; of
   * several windows with the winning state, the one created first is named.
   */
  ofPolicy(policy: OwnedThing): MaintenanceVerdict | undefined;
}

/** A verdict, prepared for a fast look-up. */
interface Ranked extends MaintenanceVerdict {
  /** The lowest wins: `disabled` before `enabled`, then the order of creation. */
  readonly rank: number;
  readonly fromMs: number;
  readonly overAtMs: number;
}

type ByEntity = Readonly<Record<MaintenanceRule['entity']['type'], Map<string, Ranked[]>>>;

const compiled = new WeakMap<readonly Maintenance[], ByEntity>();

/**
 * What `maintenances`, in order of creation, say of a command accepted at `at` (P9). A question looks only at the
 * thing's windows that are not over by then: the list is compiled once, not once per call.
 */
export function maintenanceAt(maintenances: readonly Maintenance[], at: Date): MaintenanceAt {
  const known = compiled.get(maintenances) ?? compile(maintenances);
  compiled.set(maintenances, known);
  return {
    silencing: (integration) => inForce(known.integration, integration, at.getTime())?.maintenance,
    ofPolicy: (policy) => inForce(known.policy, policy, at.getTime()),
  };
}

function inForce(
  known: ReadonlyMap<string, readonly Ranked[]>,
  { id, ownerTeamId }: OwnedThing,
  atMs: number,
): MaintenanceVerdict | undefined {
  let best: Ranked | undefined;
  for (const one of known.get(id) ?? []) {
    if (one.overAtMs <= atMs) break;
    const { teamId } = one.maintenance;
    if (one.fromMs > atMs || (teamId !== undefined && teamId !== ownerTeamId)) continue;
    if (best === undefined || one.rank < best.rank) best = one;
  }
  return best && { maintenance: best.maintenance, state: best.state };
}

function compile(maintenances: readonly Maintenance[]): ByEntity {
  const known: ByEntity = { integration: new Map(), policy: new Map() };
  for (const [index, maintenance] of maintenances.entries()) {
    const lasting = { fromMs: maintenance.startsAt.getTime(), overAtMs: overAtMs(maintenance) };
    for (const { entity, state } of maintenance.rules) {
      const rank = state === 'disabled' ? index : maintenances.length + index;
      const ofEntity = known[entity.type].get(entity.id) ?? [];
      ofEntity.push({ maintenance, state, rank, ...lasting });
      known[entity.type].set(entity.id, ofEntity);
    }
  }
  for (const ofEntity of [...known.integration.values(), ...known.policy.values()])
    ofEntity.sort((a, b) => (a.overAtMs === b.overAtMs ? 0 : b.overAtMs - a.overAtMs));
  return known;
}
