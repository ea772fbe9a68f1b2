import { type Condition, type Conditions, conditionsText, formOf, matchTypeOf } from '../conditions/conditions-text.ts';
import type { Contact, Rule } from './queries.ts';

export type ActionType = Rule['actionType'];
type Step = Rule['steps'][number];
type TimeRestriction = NonNullable<Rule['timeRestriction']>;
export type LeadTime = NonNullable<Rule['notificationTime']>[number];

/** What a rule is about, as the heading of those with the same action type. */
export const ACTION_NAMES: Readonly<Record<ActionType, string>> = {
  'create-alert': 'New alerts',
  'renotified-alert': 'Alerts that page you again',
  'assigned-alert': 'Alerts that are assigned to you',
  'acknowledged-alert': 'Alerts that are acknowledged',
  'closed-alert': 'Alerts that are closed',
  'add-note': 'Notes',
  'schedule-start': 'The start of your time on call',
  'schedule-end': 'The end of your time on call',
  'incoming-call-routing': 'Calls that are routed to you',
};

/** When the rules of an action type are used, but for new alerts and shifts. */
const EVENTS: Readonly<Partial<Record<ActionType, string>>> = {
  'renotified-alert': 'When an alert pages you again',
  'assigned-alert': 'When an alert is assigned to you',
  'acknowledged-alert': 'When an alert that paged you is acknowledged',
  'closed-alert': 'When an alert that paged you is closed',
  'add-note': 'When an alert that paged you gets a note',
  'incoming-call-routing': 'When a call is routed to you',
};

/** Whether a rule is about the start or end of a shift: only such a rule has lead times and schedules, and no conditions (U6). */
export const isOfShifts = (actionType: ActionType): boolean =>
  actionType === 'schedule-start' || actionType === 'schedule-end';

const REPEATED: readonly ActionType[] = ['create-alert', 'renotified-alert', 'incoming-call-routing'];

/** Whether the steps of a rule can be repeated. Status updates and notices of shifts are sent once (U6, U15). */
export const isRepeatable = (actionType: ActionType): boolean => REPEATED.includes(actionType);

/** What a rule does, as one sentence. `contacts` are those of its user. */
export function ruleText(rule: Rule, contacts: readonly Contact[]): string {
  return `${subjectText(rule)}${timeText(rule.timeRestriction)}: ${stepsText(rule.steps, contacts)}${repeatText(rule)}.`;
}

function subjectText({ actionType, criteria, notificationTime = [], schedules = [] }: Rule): string {
  if (isOfShifts(actionType)) {
    const side = actionType === 'schedule-start' ? 'come on' : 'go off';
    const names = schedules.map(({ name }) => name ?? 'a deleted schedule');
    return `${leadText(notificationTime)} before you ${side} call${names.length === 0 ? '' : ` in ${listText(names)}`}`;
  }
  const which = alertsText(criteria);
  if (actionType === 'create-alert') return which === '' ? 'All new alerts' : `New alerts ${which}`;
  return `${EVENTS[actionType] ?? actionType}${which === '' ? '' : `, for alerts ${which}`}`;
}

/** Which alerts the conditions hold for, after the word "alerts"; nothing where it is all of them. */
function alertsText(criteria: Conditions): string {
  const conditions = criteria.conditions ?? [];
  const type = matchTypeOf(criteria);
  if (type === 'match-all') return '';
  const isAny = type === 'match-any-condition';
  const of = prioritiesOf(conditions, false);
  if (of !== undefined && (isAny || of.length === 1)) return `of ${listText(of)}`;
  const but = prioritiesOf(conditions, true);
  if (but !== undefined && (!isAny || but.length === 1)) return `of all priorities but ${listText(but)}`;
  return conditionsText(criteria).replace(/^alerts /, '');
}

/** The priorities that the conditions compare with, where all of them do that; undefined otherwise. */
function prioritiesOf(conditions: readonly Condition[], not: boolean): readonly string[] | undefined {
  const forms = conditions.map(formOf);
  const isEach = forms.every(
    ({ field, operation, ...form }) => field === 'priority' && operation === 'equals' && form.not === not,
  );
  return isEach && forms.length > 0
    ? [...new Set(forms.map(({ expectedValue }) => expectedValue.toUpperCase()))].sort()
    : undefined;
}

/** The lead times of notices of shifts, from the longest on. */
export const LEAD_TIMES = {
  '1-day-ago': '1 day',
  '1-hour-ago': '1 hour',
  '15-minutes-ago': '15 minutes',
  'just-before': '1 minute',
} as const satisfies Record<LeadTime, string>;

function leadText(times: readonly LeadTime[]): string {
  const words = Object.entries(LEAD_TIMES).flatMap(([time, name]) => (times.includes(time as LeadTime) ? [name] : []));
  return words.length === 0 ? 'At no time' : listText(words);
}

/** On the clock of the user; nothing where the rule holds at all times. */
function timeText(restriction: TimeRestriction | undefined): string {
  if (restriction === undefined) return '';
  if (restriction.type === 'time-of-day') {
    const { from, until } = clockOf(restriction.restriction);
    return from === until ? '' : `, from ${from} to ${until}`;
  }
  const spans = restriction.restrictions.map((span) => ({ ...span, ...clockOf(span) }));
  if (spans.some(({ endDay, from, startDay, until }) => startDay === endDay && from === until)) return '';
  const days = new Map<string, string[]>();
  const texts: string[] = [];
  for (const { endDay, from, startDay, until } of spans) {
    if (startDay !== endDay || from > until) {
      texts.push(`from ${dayName(startDay)} ${from} to ${dayName(endDay)} ${until}`);
      continue;
    }
    const times = `from ${from} to ${until}`;
    days.set(times, [...(days.get(times) ?? []), `${dayName(startDay)}s`]);
  }
  const ofDays = [...days].map(([times, names]) => `${listText([...new Set(names)])} ${times}`);
  return `, ${listText([...ofDays, ...texts])}`;
}

/** A day of the week with its first letter as a capital one. */
export const dayName = (day: string): string => `${day.charAt(0).toUpperCase()}${day.slice(1)}`;

/** The first and the last time of a span. */
export interface ClockTimes {
  readonly startHour: number;
  readonly startMin: number;
  readonly endHour: number;
  readonly endMin: number;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** The times of a span as a clock shows them, such as `06:30`. */
export const clockOf = ({
  endHour,
  endMin,
  startHour,
  startMin,
}: ClockTimes): { readonly from: string; readonly until: string } => ({
  from: `${two(startHour)}:${two(startMin)}`,
  until: `${two(endHour)}:${two(endMin)}`,
});

const MESSAGES: Readonly<Record<Contact['method'], string>> = {
  email: 'mail',
  sms: 'text message',
  voice: 'call',
  mobile: 'push',
};

/** The enabled steps by their delays: `mail and push at once, call after 2 minutes`. */
function stepsText(steps: readonly Step[], contacts: readonly Contact[]): string {
  const enabled = steps.filter((step) => step.enabled);
  const delays = [...new Set(enabled.map(({ sendAfter }) => sendAfter.timeAmount))].sort((one, other) => one - other);
  const texts = delays.map((delay) => {
    const messages = enabled
      .filter(({ sendAfter }) => sendAfter.timeAmount === delay)
      .map(({ contact }) => messageText(contact, contacts));
    return `${listText(messages)} ${delay === 0 ? 'at once' : `after ${minutesText(delay)}`}`;
  });
  const disabled = steps.length - enabled.length;
  const rest = disabled === 0 ? '' : ` (${disabled} ${disabled === 1 ? 'step is' : 'steps are'} disabled)`;
  return `${texts.length === 0 ? 'nothing is sent' : texts.join(', ')}${rest}`;
}

/** A message of a step: with its address where the user has several of the method, and with the reason why it is not sent. */
function messageText({ method, to }: Step['contact'], contacts: readonly Contact[]): string {
  const ofMethod = contacts.filter((contact) => contact.method === method);
  const contact = ofMethod.find((each) => each.to === to);
  if (contact === undefined) return `${MESSAGES[method]} to an unknown contact (not sent)`;
  const name = ofMethod.length > 1 ? ` to ${contact.device?.name ?? to}` : '';
  const { disabledReason, enabled } = contact.status;
  const reason = enabled ? 'not verified, so not sent' : 'disabled, so not sent';
  return `${MESSAGES[method]}${name}${disabledReason === undefined ? '' : ` (${reason})`}`;
}

function repeatText({ actionType, repeat, steps }: Rule): string {
  const isRepeated = repeat?.enabled === true && isRepeatable(actionType) && steps.some(({ enabled }) => enabled);
  return isRepeated ? `, then again every ${minutesText(repeat.loopAfter)} until acknowledged, snoozed or closed` : '';
}

const HOUR_MINUTES = 60;
const DAY_MINUTES = 1_440;

function minutesText(minutes: number): string {
  const [size, unit] =
    minutes % DAY_MINUTES === 0
      ? ([DAY_MINUTES, 'day'] as const)
      : minutes % HOUR_MINUTES === 0
        ? ([HOUR_MINUTES, 'hour'] as const)
        : ([1, 'minute'] as const);
  const count = minutes / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** `a, b and c`. */
export function listText(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}
