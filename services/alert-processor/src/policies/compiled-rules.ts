import { abbreviated, compileTimeRestriction, explainConditions, type ExplainingConditions } from '@tocsin/rules';
import type { Configuration } from './configuration.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import { effectsOf, type Effect } from './effects.ts';
import type { Modification, NotificationEffects, Policy } from './policy.ts';

/** A configuration, compiled to be applied to thousands of creates. */
export interface CompiledRules {
  /** The account's time zone, in which delays are computed. */
  readonly zone: string;
  readonly maintenances: readonly Maintenance[];
  readonly hasPolicies: boolean;
  readonly account: ScopeRules;
  readonly teams: ReadonlyMap<string, ScopeRules>;
}

/** The policies of the account, or of one team, each kind in its order. */
export interface ScopeRules {
  readonly alert: readonly AlertPolicy[];
  readonly notification: readonly NotificationPolicy[];
}

export interface CompiledPolicy {
  readonly policy: Policy;
  /** Its name in logs and plans, such as `[Nights]`. */
  readonly label: string;
  /** Whether its time restriction covers an instant. */
  readonly covers: (at: Date) => boolean;
  readonly conditions: ExplainingConditions;
}

export interface AlertPolicy extends CompiledPolicy {
  readonly modify: Modification;
}

export interface NotificationPolicy extends CompiledPolicy {
  readonly effects: NotificationEffects;
  /** Its effects, in the order of `effectsOf`. */
  readonly effectNames: readonly Effect[];
}

const MAX_NAME_LENGTH = 100;

export const NO_RULES: ScopeRules = { alert: [], notification: [] };

/** Compiles the policies and windows of a configuration. Call it once per configuration: it costs far more than to apply them once. */
export function compileRules({ policies, maintenances }: Configuration, accountZone: string): CompiledRules {
  const scopes = new Map<string | undefined, Policy[]>();
  for (const policy of policies) {
    const scope = scopes.get(policy.teamId);
    if (scope === undefined) scopes.set(policy.teamId, [policy]);
    else scope.push(policy);
  }
  const account = scopeOf(scopes.get(undefined) ?? [], accountZone);
  scopes.delete(undefined);
  const teams = [...scopes].map(([teamId, own]) => [teamId ?? '', scopeOf(own, accountZone)] as const);
  return { zone: accountZone, maintenances, hasPolicies: policies.length > 0, account, teams: new Map(teams) };
}

function scopeOf(policies: readonly Policy[], zone: string): ScopeRules {
  const alert: AlertPolicy[] = [];
  const notification: NotificationPolicy[] = [];
  for (const policy of policies.toSorted((a, b) => a.order - b.order)) {
    const { effects } = policy;
    if (effects.kind === 'alert') alert.push({ ...compiled(policy, zone), modify: effects.modify });
    else notification.push({ ...compiled(policy, zone), effects, effectNames: effectsOf(effects) });
  }
  return { alert, notification };
}

function compiled(policy: Policy, zone: string): CompiledPolicy {
  return {
    policy,
    label: `[${abbreviated(policy.name, MAX_NAME_LENGTH)}]`,
    covers: compileTimeRestriction(policy.timeRestriction, zone),
    conditions: explainConditions(policy.filter.set),
  };
}
