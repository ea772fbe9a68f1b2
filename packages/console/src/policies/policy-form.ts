import type { Answer } from '../api/answer.ts';
import { type Conditions, conditionsText, sentConditions } from '../conditions/conditions-text.ts';
import { restrictionText, type TimeRestriction } from '../conditions/time-restriction.ts';

export type Policy = Answer<'get-policy-v2'>['data'];
export type PolicyKind = Policy['type'];
type AlertPolicy = Extract<Policy, { readonly type: 'alert' }>;
type NotificationPolicy = Extract<Policy, { readonly type: 'notification' }>;
type Delay = NonNullable<NotificationPolicy['delayAction']>;
export type Length = NonNullable<NotificationPolicy['autoCloseAction']>['duration'];

export const DELAY_NAMES: Readonly<Record<Delay['delayOption'], string>> = {
  'for-duration': 'for a length of time',
  'next-time': 'until the next',
  'next-weekday': 'until the next weekday',
  'next-monday': 'until the next Monday',
  'next-tuesday': 'until the next Tuesday',
  'next-wednesday': 'until the next Wednesday',
  'next-thursday': 'until the next Thursday',
  'next-friday': 'until the next Friday',
  'next-saturday': 'until the next Saturday',
  'next-sunday': 'until the next Sunday',
};

const lengthText = ({ timeAmount, timeUnit }: Length): string =>
  `${timeAmount} ${timeAmount === 1 ? timeUnit.replace(/s$/, '') : timeUnit}`;

const clock = (hour = 0, minute = 0): string => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

/** What a policy does, a sentence each. */
export const effectTexts = (policy: Policy): readonly string[] =>
  policy.type === 'alert' ? alertTexts(policy) : notificationTexts(policy);

/** The templates that keep a field as it is. */
const KEPT = /^\s*\{\{\s*(\w+)\s*\}\}\s*$/;

function alertTexts(policy: AlertPolicy): readonly string[] {
  const fields = ['message', 'alias', 'entity', 'source', 'description'] as const;
  const changed = fields.flatMap((name) =>
    KEPT.exec(policy[name])?.[1] === name ? [] : [`It sets the ${name} to “${policy[name]}”.`],
  );
  return [
    ...changed,
    ...(policy.priority === undefined ? [] : [`It sets the priority to ${policy.priority}.`]),
    ...(policy.tags.length === 0 ? [] : [`It adds the tags ${policy.tags.join(', ')}.`]),
    ...(policy.responders.length === 0 ? [] : [`It adds ${policy.responders.length} responders.`]),
    ...(Object.keys(policy.details).length === 0
      ? []
      : [`It adds the details ${Object.keys(policy.details).join(', ')}.`]),
    ...removedTexts(policy),
    policy.continue
      ? 'The alert policies after it are tried too.'
      : 'No alert policy after it is tried where it matches.',
  ];
}

function removedTexts(policy: AlertPolicy): readonly string[] {
  const removed = [
    policy.ignoreOriginalTags && 'tags',
    policy.ignoreOriginalDetails && 'details',
    policy.ignoreOriginalActions && 'actions',
    policy.ignoreOriginalResponders && 'responders',
  ].filter((name) => name !== false);
  return removed.length === 0 ? [] : [`It removes the ${removed.join(', ')} that the alert comes with.`];
}

function notificationTexts(policy: NotificationPolicy): readonly string[] {
  const { autoCloseAction, autoRestartAction, deduplicationAction, delayAction, suppress } = policy;
  const texts = [
    suppress && 'No user is notified.',
    delayAction && `Notifications are held ${delayText(delayAction)}.`,
    deduplicationAction &&
      `Notifications are held until the alert has occurred ${deduplicationAction.count} times${
        deduplicationAction.duration === undefined ? '' : ` within ${lengthText(deduplicationAction.duration)}`
      }.`,
    autoRestartAction &&
      `Notifications start again each ${lengthText(autoRestartAction.duration)}, ${autoRestartAction.maxRepeatCount} times at most.`,
    autoCloseAction && `The alert is closed after ${lengthText(autoCloseAction.duration)}.`,
  ].filter((text) => typeof text === 'string');
  return texts.length === 0 ? ['It has no effect.'] : texts;
}

function delayText({ delayOption, duration, untilHour, untilMinute }: Delay): string {
  if (delayOption === 'for-duration') return `for ${duration === undefined ? 'a time' : lengthText(duration)}`;
  return `${DELAY_NAMES[delayOption]} ${clock(untilHour, untilMinute)}`;
}

/** For which alerts, and when. */
export const scopeText = ({ filter, timeRestrictions }: Policy): string =>
  `For ${conditionsText(filter)}, ${restrictionText(timeRestrictions)}.`;

/** The fields of a policy that its form has. What the policy has beside them stays as it is. */
export interface PolicyForm {
  readonly name: string;
  readonly policyDescription: string;
  readonly filter: Conditions;
  readonly timeRestrictions: TimeRestriction | undefined;
  /** Of alert policies. */
  readonly message: string;
  readonly priority: string;
  readonly tags: string;
  readonly continues: boolean;
  /** Of notification policies. */
  readonly suppress: boolean;
  readonly delay: Delay | undefined;
  readonly autoClose: Length | undefined;
}

const NEW: PolicyForm = {
  name: '',
  policyDescription: '',
  filter: {},
  timeRestrictions: undefined,
  message: '{{message}}',
  priority: '',
  tags: '',
  continues: true,
  suppress: false,
  delay: undefined,
  autoClose: undefined,
};

/** The form of a policy, or of a new one. */
export function formOf(policy: Policy | undefined): PolicyForm {
  if (policy === undefined) return NEW;
  const { filter = {}, name, policyDescription, timeRestrictions } = policy;
  const common = { ...NEW, name, policyDescription, filter, timeRestrictions };
  if (policy.type === 'notification') {
    const { autoCloseAction, delayAction, suppress } = policy;
    return { ...common, suppress, delay: delayAction, autoClose: autoCloseAction?.duration };
  }
  const { message, priority = '', tags } = policy;
  return { ...common, message, priority, tags: tagsText(tags), continues: policy.continue };
}

/** The fields of a policy that the form has, by kind; the server has these names for them. */
const FORM_FIELDS: Readonly<Record<PolicyKind, readonly string[]>> = {
  alert: ['message', 'priority', 'tags', 'continue'],
  notification: ['suppress', 'delayAction', 'autoCloseAction'],
};
const COMMON_FIELDS = ['id', 'teamId', 'type', 'enabled', 'name', 'policyDescription', 'filter', 'timeRestrictions'];

/** What a policy has beside the fields of its form. */
export function otherFields(policy: Policy): Readonly<Record<string, unknown>> {
  const known = new Set([...COMMON_FIELDS, ...FORM_FIELDS[policy.type]]);
  return Object.fromEntries(Object.entries(policy).filter(([name]) => !known.has(name)));
}

interface PolicyBefore {
  /** The policy from which the form was filled. */
  readonly seen: Policy | undefined;
  /** What it is right before the write. */
  readonly now: Policy | undefined;
}

/** The policy as the API takes it: the form, and what the policy has beside it now. */
export function bodyOf(
  form: PolicyForm,
  kind: PolicyKind,
  { now, seen }: PolicyBefore,
): Readonly<Record<string, unknown>> {
  const isFilterWritten = now?.filter !== undefined || Object.keys(form.filter).length > 0;
  return {
    ...(now && otherFields(now)),
    type: kind,
    name: form.name.trim(),
    policyDescription: form.policyDescription.trim(),
    ...(isFilterWritten && { filter: sentConditions(form.filter) }),
    ...(form.timeRestrictions && { timeRestrictions: form.timeRestrictions }),
    ...(kind === 'alert' ? alertFields(form, seen) : notificationFields(form)),
  };
}

const alertFields = ({ continues, message, priority, tags }: PolicyForm, seen: Policy | undefined) => ({
  message,
  ...(priority !== '' && { priority }),
  tags: tagsOf(tags, seen),
  continue: continues,
});

const tagsText = (tags: readonly string[]): string => tags.join(', ');

/** Tags as they were typed. Those that were not changed stay as they are: a tag can have a comma. */
function tagsOf(typed: string, seen: Policy | undefined): readonly string[] {
  if (seen?.type === 'alert' && typed === tagsText(seen.tags)) return seen.tags;
  return typed
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
}

const notificationFields = ({ autoClose, delay, suppress }: PolicyForm) => ({
  suppress,
  ...(delay && { delayAction: delay }),
  ...(autoClose && { autoCloseAction: { duration: autoClose } }),
});

/** The delay with another option, and what that option needs. */
export function withDelayOption(delay: Delay | undefined, option: Delay['delayOption'] | 'none'): Delay | undefined {
  if (option === 'none') return undefined;
  return option === 'for-duration'
    ? { delayOption: option, duration: delay?.duration ?? { timeAmount: 10, timeUnit: 'minutes' } }
    : { delayOption: option, untilHour: delay?.untilHour ?? 8, untilMinute: delay?.untilMinute ?? 0 };
}

/** What another person changed of a policy since it was seen, a sentence each. */
export function changesBetween(before: Policy, now: Policy): readonly string[] {
  const textsOf = (policy: Policy) => [`The name is “${policy.name}”.`, scopeText(policy), ...effectTexts(policy)];
  const old = new Set(textsOf(before));
  const texts = textsOf(now).filter((text) => !old.has(text));
  const isSame = JSON.stringify(before) === JSON.stringify(now);
  if (isSame) return [];
  return texts.length > 0 ? texts.map((text) => `Now: ${text}`) : ['Fields were changed that have no words here.'];
}
