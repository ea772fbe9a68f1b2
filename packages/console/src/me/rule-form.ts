import { type Conditions, sentConditions } from '../conditions/conditions-text.ts';
import type { Contact, Rule } from './queries.ts';
import {
  ACTION_NAMES,
  type ActionType,
  clockOf,
  type ClockTimes,
  isOfShifts,
  isRepeatable,
  type LeadTime,
} from './rules-text.ts';

type Step = Rule['steps'][number];
type TimeRestriction = NonNullable<Rule['timeRestriction']>;

/** A step as the form has it. */
export interface StepForm {
  /** Of a step that the rule has. */
  readonly id?: string | undefined;
  readonly contact: Step['contact'];
  /** Minutes, as typed. */
  readonly after: string;
  readonly enabled: boolean;
}

/** When a rule holds: always, in the same hours of each day, or in stretches of the week. */
export interface TimeForm {
  readonly kind: 'always' | 'daily' | 'weekly';
  readonly from: string;
  readonly until: string;
  readonly spans: readonly WeekSpan[];
}

export type Weekday = (typeof WEEKDAYS)[number];
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** A stretch of the week, by its first and last day and the times on them. */
export interface WeekSpan {
  readonly startDay: Weekday;
  readonly from: string;
  readonly endDay: Weekday;
  readonly until: string;
}

/** A rule as its person edits it. */
export interface RuleForm {
  readonly name: string;
  readonly actionType: ActionType;
  readonly criteria: Conditions;
  readonly leadTimes: readonly LeadTime[];
  readonly time: TimeForm;
  readonly steps: readonly StepForm[];
  readonly repeats: boolean;
  /** Minutes, as typed. */
  readonly loopAfter: string;
}

const ALWAYS: TimeForm = { kind: 'always', from: '22:00', until: '06:00', spans: [] };
export const NEW_SPAN: WeekSpan = { startDay: 'monday', from: '09:00', endDay: 'friday', until: '17:00' };
const LOOP_AFTER = '5';

export const newStep = (contact: Step['contact'], after = '0'): StepForm => ({ contact, after, enabled: true });

/** The form of a new rule, which sends one message at once. Its name says what it is about. */
export function newForm([contact]: readonly Contact[]): RuleForm {
  return {
    name: ACTION_NAMES['create-alert'],
    actionType: 'create-alert',
    criteria: { type: 'match-all' },
    leadTimes: ['just-before'],
    time: ALWAYS,
    steps: contact === undefined ? [] : [newStep({ method: contact.method, to: contact.to })],
    repeats: false,
    loopAfter: LOOP_AFTER,
  };
}

/** A form that is about something else. Its name follows, unless its person typed one. */
export const withAction = (form: RuleForm, actionType: ActionType): RuleForm => ({
  ...form,
  actionType,
  name: form.name === ACTION_NAMES[form.actionType] ? ACTION_NAMES[actionType] : form.name,
});

export const formOfRule = (rule: Rule): RuleForm => ({
  name: rule.name,
  actionType: rule.actionType,
  criteria: rule.criteria,
  leadTimes: rule.notificationTime ?? [],
  time: timeForm(rule.timeRestriction),
  steps: rule.steps.map(({ contact, enabled, id, sendAfter }) => ({
    id,
    contact,
    after: String(sendAfter.timeAmount),
    enabled,
  })),
  repeats: rule.repeat?.enabled ?? false,
  loopAfter: String(rule.repeat?.loopAfter ?? LOOP_AFTER),
});

function timeForm(restriction: TimeRestriction | undefined): TimeForm {
  if (restriction === undefined) return ALWAYS;
  if (restriction.type === 'time-of-day') {
    const times = clockOf(restriction.restriction);
    return { ...ALWAYS, ...(times.from !== times.until && { kind: 'daily', ...times }) };
  }
  const spans = restriction.restrictions.map(({ endDay, startDay, ...times }) => ({
    startDay,
    endDay,
    ...clockOf(times),
  }));
  return { ...ALWAYS, kind: 'weekly', spans };
}

const MINUTES = 'Type a whole number of minutes.';
const TIME = 'Type a time.';

/** What is wrong with a form, by field; nothing where it can be sent. */
export interface RuleFaults {
  readonly leadTimes?: string | undefined;
  readonly time?: string | undefined;
  readonly loopAfter?: string | undefined;
  /** By place of the step. */
  readonly steps: Readonly<Record<number, string>>;
}

export function faultsOf({ actionType, leadTimes, loopAfter, repeats, steps, time }: RuleForm): RuleFaults {
  const isRepeated = repeats && isRepeatable(actionType);
  const timeFault = faultOfTime(time);
  return {
    ...(isOfShifts(actionType) && leadTimes.length === 0 && { leadTimes: 'Choose at least one.' }),
    ...(timeFault !== undefined && { time: timeFault }),
    ...(isRepeated && !(isMinutes(loopAfter) && Number(loopAfter) > 0) && { loopAfter: MINUTES }),
    steps: Object.fromEntries(steps.flatMap(({ after }, place) => (isMinutes(after) ? [] : [[place, MINUTES]]))),
  };
}

const isMinutes = (text: string): boolean => /^\d{1,6}$/.test(text.trim());

function faultOfTime({ from, kind, spans, until }: TimeForm): string | undefined {
  if (kind === 'weekly' && spans.length === 0) return 'Add a stretch of the week.';
  const times = kind === 'weekly' ? spans : kind === 'daily' ? [{ from, until }] : [];
  return times.every((each) => isTime(each.from) && isTime(each.until)) ? undefined : TIME;
}

export const hasFault = ({ steps, ...faults }: RuleFaults): boolean =>
  Object.keys(faults).length > 0 || Object.keys(steps).length > 0;

const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/** What the server refused of a form, at its fields. */
export function refusedFaults(fields: Readonly<Record<string, string>>): RuleFaults {
  const at = (start: string) => Object.entries(fields).find(([name]) => name.startsWith(start))?.[1];
  const steps = Object.entries(fields).flatMap(([name, fault]) => {
    const place = /^steps\[(\d+)\]/.exec(name)?.[1];
    return place === undefined ? [] : [[place, `The step ${fault}.`] as const];
  });
  const [leadTimes, time, loopAfter] = ['notificationTime', 'timeRestriction', 'repeat'].map(at);
  return {
    ...(leadTimes !== undefined && { leadTimes: `The time ${leadTimes}.` }),
    ...(time !== undefined && { time: `The time ${time}.` }),
    ...(loopAfter !== undefined && { loopAfter: `The pause ${loopAfter}.` }),
    steps: Object.fromEntries(steps),
  };
}

const NEW_RULE: Pick<Rule, 'id' | 'order' | 'enabled' | 'schedules'> = { id: '', order: 0, enabled: true };

/** The rule as it would be, for its sentence. What cannot be read counts as 0. */
export function ruleOfForm(form: RuleForm, rule: Rule | undefined): Rule {
  const { repeat, timeRestriction, ...fields } = fieldsOf(form);
  const { enabled, id, order, schedules } = rule ?? NEW_RULE;
  return {
    id,
    order,
    enabled,
    actionType: form.actionType,
    ...fields,
    steps: fields.steps.map((step, place) => ({ ...step, id: step.id ?? String(place) })),
    ...(schedules && { schedules }),
    ...(repeat.loopAfter !== undefined && { repeat: { enabled: repeat.enabled, loopAfter: repeat.loopAfter } }),
    ...(timeRestriction && { timeRestriction }),
  };
}

/** The body that creates a rule of a form, or that changes `rule` to it. */
export function bodyOfForm(form: RuleForm, rule: Rule | undefined): object {
  const { timeRestriction, ...fields } = fieldsOf(form);
  const time = timeRestriction ?? (rule?.timeRestriction === undefined ? undefined : ALL_DAY);
  const { notificationTime, ...rest } = fields;
  return {
    ...rest,
    ...(isOfShifts(form.actionType) && { notificationTime }),
    ...(time && { timeRestriction: time }),
    ...(rule === undefined && { actionType: form.actionType, enabled: true }),
  };
}

/** A PATCH cannot remove a restriction: this one holds at all times (S15). */
const ALL_DAY: TimeRestriction = {
  type: 'time-of-day',
  restriction: { startHour: 0, startMin: 0, endHour: 0, endMin: 0 },
};

function fieldsOf({ actionType, criteria, leadTimes, loopAfter, name, repeats, steps, time }: RuleForm) {
  const isRepeated = repeats && isRepeatable(actionType);
  return {
    name: name.trim(),
    criteria: sentConditions(criteria),
    notificationTime: leadTimes,
    timeRestriction: restrictionOf(time),
    steps: steps.map(({ after, contact, enabled, id }) => ({
      ...(id !== undefined && { id }),
      contact,
      sendAfter: { timeAmount: Number(after) || 0, timeUnit: 'minutes' as const },
      enabled,
    })),
    repeat: { enabled: isRepeated, ...(isRepeated && { loopAfter: Number(loopAfter) || 0 }) },
  };
}

function restrictionOf({ from, kind, spans, until }: TimeForm): TimeRestriction | undefined {
  if (kind === 'always') return undefined;
  if (kind === 'daily') return { type: 'time-of-day', restriction: timesOf(from, until) };
  const restrictions = spans.map(({ endDay, startDay, ...times }) => ({
    startDay,
    endDay,
    ...timesOf(times.from, times.until),
  }));
  return { type: 'weekday-and-time-of-day', restrictions };
}

function timesOf(from: string, until: string): ClockTimes {
  const [startHour = 0, startMin = 0] = from.split(':').map((part) => Number(part) || 0);
  const [endHour = 0, endMin = 0] = until.split(':').map((part) => Number(part) || 0);
  return { startHour, startMin, endHour, endMin };
}
