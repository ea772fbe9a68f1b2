import type { ContactMethod } from '@tocsin/events';
import { DEFAULT_RULE_NAMES } from '../notification-rules/notification-rule.ts';
import type { User } from '../users/user.ts';
import { type Contact, sameAddress } from './contact.ts';

type Rules = User['notificationRules'];
type Rule = Rules[number];

/** The default rule for new alerts: when it uses the first contact of each method (U1). */
const DEFAULT_DELAY_MINUTES: Readonly<Partial<Record<ContactMethod, number>>> = { email: 0, sms: 5, voice: 10 };

/**
 * The rules with a step for `contact` in the default rule for new alerts, in the order of the delays. A rule that its owner made or
 * changed is not changed (U1).
 */
export function withDefaultStep(rules: Rules, { method, to }: Contact, stepId: string): Rules {
  const sendAfterMinutes = DEFAULT_DELAY_MINUTES[method];
  const rule = rules.find(isUnchangedDefault);
  if (rule === undefined || sendAfterMinutes === undefined) return rules;
  if (rule.steps.some(({ contact }) => contact.method === method)) return rules;
  const added = { id: stepId, contact: { method, to }, sendAfterMinutes, enabled: true };
  const steps = [...rule.steps, added].sort((a, b) => a.sendAfterMinutes - b.sendAfterMinutes);
  return rules.map((present) => (present === rule ? { ...rule, steps } : present));
}

/** The rules with `to` in every step that used `contact` until now. */
export function withMovedSteps(rules: Rules, contact: Contact, to: string): Rules {
  return rules.map((rule) =>
    rule.steps.some(uses(contact))
      ? {
          ...rule,
          steps: rule.steps.map((step) =>
            uses(contact)(step) ? { ...step, contact: { method: contact.method, to } } : step,
          ),
        }
      : rule,
  );
}

/** The rules without the steps that use `contact`, and the names of those that lost one. */
export function withoutStepsOf(
  rules: Rules,
  contact: Contact,
): { readonly rules: Rules; readonly rulesCut: readonly string[] } {
  const cut = rules.filter(({ steps }) => steps.some(uses(contact)));
  return {
    rules: rules.map((rule) =>
      cut.includes(rule) ? { ...rule, steps: rule.steps.filter((step) => !uses(contact)(step)) } : rule,
    ),
    rulesCut: cut.map(({ name }) => name),
  };
}

/**
 * The rules after `before` became `after`: a step uses the contact that its contact has become, by its id or else its address, and is left
 * out where there is none.
 */
export function withReplacedContacts(rules: Rules, before: readonly Contact[], after: readonly Contact[]): Rules {
  const stepAfter = (step: Rule['steps'][number]) => {
    const contact = before.find((each) => uses(each)(step));
    if (contact === undefined) return [step];
    const { method, to } = contact;
    const successor =
      after.find((each) => each.id === contact.id && each.method === method) ??
      after.find((each) => each.method === method && sameAddress(method, each.to, to));
    if (successor === undefined) return [];
    return [successor.to === to ? step : { ...step, contact: { method, to: successor.to } }];
  };
  return rules.map((rule) => ({ ...rule, steps: rule.steps.flatMap(stepAfter) }));
}

const uses =
  ({ method, to }: Contact) =>
  (step: Rule['steps'][number]): boolean =>
    step.contact.method === method && step.contact.to === to;

/** Whether a rule is the one of a new user, with no other steps than those that contacts added. */
function isUnchangedDefault(rule: Rule): boolean {
  const [first, ...others] = rule.steps;
  return (
    isPlainNewAlertRule(rule) &&
    first?.contact.method === 'email' &&
    new Set(others.map(({ contact }) => contact.method)).size === others.length &&
    rule.steps.every((step) => step.enabled && step.sendAfterMinutes === DEFAULT_DELAY_MINUTES[step.contact.method])
  );
}

const isPlainNewAlertRule = ({ actionType, name, enabled, criteria, timeRestriction, repeat }: Rule): boolean =>
  actionType === 'create-alert' &&
  name === DEFAULT_RULE_NAMES['create-alert'] &&
  enabled &&
  criteria.set.type === 'match-all' &&
  timeRestriction === undefined &&
  repeat === undefined;
