import { type ImportRoutingRulesBody, MATCH_ALL_CRITERIA } from '@tocsin/api';
import { nestedIds } from '../references/nested-ids.ts';
import { logText } from '../teams/team-log.ts';
import { DEFAULT_RULE_NAME, type RoutingRule, routingRuleName, type RoutingTarget } from './routing-rule.ts';

type Rules = readonly RoutingRule[];

/** The input of imported rules besides the body. */
export interface ImportedRulesFacts {
  readonly newId: () => string;
  /** The zone of a rule that names none. */
  readonly timezone: string;
  /** The target of each reference, which is in JSON. */
  readonly targets: ReadonlyMap<string, RoutingTarget>;
}

/**
 * The rules of a team after an import, in the order of the list, the default rule last. A rule without an id keeps that of the present rule at
 * its place, the default rule its own (I9).
 */
export function importedRules(
  listed: ImportRoutingRulesBody['rules'],
  present: Rules,
  { newId, targets, timezone: zone }: ImportedRulesFacts,
): Rules {
  const last = listed.length - 1;
  const custom = present.filter(({ isDefault }) => !isDefault);
  const counterparts = listed.map((_, place) =>
    place === last ? present.find(({ isDefault }) => isDefault) : custom[place],
  );
  const ids = nestedIds(listed, counterparts, newId);
  return listed.map(
    ({ criteria = MATCH_ALL_CRITERIA, name = '', notify, timeRestriction, timezone = zone }, order) => ({
      id: ids[order] ?? '',
      name: order === last && name === '' ? DEFAULT_RULE_NAME : name,
      isDefault: order === last,
      order,
      timezone,
      criteria,
      ...(timeRestriction && { timeRestriction }),
      notify: targets.get(JSON.stringify(notify)) ?? { type: 'none' },
    }),
  );
}

/** One sentence for each rule that came, left or changed, and for each that has another place among those that stay. */
export function ruleDifferences(before: Rules, after: Rules): readonly string[] {
  const placeIn = (rules: Rules, others: Rules) => {
    const ids = new Set(others.map(({ id }) => id));
    return new Map(rules.filter(({ id }) => ids.has(id)).map(({ id }, place) => [id, place] as const));
  };
  const [placeBefore, placeAfter] = [placeIn(before, after), placeIn(after, before)];
  const byId = new Map(before.map((rule) => [rule.id, rule]));
  const present = after.flatMap((rule) => {
    const name = routingRuleName(rule);
    const earlier = byId.get(rule.id);
    if (earlier === undefined) return [logText.routingRuleCreated(name)];
    const isSame = JSON.stringify({ ...earlier, order: 0 }) === JSON.stringify({ ...rule, order: 0 });
    const isMoved = placeBefore.get(rule.id) !== placeAfter.get(rule.id);
    return [
      ...(isSame ? [] : [logText.routingRuleChanged(name)]),
      ...(isMoved ? [logText.routingRuleMoved(name, earlier.order, rule.order)] : []),
    ];
  });
  const left = before.filter(({ id }) => !placeBefore.has(id));
  return [...present, ...left.map((rule) => logText.routingRuleDeleted(routingRuleName(rule)))];
}
