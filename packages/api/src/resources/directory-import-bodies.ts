import { flexibleBoolean, listOf, measuredFirst, optional } from '@tocsin/events';
import { z } from 'zod';
import { eachOnce, NestedImportId } from '../bodies/import-ids.ts';
import { NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { contactBody, NewContactFields } from './contacts.ts';
import { ImportedNotificationRule } from './notification-rule-bodies.ts';
import { CreateRoutingRuleBody, MAX_ROUTING_RULES } from './routing-rules.ts';
import { CreateTeamRoleBody, MAX_TEAM_ROLES } from './team-roles.ts';
import { CreateTeamBody } from './teams.ts';
import { inOneZone, NewUserFields } from './users.ts';

const ImportedContact = contactBody(
  NewContactFields.extend({
    id: NestedImportId,
    enabled: optional(flexibleBoolean).transform((enabled = true) => enabled),
  }),
);

/** A user with all their contacts that are not devices (I4). */
export const ImportUserBody = NewUserFields.extend({
  contacts: optional(listOf(ImportedContact).superRefine(eachOnce('id'))),
}).transform(inOneZone);
export type ImportUserBody = z.infer<typeof ImportUserBody>;

const ImportedTeamRole = CreateTeamRoleBody.extend({ id: NestedImportId });

/** A team with all its roles (I9). */
export const ImportTeamBody = CreateTeamBody.extend({
  roles: optional(listOf(ImportedTeamRole, MAX_TEAM_ROLES).superRefine(eachOnce('id'))),
});
export type ImportTeamBody = z.infer<typeof ImportTeamBody>;

const ImportedRoutingRule = z.object(
  {
    id: NestedImportId,
    isDefault: optional(flexibleBoolean).meta({ description: 'True of the last rule alone.' }),
    ...CreateRoutingRuleBody.omit({ order: true }).shape,
  },
  NOT_AN_OBJECT,
);
type ImportedRoutingRule = z.infer<typeof ImportedRoutingRule>;

/** All routing rules of a team by their order, the default rule last (I9). */
export const ImportRoutingRulesBody = z
  .object({
    rules: measuredFirst(
      listOf(ImportedRoutingRule, MAX_ROUTING_RULES).min(1, 'should have the default rule').superRefine(eachOnce('id')),
      MAX_ROUTING_RULES,
    ),
  })
  .superRefine(({ rules }, context) => {
    for (const [place, rule] of rules.entries()) {
      const fault = defaultRuleFault(rule, place === rules.length - 1);
      if (fault !== undefined)
        context.addIssue({ code: 'custom', path: ['rules', place, fault[0]], message: fault[1] });
    }
  });
export type ImportRoutingRulesBody = z.infer<typeof ImportRoutingRulesBody>;

/** The field of a rule that the default rule, which is the last one, does not have so, or it alone has; and the refusal. */
function defaultRuleFault(
  { criteria, isDefault }: ImportedRoutingRule,
  isLast: boolean,
): readonly [keyof ImportedRoutingRule, string] | undefined {
  if (isDefault !== undefined && isDefault !== isLast)
    return ['isDefault', isLast ? 'should be true of the last rule' : 'should be false of all rules but the last'];
  if (isLast && criteria !== undefined && criteria.set.type !== 'match-all')
    return ['criteria', 'of the default rule, which is the last one, should be match-all'];
  return undefined;
}

/** So many are read within 20 ms. */
const MAX_IMPORTED_RULES = 100;

/** All notification rules of a user, those of each action type by their order (I10). */
export const ImportNotificationRulesBody = z
  .object({
    rules: measuredFirst(
      listOf(ImportedNotificationRule, MAX_IMPORTED_RULES).superRefine(eachOnce('id')),
      MAX_IMPORTED_RULES,
    ),
  })
  .superRefine(({ rules }, context) => {
    const ids = new Set<string>();
    for (const [rule, { steps = [] }] of rules.entries())
      for (const [step, { id }] of steps.entries()) {
        const path = ['rules', rule, 'steps', step, 'id'];
        if (id !== undefined && ids.has(id))
          context.addIssue({ code: 'custom', path, message: 'should be unique in the list' });
        if (id !== undefined) ids.add(id);
      }
  });
export type ImportNotificationRulesBody = z.infer<typeof ImportNotificationRulesBody>;
