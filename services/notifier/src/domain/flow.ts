import type { ContactMethod, DecisionVerdict, NotificationRuleState, Page, UserState } from '@tocsin/contracts';
import { unusable, type Contact } from './contact.ts';
import { UNTRIED, type PageDelivery } from './delivery.ts';
import { chooseRule } from './rule-choice.ts';

/** Which run through the steps of a page: 0 is the first, each repetition has the next number. */
export interface StepRun {
  readonly number: number;
  /** From here the delays of its steps count. */
  readonly startsAt: Date;
}

/** What a page comes to under the user's notification rules, and why; no delivery means that the user hears nothing. */
export interface Plan {
  readonly deliveries: readonly PageDelivery[];
  /** After how many minutes the steps start again while nobody acknowledges; undefined where they do not. */
  readonly loopAfterMinutes: number | undefined;
  /** Which rule was chosen, and which were not. */
  readonly choice: readonly DecisionVerdict[];
  /** What became of each step of the chosen rule. */
  readonly steps: readonly DecisionVerdict[];
}

type Step = NotificationRuleState['steps'][number];

const MINUTE_MS = 60_000;

const firstRun = (page: Page): StepRun => ({ number: 0, startsAt: new Date(page.pagedAt) });

/**
 * Expands a page by the first matching rule of its action type, by order: each enabled step at the start of the run plus
 * `sendAfter` (U4). A step needs a usable contact of the user with its method and address, and a provider of its method:
 * `channels` has those.
 */
export function planPage(
  page: Page,
  user: UserState | undefined,
  channels: ReadonlySet<ContactMethod>,
  run: StepRun = firstRun(page),
): Plan {
  if (user === undefined) return nothing(page, `The user [${page.userId}] does not exist any more.`);
  if (user.blocked) return nothing(page, `${user.username} is blocked.`);
  const { rule, verdicts: choice } = chooseRule(page, user);
  if (rule === undefined) return { deliveries: [], loopAfterMinutes: undefined, choice, steps: [] };
  const deliveries: PageDelivery[] = [];
  const steps: DecisionVerdict[] = [];
  for (const step of rule.steps) {
    const isFirst = deliveries.length === 0;
    const { delivery, verdict } = planStep({ page, run, rule, user, channels, isFirst }, step);
    if (delivery !== undefined) deliveries.push(delivery);
    steps.push(verdict);
  }
  if (deliveries.length === 0) steps.push(nothingToSend(page, rule, user));
  return { deliveries: untilNext(deliveries), loopAfterMinutes: loopAfter(rule), choice, steps };
}

interface Planning {
  readonly page: Page;
  readonly run: StepRun;
  readonly rule: NotificationRuleState;
  readonly user: UserState;
  readonly channels: ReadonlySet<ContactMethod>;
  /** Whether no step before it is sent. */
  readonly isFirst: boolean;
}

function planStep(
  planning: Planning,
  step: Step,
): { readonly delivery?: PageDelivery; readonly verdict: DecisionVerdict } {
  const { page, rule, run, user } = planning;
  const { method, to } = step.contact;
  const contact = user.contacts.find((each) => each.method === method && each.to === to);
  const reason = obstacle(step, contact, planning.channels);
  const facts = { pageId: page.pageId, userId: user.id, ruleId: rule.id, stepId: step.id, method };
  if (reason !== undefined) {
    const text = `The ${method} step of rule [${rule.name}] of ${user.username} is skipped: ${reason}.`;
    return { verdict: { subject: 'step', outcome: 'skipped', text, facts } };
  }
  const delivery: PageDelivery = {
    ...UNTRIED,
    deliveryId: deliveryId(planning, step),
    page: run.number === 0 ? page : { ...page, wantedWhile: 'unacked' },
    username: user.username,
    method,
    to,
    dueAt: new Date(run.startsAt.getTime() + step.sendAfterMinutes * MINUTE_MS),
    ...(contact !== undefined && { contactId: contact.id }),
    ...(run.number > 0 && { run: run.number }),
  };
  const text = `${user.username} is told by ${method} at ${delivery.dueAt.toISOString()} by rule [${rule.name}].`;
  const scheduled = { ...facts, deliveryId: delivery.deliveryId, dueAt: delivery.dueAt.toISOString() };
  return { delivery, verdict: { subject: 'step', outcome: 'scheduled', text, facts: scheduled } };
}

/**
 * The first delivery of a page has the id of the page, by which the page is known when it comes again. The others are
 * `<page>#<step>`, of a repetition `<page>~<number>#<step>`: the same run planned twice is one set of deliveries.
 */
function deliveryId({ isFirst, page: { pageId }, run }: Planning, { id }: Step): string {
  if (run.number > 0) return `${pageId}~${run.number}#${id}`;
  return isFirst ? pageId : `${pageId}#${id}`;
}

function obstacle(
  { contact: { method }, enabled }: Step,
  contact: Contact | undefined,
  channels: ReadonlySet<ContactMethod>,
): string | undefined {
  if (!enabled) return 'it is disabled';
  const reason = contact === undefined && method === 'mobile' ? undefined : unusable(contact);
  return reason ?? (channels.has(method) ? undefined : `there is no channel for ${method}`);
}

/** Each delivery with the instant at which the next step takes over (U7). */
function untilNext(deliveries: readonly PageDelivery[]): readonly PageDelivery[] {
  const instants = deliveries.map(({ dueAt }) => dueAt.getTime()).toSorted((a, b) => a - b);
  return deliveries.map((delivery) => {
    const next = instants.find((instant) => instant > delivery.dueAt.getTime());
    return next === undefined ? delivery : { ...delivery, nextStepAt: new Date(next) };
  });
}

/** A rule without an enabled step has nothing to repeat. */
function loopAfter({ repeat, steps }: NotificationRuleState): number | undefined {
  const repeats = repeat?.enabled === true && repeat.loopAfterMinutes >= 1 && steps.some(({ enabled }) => enabled);
  return repeats ? repeat.loopAfterMinutes : undefined;
}

function nothing(page: Page, text: string): Plan {
  const facts = { pageId: page.pageId, userId: page.userId };
  return {
    deliveries: [],
    loopAfterMinutes: undefined,
    choice: [{ subject: 'user', outcome: 'skipped', text, facts }],
    steps: [],
  };
}

function nothingToSend({ pageId }: Page, { id, name }: NotificationRuleState, user: UserState): DecisionVerdict {
  const text = `Rule [${name}] of ${user.username} has no step that can be sent.`;
  return { subject: 'step', outcome: 'none', text, facts: { pageId, userId: user.id, ruleId: id } };
}
