import type { ContactMethod, DecisionFinding, NotificationRuleState, UserState } from '@tocsin/events';
import { NO_CONTACT, whyUnusable, type Contact } from '../messages/recheck.ts';
import { METHOD_NAMES, UNTRIED, type PageDelivery } from '../messages/delivery.ts';

type Step = NotificationRuleState['steps'][number];

/** The rule whose steps are planned, for whom, and from when on their delays count. */
export interface StepsToPlan {
  readonly rule: NotificationRuleState;
  readonly user: UserState;
  readonly startsAt: Date;
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
  /** Facts of the decisions besides user, rule and step. */
  readonly facts: Readonly<Record<string, string>>;
}

/** A message by a step that can be sent; the caller adds what it is about. */
type PlannedMessage = typeof UNTRIED & Pick<PageDelivery, 'username' | 'method' | 'to' | 'dueAt' | 'contactId'>;

/** A delivery whose tries end when the next step takes over. */
interface StepDelivery {
  readonly deliveryId: string;
  readonly dueAt: Date;
  readonly nextStepAt?: Date;
}

/** The deliveries of the steps of a rule, and the reasons. */
export interface PlannedSteps<D> {
  readonly deliveries: readonly D[];
  readonly findings: readonly DecisionFinding[];
}

const MINUTE_MS = 60_000;

/**
 * Each enabled step at the start plus `sendAfter` (U4). A step needs a usable contact of the user with its method and address,
 * and a provider of its method. `deliveryOf` makes the delivery; `isFirst` where no step before it is sent.
 */
export function planSteps<D extends StepDelivery>(
  plan: StepsToPlan,
  deliveryOf: (message: PlannedMessage, step: { readonly id: string; readonly isFirst: boolean }) => D,
): PlannedSteps<D> {
  const deliveries: D[] = [];
  const findings = plan.rule.steps.map((step) => {
    const contact = contactOf(step, plan);
    if (typeof contact === 'string') return skipped(plan, step, contact);
    const isFirst = deliveries.length === 0;
    const delivery = deliveryOf(messageOf(plan, step, contact), { id: step.id, isFirst });
    deliveries.push(delivery);
    return scheduled(plan, step, delivery);
  });
  if (deliveries.length === 0) findings.push(nothingToSend(plan));
  return { deliveries: untilNext(deliveries), findings };
}

function messageOf({ startsAt, user }: StepsToPlan, step: Step, { id }: Contact): PlannedMessage {
  return {
    ...UNTRIED,
    username: user.username,
    method: step.contact.method,
    to: step.contact.to,
    dueAt: new Date(startsAt.getTime() + step.sendAfterMinutes * MINUTE_MS),
    contactId: id,
  };
}

/** The contact that a step reaches, or why the step is skipped. */
function contactOf({ contact: { method, to }, enabled }: Step, { channels, user }: StepsToPlan): Contact | string {
  if (!enabled) return 'it is disabled';
  const noChannel = channels.has(method) ? undefined : `there is no channel for ${method}`;
  const contact = user.contacts.find((each) => each.method === method && each.to === to);
  if (contact !== undefined) return whyUnusable(contact) ?? noChannel ?? contact;
  // Imported rules may name devices that were never registered here: notifier sends nothing to a topic without a user.
  return method === 'mobile' ? (noChannel ?? 'no such device is registered') : NO_CONTACT;
}

const factsOf = ({ facts, rule, user }: StepsToPlan, { contact: { method }, id }: Step) => ({
  ...facts,
  userId: user.id,
  ruleId: rule.id,
  stepId: id,
  method,
});

function skipped(plan: StepsToPlan, step: Step, reason: string): DecisionFinding {
  const { rule, user } = plan;
  const text = `The ${METHOD_NAMES[step.contact.method]} step of rule [${rule.name}] of ${user.username} is skipped: ${reason}.`;
  return { subject: 'step', outcome: 'skipped', text, facts: factsOf(plan, step) };
}

function scheduled(plan: StepsToPlan, step: Step, { deliveryId, dueAt }: StepDelivery): DecisionFinding {
  const { rule, user } = plan;
  const at = dueAt.toISOString();
  const text = `${user.username} is notified by ${METHOD_NAMES[step.contact.method]} at ${at} by rule [${rule.name}].`;
  return { subject: 'step', outcome: 'scheduled', text, facts: { ...factsOf(plan, step), deliveryId, dueAt: at } };
}

function nothingToSend({ facts, rule, user }: StepsToPlan): DecisionFinding {
  const text = `Rule [${rule.name}] of ${user.username} has no step that can be sent.`;
  return { subject: 'step', outcome: 'none', text, facts: { ...facts, userId: user.id, ruleId: rule.id } };
}

/** Each delivery with the instant at which the next step takes over (U7). */
function untilNext<D extends StepDelivery>(deliveries: readonly D[]): readonly D[] {
  const instants = deliveries.map(({ dueAt }) => dueAt.getTime()).toSorted((a, b) => a - b);
  return deliveries.map((delivery) => {
    const next = instants.find((instant) => instant > delivery.dueAt.getTime());
    return next === undefined ? delivery : { ...delivery, nextStepAt: new Date(next) };
  });
}
