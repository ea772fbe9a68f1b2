import type { Deduplication, Delay } from '@tocsin/contracts';
import type { Modification, NotificationEffects, Policy, PolicyRecipient } from '../domain/policies/policy.ts';
import { shownByVersionOne, versionOneType } from '../domain/policies/version-one.ts';
import { ignoresOriginalResponders } from '../domain/policies/version-two.ts';

type View = Record<string, unknown>;

/** The user name of a user, the name of anything else; undefined if it no longer exists. */
export type NameOf = (recipient: Extract<PolicyRecipient, { readonly id: string }>) => string | undefined;

/** A policy in version 1: the common fields and those of its type (part 1, 2.8). */
export function policyV1View(policy: Policy, nameOf: NameOf): View {
  const { effects } = policy;
  return {
    ...commonView(policy, versionOneType(effects)),
    ...(effects.kind === 'alert' ? modifyV1View(effects.modify, nameOf) : flowV1View(effects)),
  };
}

/** The answer of version 1 to a create (part 1, 4.5). */
export const policyV1Created = ({ id, name, enabled, effects }: Policy): View => ({
  id,
  name,
  type: versionOneType(effects),
  enabled,
});

/** An item in version 1's list; `order` is its place within its group (part 1, 4.5). */
export const policyV1Item = (policy: Policy, order: number): View => ({ ...policyV1Created(policy), order });

/** A policy in version 2 (wire facts 5). */
export function policyV2View(policy: Policy): View {
  const { effects, teamId } = policy;
  return {
    ...commonView(policy, effects.kind),
    ...(teamId !== undefined && { teamId }),
    ...(effects.kind === 'alert' ? modifyV2View(effects.modify) : flowV2View(effects)),
  };
}

/** The answer of version 2 to a create. */
export const policyV2Created = ({ id, name, enabled, effects: { kind } }: Policy): View => ({
  id,
  name,
  type: kind,
  enabled,
});

/** An item in version 2's lists; `order` is its place among the policies of its scope and kind. */
export const policyV2Item = (policy: Policy): View => ({ ...policyV2Created(policy), order: policy.order });

/**
 * The common fields. A filter is shown only if one was written: a client that wrote none would take it for a change.
 */
function commonView(
  { id, name, enabled, description, filter, timeRestriction }: Policy,
  type: string | undefined,
): View {
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

function modifyV1View(modify: Modification, nameOf: NameOf): View {
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

/**
 * Responders have no names here: a Terraform plan that has only ids would take a name for a change (wire facts 7.4).
 */
function modifyV2View(modify: Modification): View {
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
function modifyView(modify: Modification): View {
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

function recipientView(recipient: PolicyRecipient, nameOf: NameOf): View {
  if (!('id' in recipient)) return { type: recipient.type };
  const name = nameOf(recipient);
  return {
    type: recipient.type,
    id: recipient.id,
    ...(name !== undefined && { [recipient.type === 'user' ? 'username' : 'name']: name }),
  };
}

function flowV1View(effects: NotificationEffects): View {
  const { delay, deduplication, autoClose, autoRestart } = shownByVersionOne(effects);
  return {
    ...(delay !== undefined && delayView(delay)),
    ...(deduplication !== undefined && deduplicationView(deduplication)),
    ...autoClose,
    ...autoRestart,
  };
}

function flowV2View({ suppress, delay, deduplication, autoClose, autoRestart }: NotificationEffects): View {
  return {
    suppress,
    ...(delay !== undefined && { delayAction: delayView(delay) }),
    ...(deduplication !== undefined && { deduplicationAction: deduplicationView(deduplication) }),
    ...(autoClose !== undefined && { autoCloseAction: autoClose }),
    ...(autoRestart !== undefined && { autoRestartAction: autoRestart }),
  };
}

const delayView = ({ option, ...until }: Delay): View => ({ delayOption: option, ...until });

const deduplicationView = ({ type, ...counting }: Deduplication): View => ({
  deduplicationActionType: type,
  ...counting,
});
