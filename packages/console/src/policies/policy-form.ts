import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { type Conditions, conditionsText, sentConditions } from '../conditions/conditions-text.ts';
import { restrictionText } from '../conditions/time-restriction.ts';
import { respondersOf, type ResponderRow, rowsOf } from '../people/responders.ts';
import { linesOf, linesText } from '../ui/lines.ts';
import { mapOfPairs, type Pair, pairsOf } from '../ui/pairs.ts';

export type Policy = Answer<'get-policy-v2'>['data'];
export type PolicyKind = Policy['type'];
type AlertPolicy = Extract<Policy, { readonly type: 'alert' }>;
type NotificationPolicy = Extract<Policy, { readonly type: 'notification' }>;
type Delay = NonNullable<NotificationPolicy['delayAction']>;
type Deduplication = NonNullable<NotificationPolicy['deduplicationAction']>;
export type Length = NonNullable<NotificationPolicy['autoCloseAction']>['duration'];

/** The units of a length of time. */
export const LENGTH_UNITS = [
  'minutes',
  'hours',
  'days',
  'seconds',
  'milliseconds',
] as const satisfies readonly Length['timeUnit'][];

/** The options of a delay, in words. */
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

/** The texts of an alert that a policy can change, with their names on the page. */
export const TEXTS = {
  message: 'Message',
  alias: 'Alias',
  alertDescription: 'Description of the alert',
  entity: 'Entity',
  source: 'Source',
} as const satisfies Partial<Record<keyof AlertPolicy, string>>;
export type TextName = keyof typeof TEXTS;
const TEXT_NAMES = Object.keys(TEXTS) as readonly TextName[];

/** What a policy can drop of what the alert comes with. */
export const IGNORED = {
  ignoreOriginalTags: 'tags',
  ignoreOriginalDetails: 'details',
  ignoreOriginalActions: 'actions',
  ignoreOriginalResponders: 'responders',
} as const satisfies Partial<Record<keyof AlertPolicy, string>>;
export type IgnoredName = keyof typeof IGNORED;
const IGNORED_NAMES = Object.keys(IGNORED) as readonly IgnoredName[];

/** What a policy does, a sentence each. */
export const effectTexts = (policy: Policy): readonly string[] =>
  policy.type === 'alert' ? alertTexts(policy) : notificationTexts(policy);

/** The templates that keep a field as it is. */
const KEPT = /^\s*\{\{\s*(\w+)\s*\}\}\s*$/;

function alertTexts(policy: AlertPolicy): readonly string[] {
  const { actions, details, priority, responders, tags } = policy;
  const changed = TEXT_NAMES.flatMap((name) => {
    const field = name === 'alertDescription' ? 'description' : name;
    return KEPT.exec(policy[name])?.[1] === field ? [] : [`It sets the ${field} to “${policy[name]}”.`];
  });
  return [
    ...changed,
    ...(priority === undefined ? [] : [`It sets the priority to ${priority}.`]),
    ...(tags.length === 0 ? [] : [`It adds the tags ${tags.join(', ')}.`]),
    ...(actions.length === 0 ? [] : [`It adds the actions ${actions.join(', ')}.`]),
    ...(responders.length === 0 ? [] : [`It adds ${respondersText(responders.length)}.`]),
    ...Object.entries(details).map(([name, value]) => `It sets the detail “${name}” to “${value}”.`),
    ...removedTexts(policy),
    policy.continue
      ? 'The alert policies after it are tried too.'
      : 'No alert policy after it is tried where it matches.',
  ];
}

const respondersText = (count: number): string => (count === 1 ? '1 responder' : `${count} responders`);

function removedTexts(policy: AlertPolicy): readonly string[] {
  const removed = IGNORED_NAMES.flatMap((name) => (policy[name] ? [IGNORED[name]] : []));
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

type AlertFields = Pick<AlertPolicy, TextName | IgnoredName | 'continue'>;
type NotificationFields = Pick<
  NotificationPolicy,
  'suppress' | 'delayAction' | 'deduplicationAction' | 'autoCloseAction' | 'autoRestartAction'
>;

/** A policy as its form has it, with the names that the API has for the fields. */
export interface PolicyForm
  extends Pick<Policy, 'name' | 'enabled' | 'policyDescription' | 'timeRestrictions'>, AlertFields, NotificationFields {
  readonly filter: Conditions;
  /** Empty where the priority of the alert stays. */
  readonly priority: string;
  /** A line for each. */
  readonly tags: string;
  /** A line for each. */
  readonly actions: string;
  readonly details: readonly Pair[];
  readonly responders: readonly ResponderRow[];
}

/** What the fields of a form have. */
export interface EffectFieldsProps {
  readonly form: PolicyForm;
  /** What the server refused, by its names of the fields. */
  readonly refused: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<PolicyForm>) => void;
}

const NEW: PolicyForm = {
  name: '',
  enabled: true,
  policyDescription: '',
  filter: {},
  message: '{{message}}',
  alias: '{{alias}}',
  alertDescription: '{{description}}',
  entity: '{{entity}}',
  source: '{{source}}',
  priority: '',
  tags: '',
  actions: '',
  details: [],
  responders: [],
  ignoreOriginalTags: false,
  ignoreOriginalDetails: false,
  ignoreOriginalActions: false,
  ignoreOriginalResponders: false,
  continue: true,
  suppress: false,
};

/** The form of a policy, or of a new one. */
export function formOf(policy: Policy | undefined): PolicyForm {
  if (policy === undefined) return NEW;
  if (policy.type === 'notification') {
    const { id: _id, teamId: _teamId, type: _type, filter = {}, ...fields } = policy;
    return { ...NEW, ...fields, filter };
  }
  const { id: _id, teamId: _teamId, type: _type, description: _same, filter = {}, priority = '', ...fields } = policy;
  return {
    ...NEW,
    ...fields,
    filter,
    priority,
    tags: linesText(policy.tags),
    actions: linesText(policy.actions),
    details: pairsOf(policy.details),
    responders: rowsOf(policy.responders),
  };
}

/** The policy as the API takes it; `seen` is the one from which the form was filled. */
export function bodyOf(
  form: PolicyForm,
  kind: PolicyKind,
  seen: Policy | undefined,
): Readonly<Record<string, unknown>> {
  return {
    type: kind,
    name: form.name.trim(),
    enabled: form.enabled,
    policyDescription: form.policyDescription.trim(),
    ...(Object.keys(form.filter).length > 0 && { filter: sentConditions(form.filter) }),
    ...(form.timeRestrictions && { timeRestrictions: form.timeRestrictions }),
    ...(kind === 'alert' ? alertFields(form, seen) : notificationFields(form)),
  };
}

function alertFields(form: PolicyForm, seen: Policy | undefined) {
  const before = seen?.type === 'alert' ? seen : undefined;
  const pick = <Name extends keyof PolicyForm>(names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, form[name]]));
  return {
    ...pick(TEXT_NAMES),
    ...pick(IGNORED_NAMES),
    continue: form.continue,
    ...(form.priority !== '' && { priority: form.priority }),
    tags: linesOf(form.tags, before?.tags),
    actions: linesOf(form.actions, before?.actions),
    details: mapOfPairs(form.details),
    responders: respondersOf(form.responders),
  };
}

const notificationFields = (form: PolicyForm) => ({
  suppress: form.suppress,
  ...(form.delayAction && { delayAction: form.delayAction }),
  ...(form.deduplicationAction && { deduplicationAction: form.deduplicationAction }),
  ...(form.autoCloseAction && { autoCloseAction: form.autoCloseAction }),
  ...(form.autoRestartAction && { autoRestartAction: form.autoRestartAction }),
});

/** The delay with another option, and what that option needs. */
export function withDelayOption(delay: Delay | undefined, option: Delay['delayOption'] | 'none'): Delay | undefined {
  if (option === 'none') return undefined;
  return option === 'for-duration'
    ? { delayOption: option, duration: delay?.duration ?? { timeAmount: 10, timeUnit: 'minutes' } }
    : { delayOption: option, untilHour: delay?.untilHour ?? 8, untilMinute: delay?.untilMinute ?? 0 };
}

/** The kinds of deduplication, in words. */
export const DEDUPLICATION_NAMES: Readonly<Record<Deduplication['deduplicationActionType'], string>> = {
  'value-based': 'until the alert has occurred a number of times',
  'frequency-based': 'until the alert has occurred a number of times within a length of time',
};

/** The deduplication of another type, and what that type needs. */
export function withDeduplicationType(
  { count = 2, duration = { timeAmount: 5, timeUnit: 'minutes' } }: Partial<Deduplication> = {},
  type: Deduplication['deduplicationActionType'] | 'none',
): Deduplication | undefined {
  if (type === 'none') return undefined;
  return { deduplicationActionType: type, count, ...(type === 'frequency-based' && { duration }) };
}

/** What another person changed of a policy since it was seen, a sentence each. */
export function changesBetween(before: Policy, now: Policy): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(now)) return [];
  const old = new Set(factsOf(before));
  const texts = factsOf(now).filter((text) => !old.has(text));
  return texts.length > 0 ? texts.map((text) => `Now: ${text}`) : ['Something was taken away.'];
}

const factsOf = (policy: Policy): readonly string[] => [
  `The name is “${policy.name}”.`,
  policy.enabled ? 'It is enabled.' : 'It is disabled.',
  policy.policyDescription === '' ? 'It has no description.' : `The description is “${policy.policyDescription}”.`,
  scopeText(policy),
  ...effectTexts(policy),
  ...(policy.type === 'alert'
    ? policy.responders.map((each) => `The responders include ${'id' in each ? `${each.type} ${each.id}` : each.type}.`)
    : []),
];

/** What the server refused, by its names of the fields. A responder that it does not know is one of them. */
export function refusedFields(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof CallError)) return {};
  const isOfResponder = error.status === 404 && error.message.startsWith('Responder');
  return isOfResponder ? { responders: error.message } : error.fields;
}
