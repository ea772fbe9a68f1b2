import type { ContactMethod, DecisionFinding, NotificationRuleState, Page, UserState } from '@tocsin/events';
import type { Steps } from '@tocsin/core';
import { isStatusUpdate, type PageDelivery } from '../messages/delivery.ts';
import { mutedNow } from '../messages/recheck.ts';
import { chooseRule } from './rule-choice.ts';
import { planSteps } from './steps.ts';

/** A run through the steps of a page. The first has the number 0, each repetition the next one. */
export interface StepRun {
  readonly number: number;
  /** The delays of its steps count from here. */
  readonly startsAt: Date;
}

/** The deliveries of a page by the user's notification rules, and the reasons. Without a delivery the user is not notified. */
export interface Plan {
  readonly deliveries: readonly PageDelivery[];
  /** After how many minutes the steps start again until an acknowledgement; undefined where they do not. */
  readonly loopAfterMinutes: number | undefined;
  /** Findings about the chosen rule, and about the others. */
  readonly choice: readonly DecisionFinding[];
  /** Findings about each step of the chosen rule. */
  readonly steps: readonly DecisionFinding[];
}

const firstRun = (page: Page): StepRun => ({ number: 0, startsAt: new Date(page.pagedAt) });

/**
 * Expands a page by the first matching rule of its action type, by order: each enabled step at the start of the run plus
 * `sendAfter` (U4). A step needs a usable contact of the user with its method and address, and a provider of its method:
 * `channels` has those. The work pauses between the rules.
 */
export function* planPage(
  page: Page,
  user: UserState | undefined,
  channels: ReadonlySet<ContactMethod>,
  run: StepRun = firstRun(page),
): Steps<Plan> {
  if (user === undefined) return emptyPlan(page, `The user [${page.userId}] does not exist any more.`);
  if (user.blocked) return emptyPlan(page, `${user.username} is blocked.`);
  const { rule, findings } = yield* chooseRule(page, user);
  const choice = [...mutedNow(page, user, run.startsAt, { pageId: page.pageId }), ...findings];
  if (rule === undefined) return { deliveries: [], loopAfterMinutes: undefined, choice, steps: [] };
  yield;
  const { deliveries, findings: steps } = planSteps<PageDelivery>(
    { rule, user, channels, startsAt: run.startsAt, facts: { pageId: page.pageId } },
    (message, step) => ({
      ...message,
      deliveryId: deliveryId(page, run, step),
      page: run.number === 0 ? page : { ...page, cancelOn: 'ack' },
      ...(run.number > 0 && { run: run.number }),
    }),
  );
  const loopAfterMinutes = loopAfter(rule);
  if (loopAfterMinutes === undefined || !isSentOnce(page)) return { deliveries, loopAfterMinutes, choice, steps };
  const sentOnce = [...steps, notRepeatedFinding(page, rule, user)];
  return { deliveries, loopAfterMinutes: undefined, choice, steps: sentOnce };
}

/**
 * The first delivery of a page has the id of the page, by which the page is known when it comes again. The others are
 * `<page>#<step>`, of a repetition `<page>~<number>#<step>`: a run that is planned twice has the same ids.
 */
function deliveryId(
  { pageId }: Page,
  run: StepRun,
  { id, isFirst }: { readonly id: string; readonly isFirst: boolean },
): string {
  if (run.number > 0) return `${pageId}~${run.number}#${id}`;
  return isFirst ? pageId : `${pageId}#${id}`;
}

/** A rule without an enabled step has nothing to repeat. */
function loopAfter({ repeat, steps }: NotificationRuleState): number | undefined {
  const repeats = repeat?.enabled === true && repeat.loopAfterMinutes >= 1 && steps.some(({ enabled }) => enabled);
  return repeats ? repeat.loopAfterMinutes : undefined;
}

/**
 * No action of a user would end the repetitions of a status update (U15), nor those of a page about an acknowledged alert (U4).
 */
const isSentOnce = (page: Page): boolean => isStatusUpdate(page) || page.once === true;

function notRepeatedFinding(page: Page, { id, name }: NotificationRuleState, user: UserState): DecisionFinding {
  const reason = isStatusUpdate(page) ? 'status updates are sent once' : 'the alert was acknowledged';
  const text = `The steps of rule [${name}] of ${user.username} are not repeated: ${reason}.`;
  return { subject: 'repeat', outcome: 'skipped', text, facts: { pageId: page.pageId, userId: user.id, ruleId: id } };
}

function emptyPlan(page: Page, text: string): Plan {
  const facts = { pageId: page.pageId, userId: page.userId };
  return {
    deliveries: [],
    loopAfterMinutes: undefined,
    choice: [{ subject: 'user', outcome: 'skipped', text, facts }],
    steps: [],
  };
}
