import type { ContactMethod, DecisionVerdict, NotificationRuleState, Page, UserState } from '@tocsin/contracts';
import type { PageDelivery } from './delivery.ts';
import { mutedNow } from './mute.ts';
import { chooseRule } from './rule-choice.ts';
import { planSteps } from './steps.ts';
import { isNews } from './wanted.ts';

/** Which run through the steps of a page: 0 is the first, each repetition has the next number. */
export interface StepRun {
  readonly number: number;
  /** The delays of its steps count from here. */
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
  const { rule, verdicts } = chooseRule(page, user);
  const choice = [...mutedNow(page, user, run.startsAt, { pageId: page.pageId }), ...verdicts];
  if (rule === undefined) return { deliveries: [], loopAfterMinutes: undefined, choice, steps: [] };
  const { deliveries, verdicts: steps } = planSteps<PageDelivery>(
    { rule, user, channels, startsAt: run.startsAt, facts: { pageId: page.pageId } },
    (message, step) => ({
      ...message,
      deliveryId: deliveryId(page, run, step),
      page: run.number === 0 ? page : { ...page, wantedWhile: 'unacked' },
      ...(run.number > 0 && { run: run.number }),
    }),
  );
  const loopAfterMinutes = loopAfter(rule);
  if (loopAfterMinutes === undefined || !isNews(page)) return { deliveries, loopAfterMinutes, choice, steps };
  const toldOnce = [...steps, notRepeated(page, rule, user)];
  return { deliveries, loopAfterMinutes: undefined, choice, steps: toldOnce };
}

/**
 * The first delivery of a page has the id of the page, by which the page is known when it comes again. The others are
 * `<page>#<step>`, of a repetition `<page>~<number>#<step>`: the same run planned twice is one set of deliveries.
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

/** News are told once: nothing that anybody does would end their repetitions (U15). */
function notRepeated({ pageId }: Page, { id, name }: NotificationRuleState, user: UserState): DecisionVerdict {
  const text = `The steps of rule [${name}] of ${user.username} are not repeated: news are sent once.`;
  return { subject: 'repeat', outcome: 'skipped', text, facts: { pageId, userId: user.id, ruleId: id } };
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
