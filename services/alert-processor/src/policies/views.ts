import type { Deduplication, Delay, AnswerOf, ItemOf } from '@tocsin/api';
import type { Modification, NotificationEffects, Policy, PolicyEffects, PolicyRecipient } from './policy.ts';
import { ignoresOriginalResponders, shownByVersionOne, versionOneType } from './versions.ts';

/** The user name of a user, the name of anything else; undefined if it no longer exists. */
export type NameOf = (recipient: Extract<PolicyRecipient, { readonly id: string }>) => string | undefined;

/** A policy in version 1: the common fields and those of its type (part 1, 2.8). */
export function policyV1View(policy: Policy, nameOf: NameOf): AnswerOf<'get-policy'>['data'] {
  const { effects } = policy;
  if (effects.kind === 'alert') return { ...commonView(policy, 'modify'), ...modifyV1View(effects.modify, nameOf) };
  const { delay, deduplication, autoClose, autoRestart } = shownByVersionOne(effects);
  if (delay) return { ...commonView(policy, 'notification-delay'), ...delayView(delay) };
  if (deduplication)
    return { ...commonView(policy, 'notification-deduplication'), ...deduplicationView(deduplication) };
  if (autoClose) return { ...commonView(policy, 'auto-close'), ...autoClose };
  if (autoRestart) return { ...commonView(policy, 'auto-restart-notifications'), ...autoRestart };
  return commonView(policy, 'notification-suppress');
}

/** The caller passes only effects of policies that version 1 shows. */
function typeInVersionOne(effects: PolicyEffects) {
  const type = versionOneType(effects);
  if (type === undefined) throw new TypeError('Version 1 does not show a policy that has no effect.');
  return type;
}

/** The answer of version 1 to a create (part 1, 4.5). */
export const policyV1Created = ({ id, name, enabled, effects }: Policy): AnswerOf<'create-policy'>['data'] => ({
  id,
  name,
  type: typeInVersionOne(effects),
  enabled,
});

/** An item in version 1's list; `order` is its place within its group (part 1, 4.5). */
export const policyV1Item = (policy: Policy, order: number): ItemOf<AnswerOf<'list-policies'>['data']> => ({
  ...policyV1Created(policy),
  order,
});

/** A policy in version 2 (wire facts 5). */
export function policyV2View(policy: Policy): AnswerOf<'get-policy-v2'>['data'] {
  const { effects, teamId } = policy;
  const ofTeam = teamId === undefined ? {} : { teamId };
  return effects.kind === 'alert'
    ? { ...commonView(policy, 'alert'), ...ofTeam, ...modifyV2View(effects.modify) }
    : { ...commonView(policy, 'notification'), ...ofTeam, ...flowV2View(effects) };
}

/** The answer of version 2 to a create. */
export const policyV2Created = ({
  id,
  name,
  enabled,
  effects: { kind },
}: Policy): AnswerOf<'create-policy-v2'>['data'] => ({
  id,
  name,
  type: kind,
  enabled,
});

/** An item in version 2's lists; `order` is its place among the policies of its scope and kind. */
export const policyV2Item = (policy: Policy): ItemOf<AnswerOf<'list-alert-policies-v2'>['data']> => ({
  ...policyV2Created(policy),
  order: policy.order,
});

/** The common fields. A filter is shown only if one was written: a client that wrote none would see a change. */
function commonView<Type extends string>(
  { id, name, enabled, description, filter, timeRestriction }: Policy,
  type: Type,
) {
  const hasFilter = Object.keys(filter.written).length > 0;
  return {
    id,
    type,
    name,
    enabled,
    policyDescription: description,
    ...(hasFilter && { filter: filter.written }),
    ...(timeRestriction !== undefined && { timeRestrictions: timeRestriction }),
  };
}

function modifyV1View(modify: Modification, nameOf: NameOf) {
  return {
    ...modifyView(modify),
    description: modify.description,
    ignoreOriginalAlertActions: modify.ignoreOriginalActions,
    ignoreOriginalRecipients: modify.ignoreOriginalRecipients,
    ignoreOriginalTeams: modify.ignoreOriginalTeams,
    alertActions: modify.actions,
    actions: modify.actions,
    recipients: modify.recipients.map((recipient) => recipientView(recipient, nameOf)),
  };
}

/** Responders have no names here: a Terraform plan with ids only would show a name as a change (wire facts 7.4). */
function modifyV2View(modify: Modification) {
  return {
    ...modifyView(modify),
    description: modify.description,
    alertDescription: modify.description,
    ignoreOriginalActions: modify.ignoreOriginalActions,
    ignoreOriginalResponders: ignoresOriginalResponders(modify),
    actions: modify.actions,
    responders: modify.recipients,
  };
}

/** The fields that have the same name in both versions. */
function modifyView(modify: Modification) {
  const { message, alias, entity, source, ignoreOriginalDetails, ignoreOriginalTags, tags, priority } = modify;
  return {
    message,
    continue: modify.continue,
    alias,
    entity,
    source,
    ignoreOriginalDetails,
    ignoreOriginalTags,
    details: Object.fromEntries(modify.details),
    tags,
    ...(priority !== undefined && { priority }),
  };
}

function recipientView(recipient: PolicyRecipient, nameOf: NameOf) {
  if (!('id' in recipient)) return { type: recipient.type };
  const name = nameOf(recipient);
  return {
    type: recipient.type,
    id: recipient.id,
    ...(name !== undefined && { [recipient.type === 'user' ? 'username' : 'name']: name }),
  };
}

function flowV2View({ suppress, delay, deduplication, autoClose, autoRestart }: NotificationEffects) {
  return {
    suppress,
    ...(delay !== undefined && { delayAction: delayView(delay) }),
    ...(deduplication !== undefined && { deduplicationAction: deduplicationView(deduplication) }),
    ...(autoClose !== undefined && { autoCloseAction: autoClose }),
    ...(autoRestart !== undefined && { autoRestartAction: autoRestart }),
  };
}

const delayView = ({ option, ...until }: Delay) => ({ delayOption: option, ...until });

const deduplicationView = ({ type, ...counting }: Deduplication) => ({
  deduplicationActionType: type,
  ...counting,
});
