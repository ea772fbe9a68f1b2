import {
  flexibleBoolean,
  MATCH_ALL,
  optional,
  optionalReference,
  requiredText,
  text,
  type TimeRestriction,
} from '@tocsin/events';
import { z } from 'zod';
import { byType } from '../bodies/by-type.ts';
import { type Criteria, UnboundedCriteriaBody } from '../bodies/conditions.ts';
import type { RecipientReference } from '../bodies/integration-fields.ts';
import { refuseWork } from '../bodies/pattern-steps.ts';
import { place } from '../bodies/places.ts';
import type { PolicyEffectsOf, WrittenEffectsOf } from '../bodies/policy-effects.ts';
import {
  autoCloseFields,
  autoRestartFields,
  autoRestartOf,
  autoRestartV1Fields,
  DEDUPLICATION,
  deduplicationFields,
  deduplicationOf,
  DELAY,
  DELAY_V1,
  delayFields,
  delayOf,
  delayV1Of,
  notificationEffects,
} from '../bodies/policy-flow-fields.ts';
import { modifyV1Fields, modifyV1Of, modifyV2Fields, modifyV2Of } from '../bodies/policy-modify-fields.ts';
import { workOfBody } from '../bodies/policy-patterns.ts';
import { NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { TimeRestrictionBody } from '../bodies/time-restrictions.ts';

/** The body of a policy, within every limit and with all defaults. */
export interface PolicyBody {
  readonly name: string;
  readonly enabled: boolean;
  /** `policyDescription` in both versions; empty where none is written. */
  readonly description: string;
  /** Each condition has its `order`. Nothing is `written` where there was no filter. */
  readonly filter: Criteria;
  readonly timeRestriction: TimeRestriction | undefined;
  readonly effects: PolicyEffectsOf<RecipientReference>;
}

/** The new state of a policy: all of it is replaced, but `enabled` stays where undefined. */
export interface PolicyReplacement extends Omit<PolicyBody, 'enabled'> {
  readonly enabled: boolean | undefined;
}

/** The body of a replacement. The value of a field with two names depends on the present policy (E10). */
export interface WrittenPolicy extends Omit<PolicyReplacement, 'effects'> {
  readonly effects: WrittenEffectsOf<RecipientReference>;
}

const MAX_NAME = 512;

const NO_FILTER: Criteria = { set: MATCH_ALL, written: {} };

/** The common fields of all types; the restriction has both a plural and a singular name (wire facts 5). */
const common = {
  name: requiredText('Name', MAX_NAME),
  policyDescription: optional(text(MAX_NAME)),
  filter: optional(UnboundedCriteriaBody),
  timeRestrictions: TimeRestrictionBody,
  timeRestriction: TimeRestrictionBody,
};

function policyOf<Enabled extends boolean | undefined>(
  body: z.output<z.ZodObject<typeof common>> & { readonly enabled: Enabled },
  effects: WrittenPolicy['effects'],
) {
  return {
    name: body.name,
    enabled: body.enabled,
    description: body.policyDescription ?? '',
    filter: body.filter === undefined ? NO_FILTER : inOrder(body.filter),
    timeRestriction: body.timeRestrictions ?? body.timeRestriction,
    effects,
  };
}

/** `filter`, each condition with its place where it has no order. */
function inOrder({ set, written }: Criteria): Criteria {
  const placed = <C extends { readonly order?: number | undefined }>(condition: C, index: number) => ({
    ...condition,
    order: condition.order ?? index,
  });
  return {
    set: { ...set, conditions: set.conditions.map(placed) },
    written: { ...written, ...(written.conditions && { conditions: written.conditions.map(placed) }) },
  };
}

/** The types of version 1 (part 1, 2.8; P17). */
export const POLICY_V1_TYPES = [
  'auto-restart-notifications',
  'auto-close',
  'notification-suppress',
  'notification-deduplication',
  'notification-delay',
  'modify',
] as const;
export type PolicyV1Type = (typeof POLICY_V1_TYPES)[number];

const v1 = { ...common, enabled: flexibleBoolean };
const v1Type = <const T extends PolicyV1Type>(type: T) => z.literal(type);

const Modify = z
  .object({ ...v1, type: v1Type('modify'), ...modifyV1Fields })
  .transform((body) => policyOf(body, modifyV1Of(body)));
const Suppress = z
  .object({ ...v1, type: v1Type('notification-suppress') })
  .transform((body) => policyOf(body, notificationEffects({ suppress: true })));
const Delayed = z
  .object({ ...v1, type: v1Type('notification-delay'), ...delayFields })
  .transform((body, context) => policyOf(body, notificationEffects({ delay: delayV1Of(body, context) })))
  .meta(DELAY_V1);
const Deduplicated = z
  .object({ ...v1, type: v1Type('notification-deduplication'), ...deduplicationFields })
  .transform((body, context) => policyOf(body, notificationEffects({ deduplication: deduplicationOf(body, context) })))
  .meta(DEDUPLICATION);
const AutoClosed = z
  .object({ ...v1, type: v1Type('auto-close'), ...autoCloseFields })
  .transform((body) => policyOf(body, notificationEffects({ autoClose: { duration: body.duration } })));
const AutoRestarted = z
  .object({ ...v1, type: v1Type('auto-restart-notifications'), ...autoRestartV1Fields })
  .transform((body) => policyOf(body, notificationEffects({ autoRestart: autoRestartOf(body) })));

const V1Body: z.ZodType<WrittenPolicy> = byType(POLICY_V1_TYPES, [
  Modify,
  Suppress,
  Delayed,
  Deduplicated,
  AutoClosed,
  AutoRestarted,
]).superRefine((policy, context) => {
  refuseWork(workOfBody(policy, { actions: 'alertActions' }), context);
});

/**
 * The body that creates a policy by version 1 (part 1, 2.8 and 4.5): `type`, `name` and `enabled` are required, and what its
 * type needs. The patterns of its filter and of its templates count together (P3).
 */
export const CreatePolicyBody: z.ZodType<PolicyBody> = V1Body.transform(createdPolicy);

/** The body that replaces a policy by version 1: the same (part 1, 4.5). */
export const UpdatePolicyBody = V1Body;

/** A new policy. It is enabled by default. Of a field that has two names the first counts. */
export function createdPolicy({ enabled = true, effects, ...rest }: WrittenPolicy): PolicyBody {
  return { ...rest, enabled, effects: effects.kind === 'alert' ? { kind: 'alert', modify: effects.modify } : effects };
}

const v2 = { ...common, enabled: optional(flexibleBoolean) };

const Alert = z
  .object({ ...v2, type: z.literal('alert'), ...modifyV2Fields })
  .transform((body) => policyOf(body, modifyV2Of(body)));

const DeduplicationBody = optional(
  z.object(deduplicationFields, NOT_AN_OBJECT).transform(deduplicationOf).meta(DEDUPLICATION),
);

/** Creates and updates of older clients name the deduplication otherwise (wire facts 5). */
const Notification = z
  .object({
    ...v2,
    type: z.literal('notification'),
    suppress: optional(flexibleBoolean),
    delayAction: optional(z.object(delayFields, NOT_AN_OBJECT).transform(delayOf).meta(DELAY)),
    deduplicationAction: DeduplicationBody,
    deduplicationActionAction: DeduplicationBody,
    autoCloseAction: optional(z.object(autoCloseFields, NOT_AN_OBJECT)),
    autoRestartAction: optional(z.object(autoRestartFields, NOT_AN_OBJECT).transform(autoRestartOf)),
  })
  .transform((body) =>
    policyOf(
      body,
      notificationEffects({
        suppress: body.suppress ?? false,
        delay: body.delayAction,
        deduplication: body.deduplicationAction ?? body.deduplicationActionAction,
        autoClose: body.autoCloseAction,
        autoRestart: body.autoRestartAction,
      }),
    ),
  );

/**
 * The body that replaces a policy by version 2 (wire facts 5, 7.4): `type` and `name` are required. Whatever else is left out
 * becomes its default, but `enabled` stays. The patterns of its filter and of its templates count together (P3).
 */
export const UpdatePolicyV2Body: z.ZodType<WrittenPolicy> = byType(
  ['alert', 'notification'],
  [Alert, Notification],
).superRefine((policy, context) => {
  refuseWork(workOfBody(policy), context);
});

/** The body that creates a policy by version 2: the same; it is enabled by default. */
export const CreatePolicyV2Body: z.ZodType<PolicyBody> = UpdatePolicyV2Body.transform(createdPolicy);

/** Part 1, 4.5: the place that a policy is moved to, counted from 0; clients leave a zero out (P8). */
export const MovePolicyBody: z.ZodType<{ readonly targetIndex: number }> = z
  .object({ targetIndex: optional(place) }, NOT_AN_OBJECT)
  .transform(({ targetIndex = 0 }) => ({ targetIndex }));

/** Whose policies version 2 is asked for: those of the team, or of the account where none is named (wire facts 5). */
export const PolicyScopeQuery = z.object({
  teamId: optionalReference().meta({
    description: 'The team whose policies are meant; those of the account by default.',
  }),
});
export type PolicyScopeQuery = z.infer<typeof PolicyScopeQuery>;
