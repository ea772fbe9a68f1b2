import {
  ALERT_LIMITS,
  blankIsAbsent,
  DEFAULT_LIMIT,
  optional,
  Priority,
  requiredText,
  USABLE_NAME,
} from '@tocsin/events';
import { z } from 'zod';
import {
  detailTemplates,
  flag,
  recipientList,
  type RecipientReference,
  template,
  templates,
} from './integration-fields.ts';
import type { Again, ModificationOf, WrittenAlertEffectsOf } from './policy-effects.ts';

/** Numbers and booleans become text, and `null` is left out, as in the details of an alert. */
const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

/** A list of `{key, value}` as the map that it means; the name of a bare string is its place. */
function asMap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Array.isArray(value)
    ? value.map((item: unknown, index): [string, unknown] => keyAndValue(item) ?? [String(index), item])
    : Object.entries(value);
  return Object.fromEntries(entries.filter(([, each]) => each !== null).map(([name, each]) => [name, asText(each)]));
}

function keyAndValue(item: unknown): [string, unknown] | undefined {
  const { key, value } = (item ?? {}) as Readonly<Record<string, unknown>>;
  return typeof key === 'string' ? [key, value ?? null] : undefined;
}

/** As JSON Schema. */
const detail = { type: ['string', 'number', 'boolean', 'null'], maxLength: DEFAULT_LIMIT };
const keyAndDetail = {
  type: 'object',
  properties: { key: { type: 'string', maxLength: DEFAULT_LIMIT, pattern: USABLE_NAME }, value: detail },
  required: ['key'],
};
/** Templates by the names of the details that they fill: a map, or a list of `{key, value}` or of strings (wire facts 5). */
const details = optional(
  z.preprocess(asMap, detailTemplates).meta({
    type: ['object', 'array'],
    additionalProperties: detail,
    maxItems: DEFAULT_LIMIT,
    items: { anyOf: [detail, keyAndDetail] },
  }),
);

const actions = templates(ALERT_LIMITS.actionLength, ALERT_LIMITS.actions);
const ignoring = flag.transform((ignore = false) => ignore);
const field = (max: number, original: string) => template(max).transform((written = original) => written);

/** As many as an alert keeps (A10). */
const policyRecipients = recipientList(ALERT_LIMITS.responders);

/** The fields with the same name in both versions of a modify policy. */
const modifyFields = {
  message: requiredText('Message', DEFAULT_LIMIT),
  continue: flag.transform((goOn = false) => goOn),
  alias: field(ALERT_LIMITS.alias, '{{alias}}'),
  entity: field(ALERT_LIMITS.entity, '{{entity}}'),
  source: field(ALERT_LIMITS.source, '{{source}}'),
  ignoreOriginalDetails: ignoring,
  ignoreOriginalTags: ignoring,
  details: details.transform((map = {}) => Object.entries(map)),
  tags: templates(DEFAULT_LIMIT, ALERT_LIMITS.tags).transform((tags = []) => tags),
  priority: blankIsAbsent(Priority),
};

/** Part 1, 2.8; `actions` is another name of `alertActions` (wire facts 5). */
export const modifyV1Fields = {
  ...modifyFields,
  description: template(ALERT_LIMITS.description),
  alertActions: actions,
  actions,
  ignoreOriginalAlertActions: ignoring,
  ignoreOriginalRecipients: ignoring,
  ignoreOriginalTeams: ignoring,
  recipients: policyRecipients,
};

/** Wire facts 5; `alertDescription` is another name of `description`. */
export const modifyV2Fields = {
  ...modifyFields,
  description: template(ALERT_LIMITS.description),
  alertDescription: template(ALERT_LIMITS.description),
  actions,
  ignoreOriginalActions: ignoring,
  ignoreOriginalResponders: ignoring,
  responders: policyRecipients,
};

export function modifyV1Of(body: Fields<typeof modifyV1Fields>): WrittenAlertEffectsOf<RecipientReference> {
  const again = differ(body.alertActions, body.actions) ? { again: { actions: body.actions } } : {};
  return alertEffects(body, again, {
    description: body.description,
    actions: body.alertActions ?? body.actions,
    recipients: body.recipients,
    ignoreOriginalActions: body.ignoreOriginalAlertActions,
    ignoreOriginalRecipients: body.ignoreOriginalRecipients,
    ignoreOriginalTeams: body.ignoreOriginalTeams,
  });
}

export function modifyV2Of(body: Fields<typeof modifyV2Fields>): WrittenAlertEffectsOf<RecipientReference> {
  const again = differ(body.alertDescription, body.description) ? { again: { description: body.description } } : {};
  return alertEffects(body, again, {
    description: body.alertDescription ?? body.description,
    actions: body.actions,
    recipients: body.responders,
    ignoreOriginalActions: body.ignoreOriginalActions,
    ignoreOriginalRecipients: body.ignoreOriginalResponders,
    ignoreOriginalTeams: body.ignoreOriginalResponders,
  });
}

const differ = <T>(first: T | undefined, second: T | undefined): second is T =>
  first !== undefined && second !== undefined && JSON.stringify(first) !== JSON.stringify(second);

type Modification = ModificationOf<RecipientReference>;

/** The fields that only one version has, or that have several names. */
interface Differing extends Pick<
  Modification,
  'ignoreOriginalActions' | 'ignoreOriginalRecipients' | 'ignoreOriginalTeams'
> {
  readonly description: Modification['description'] | undefined;
  readonly actions: Modification['actions'] | undefined;
  readonly recipients: Modification['recipients'] | undefined;
}

function alertEffects(
  body: Fields<typeof modifyFields>,
  again: { readonly again?: Again },
  { description = '{{description}}', actions = [], recipients = [], ...ignored }: Differing,
): WrittenAlertEffectsOf<RecipientReference> {
  return {
    kind: 'alert',
    ...again,
    modify: {
      continue: body.continue,
      message: body.message,
      alias: body.alias,
      description,
      entity: body.entity,
      source: body.source,
      ...ignored,
      ignoreOriginalDetails: body.ignoreOriginalDetails,
      ignoreOriginalTags: body.ignoreOriginalTags,
      actions,
      details: body.details,
      recipients,
      tags: body.tags,
      priority: body.priority,
    },
  };
}

type Fields<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;
