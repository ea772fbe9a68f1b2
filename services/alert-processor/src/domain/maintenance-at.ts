import type { MaintenanceRule } from '@tocsin/contracts';
import { isInForce, type Maintenance } from './maintenance.ts';

/** A window and the state in which it keeps a thing. */
interface MaintenanceVerdict {
  readonly maintenance: Maintenance;
  readonly state: MaintenanceRule['state'];
}

/** What the windows that govern one instant make of things. */
export interface MaintenanceAt {
  /** The window that silences the integration, of several the one created first; undefined where none does. */
  silencing(integrationId: string): Maintenance | undefined;
  /**
   * The state that overrides the flag of the policy; undefined where its own flag stands. Where windows disagree `disabled` wins,
   * and of several that say so the window created first is named.
   */
  ofPolicy(policyId: string): MaintenanceVerdict | undefined;
}

/** Verdicts by the id of what they are about, those of earlier windows first. */
interface Verdicts {
  readonly integration: ReadonlyMap<string, readonly MaintenanceVerdict[]>;
  readonly policy: ReadonlyMap<string, readonly MaintenanceVerdict[]>;
}

const compiled = new WeakMap<readonly Maintenance[], Verdicts>();

/**
 * What `maintenances`, in the order of their creation, say of what was accepted at `at` (P9). A question costs as much as the
 * thing has windows, however many there are: the list is read once, not once per call.
 */
export function maintenanceAt(maintenances: readonly Maintenance[], at: Date): MaintenanceAt {
  const verdicts = verdictsOf(maintenances);
  const inForce = ({ maintenance }: MaintenanceVerdict): boolean => isInForce(maintenance, at);
  return {
    silencing: (id) => verdicts.integration.get(id)?.find(inForce)?.maintenance,
    ofPolicy: (id) => {
      const said = verdicts.policy.get(id)?.filter(inForce) ?? [];
      return said.find(({ state }) => state === 'disabled') ?? said[0];
    },
  };
}

function verdictsOf(maintenances: readonly Maintenance[]): Verdicts {
  const known = compiled.get(maintenances);
  if (known !== undefined) return known;
  const verdicts = compile(maintenances);
  compiled.set(maintenances, verdicts);
  return verdicts;
}

function compile(maintenances: readonly Maintenance[]): Verdicts {
  const verdicts = {
    integration: new Map<string, MaintenanceVerdict[]>(),
    policy: new Map<string, MaintenanceVerdict[]>(),
  };
  for (const maintenance of maintenances)
    for (const { entity, state } of maintenance.rules) {
      const ofEntity = verdicts[entity.type].get(entity.id) ?? [];
      ofEntity.push({ maintenance, state });
      verdicts[entity.type].set(entity.id, ofEntity);
    }
  return verdicts;
}
