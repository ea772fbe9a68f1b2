import type { Answer } from '../api/answer.ts';
import { type Conditions, conditionsText, sentConditions } from '../conditions/conditions-text.ts';
import { ALL_DAY, isAlways, restrictionText, type TimeRestriction } from '../conditions/time-restriction.ts';

export type RoutingRule = Answer<'get-routing-rule'>['data'];
type Target = RoutingRule['notify'];

/** A routing rule as its form has it. */
export interface RoutingForm {
  readonly name: string;
  readonly criteria: Conditions;
  readonly timezone: string;
  readonly timeRestriction: TimeRestriction | undefined;
  /** As {@link targetValue} says it. */
  readonly target: string;
}

const NO_TARGET = 'none';

/** A target as the choice of a form. */
const targetValue = (target: Target): string => (target.type === 'none' ? NO_TARGET : `${target.type}:${target.id}`);

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The targets that a rule can have, and the one that it has. */
export function targetOptions(
  { escalations, schedules }: { readonly escalations: readonly Named[]; readonly schedules: readonly Named[] },
  value: string,
): readonly { readonly value: string; readonly name: string }[] {
  const options = [
    ...escalations.map(({ id, name }) => ({ value: `escalation:${id}`, name: `Escalation: ${name}` })),
    ...schedules.map(({ id, name }) => ({ value: `schedule:${id}`, name: `Schedule: ${name}` })),
    { value: NO_TARGET, name: 'No user' },
  ];
  return options.some((option) => option.value === value)
    ? options
    : [...options, { value, name: value === '' ? 'Choose one' : `Deleted: ${value}` }];
}

export function formOf(rule: RoutingRule | undefined, zone: string): RoutingForm {
  if (rule === undefined)
    return { name: '', criteria: { type: 'match-all' }, timezone: zone, timeRestriction: undefined, target: '' };
  const { criteria, name, notify, timeRestriction, timezone } = rule;
  return {
    name,
    criteria,
    timezone,
    timeRestriction: isAlways(timeRestriction) ? undefined : timeRestriction,
    target: targetValue(notify),
  };
}

/** A routing rule as the API takes it; `rule` is what it is now. */
export function bodyOf(form: RoutingForm, rule: RoutingRule | undefined): Readonly<Record<string, unknown>> {
  const [type = NO_TARGET, id] = form.target.split(/:(.*)/s);
  const notify = id === undefined ? { type } : { type, id };
  // The name and the criteria of the default rule are fixed (S11).
  if (rule?.isDefault === true) return { notify };
  // A change without a restriction keeps the one that is there.
  const timeRestriction = form.timeRestriction ?? (rule?.timeRestriction && ALL_DAY);
  return {
    name: form.name.trim(),
    criteria: sentConditions(form.criteria),
    timezone: form.timezone.trim(),
    ...(timeRestriction && { timeRestriction }),
    notify,
  };
}

/** What is wrong with a form before it is sent, by the names of the API. */
export const faultsOf = ({ target }: RoutingForm): Readonly<Record<string, string>> =>
  target === '' ? { notify: 'Choose where the alerts go.' } : {};

/** Where the alerts of a rule go. */
function targetText(target: Target): string {
  if (target.type === 'none') return 'no user is notified';
  return `${target.type} ${target.name ?? `${target.id}, which was deleted`}`;
}

/** A rule in words. */
export function ruleText({ criteria, notify, timeRestriction, timezone }: RoutingRule): string {
  const when = isAlways(timeRestriction) ? 'always' : `${restrictionText(timeRestriction)} in ${timezone}`;
  const alerts = conditionsText(criteria);
  return `${alerts.charAt(0).toUpperCase()}${alerts.slice(1)}, ${when}: ${targetText(notify)}.`;
}

/** What another person changed of a rule since it was seen, a sentence each. */
export function changesBetween(before: RoutingRule | undefined, now: RoutingRule | undefined): readonly string[] {
  if (before === undefined || now === undefined) return [];
  return [
    ...(before.name === now.name ? [] : [`The name is “${now.name}” now.`]),
    ...(ruleText(before) === ruleText(now) ? [] : [`It is now: ${ruleText(now)}`]),
    ...(before.order === now.order ? [] : [`It is rule ${now.order + 1} now.`]),
  ];
}
