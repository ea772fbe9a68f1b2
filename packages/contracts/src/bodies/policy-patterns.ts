import type { Criteria } from './conditions.ts';
import {
  areTooMuch,
  patternsOfSet,
  patternsOfTemplate,
  patternsOfTemplates,
  type PlacedPattern,
} from './pattern-steps.ts';
import type { PolicyEffectsOf, WrittenEffectsOf } from './policy-effects.ts';

interface Patterned {
  readonly filter: Criteria;
  readonly effects: PolicyEffectsOf<unknown>;
}

interface Written extends Patterned {
  readonly effects: WrittenEffectsOf<unknown>;
}

/** The patterns of a body. `named` is what it calls a field first; one that has two names counts twice where they differ. */
export function patternsOfBody(policy: Written, named?: { readonly actions: string }): readonly PlacedPattern[] {
  const again = policy.effects.kind === 'alert' ? policy.effects.again : undefined;
  return [
    ...patternsOfPolicy(policy, named),
    ...patternsOfTemplate(again?.description, ['description']),
    ...patternsOfTemplates(again?.actions, ['actions']),
  ];
}

/**
 * Whether the patterns of these policies, all of which one alert may meet, are too much together: filters and templates
 * (P3). `TOO_MANY_STEPS` says so.
 */
export const policiesTakeTooLong = (policies: readonly Patterned[]): boolean =>
  areTooMuch(policies.flatMap((policy) => patternsOfPolicy(policy)));

/** The patterns of a policy: its filter's, then its templates'. `named` is what the body calls a field otherwise. */
function patternsOfPolicy(
  { filter, effects }: Patterned,
  named: { readonly actions?: string } = {},
): readonly PlacedPattern[] {
  const ofFilter = patternsOfSet(filter.set, ['filter']);
  if (effects.kind === 'notification') return ofFilter;
  const { modify } = effects;
  return [
    ...ofFilter,
    ...(['message', 'alias', 'description', 'entity', 'source'] as const).flatMap((name) =>
      patternsOfTemplate(modify[name], [name]),
    ),
    ...patternsOfTemplates(modify.actions, [named.actions ?? 'actions']),
    ...patternsOfTemplates(modify.tags, ['tags']),
    ...patternsOfTemplates(Object.fromEntries(modify.details), ['details']),
  ];
}
