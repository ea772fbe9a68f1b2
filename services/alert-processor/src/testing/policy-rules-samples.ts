import type { Criteria } from '@tocsin/api';
import type { ConditionSet } from '@tocsin/events';
import { EMPTY_CONFIGURATION, type Configuration } from '../policies/configuration.ts';
import { compileRules, type CompiledRules } from '../policies/compiled-rules.ts';
import type { PolicyContext } from '../policies/policy-result.ts';
import type { Modification, NotificationEffects, Policy } from '../policies/policy.ts';
import { modifying, notifying, policyOf } from './policy-samples.ts';

type Common = Partial<Omit<Policy, 'effects' | 'filter'>> & { readonly filter?: Partial<ConditionSet> };

function criteria({ type = 'match-all-conditions', conditions }: Partial<ConditionSet> = {}): Criteria {
  const set: ConditionSet = conditions === undefined ? { type: 'match-all', conditions: [] } : { type, conditions };
  return { set, written: { type: set.type } };
}

/** An alert policy of the account; its id is its name. */
export const modifies = (name: string, changes: Partial<Modification>, { filter, ...fields }: Common = {}): Policy =>
  policyOf(name, { name, effects: modifying(changes), filter: criteria(filter), ...fields });

/** A notification policy of the account; its id is its name. */
export const notifies = (
  name: string,
  effects: Partial<NotificationEffects>,
  { filter, ...fields }: Common = {},
): Policy => policyOf(name, { name, effects: notifying(effects), filter: criteria(filter), ...fields });

type Condition = ConditionSet['conditions'][number];

export const condition = (
  field: string,
  operation: Condition['operation'],
  expectedValue = '',
  more: Partial<Condition> = {},
): Condition => ({ field, not: false, operation, expectedValue, ...more });

/** Compiles `policies`; within each scope and kind their order is that of the list. */
export function rulesOf(policies: readonly Policy[], rest: Partial<Configuration> = {}, zone = 'UTC'): CompiledRules {
  const places = new Map<string, number>();
  const ordered = policies.map((one) => {
    const scope = JSON.stringify([one.teamId, one.effects.kind]);
    const order = places.get(scope) ?? 0;
    places.set(scope, order + 1);
    return { ...one, order };
  });
  return compileRules({ ...EMPTY_CONFIGURATION, policies: ordered, ...rest }, zone);
}

/** Everybody is known. The name of a reference without one is its id in capitals. */
export const POLICY_CONTEXT: PolicyContext = {
  resolve: ({ id, name = id?.toUpperCase() ?? '' }) => ({ kind: 'known', id: id ?? `id-of-${name}`, name }),
  nameOf: (_, id) => id.toUpperCase(),
  everyone: () => ['ada', 'bob'],
};
