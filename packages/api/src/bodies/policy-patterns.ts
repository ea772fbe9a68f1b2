import type { Criteria } from './conditions.ts';
import { areTooMuch, type PlacedWork, workOfSet, workOfTemplate, workOfTemplates } from './pattern-steps.ts';
import type { PolicyEffectsOf, WrittenEffectsOf } from './policy-effects.ts';

interface Patterned {
  readonly filter: Criteria;
  readonly effects: PolicyEffectsOf<unknown>;
}

interface Written extends Patterned {
  readonly effects: WrittenEffectsOf<unknown>;
}

/** The patterns of a body. `named` is what it calls a field first; one that has two names counts twice where they differ. */
export function workOfBody(policy: Written, named?: { readonly actions: string }): readonly PlacedWork[] {
  const again = policy.effects.kind === 'alert' ? policy.effects.again : undefined;
  return [
    ...workOfPolicy(policy, named),
    ...workOfTemplate(again?.description, ['description']),
    ...workOfTemplates(again?.actions, ['actions']),
  ];
}

/**
 * Whether the patterns of these policies, all of which one alert may meet, are too much together: filters and templates
 * (P3). `TOO_MANY_STEPS` says so.
 */
export const policiesTakeTooLong = (policies: readonly Patterned[]): boolean =>
  areTooMuch(policies.flatMap((policy) => workOfPolicy(policy)));

/** The patterns of a policy: its filter's, then its templates'. `named` is what the body calls a field otherwise. */
function workOfPolicy(
  { filter, effects }: Patterned,
  named: { readonly actions?: string } = {},
): readonly PlacedWork[] {
  const ofFilter = workOfSet(filter.set, ['filter']);
  if (effects.kind === 'notification') return ofFilter;
  const { modify } = effects;
  return [
    ...ofFilter,
    ...(['message', 'alias', 'description', 'entity', 'source'] as const).flatMap((name) =>
      workOfTemplate(modify[name], [name]),
    ),
    ...workOfTemplates(modify.actions, [named.actions ?? 'actions']),
    ...workOfTemplates(modify.tags, ['tags']),
    ...workOfTemplates(Object.fromEntries(modify.details), ['details']),
  ];
}
