import { describe, expect, it } from '@jest/globals';
import { ActionType, NoticeCommand } from '@tocsin/events';
import { type Component, useComponent } from '../testing/component-fixture.ts';
import { endedSubscription, invitation, readinessMail, signInCode, verification } from '../testing/notice-samples.ts';
import { ada, cancel, page } from '../testing/page-samples.ts';

const setUp = useComponent();

const [rule] = ada().notificationRules;
if (rule === undefined) throw new Error('the sample has no rule');

/** Ada, who has a rule for every action, at once and again. */
const withAllRules = ada({
  notificationRules: ActionType.options.map((actionType) => ({ ...rule, id: `r-${actionType}`, actionType })),
});

const everything = async ({ stores, mails }: Component): Promise<unknown> =>
  structuredClone({ rows: await stores.rows(), decisions: await stores.decisions(), mails });

/** Gives an order twice before it is carried out and twice after it; it has one effect. */
async function isDoneOnce(component: Component, give: () => Promise<unknown>): Promise<void> {
  const untouched = await everything(component);
  await give();
  await component.sent();
  const once = await everything(component);
  expect(once).not.toEqual(untouched);
  await give();
  await component.sent();
  expect(await everything(component)).toEqual(once);
  await component.fireDue();
  const done = await everything(component);
  await give();
  await component.fireDue();
  expect(await everything(component)).toEqual(done);
}

describe('a page that is delivered twice', () => {
  it.each(ActionType.options)('about %s is sent once, and decided once', async (actionType) => {
    const component = await setUp([withAllRules]);
    const one = page({ actionType, pageId: `a1:1:user:ada:-:0:ada:${actionType}` });
    await isDoneOnce(component, () => component.settle(one));
    expect(component.mails).toHaveLength(1);
  });
});

describe('a notice that is delivered twice', () => {
  const SAMPLES = {
    invitation,
    'contact-verification': verification,
    'sign-in': signInCode,
    'subscription-ended': endedSubscription,
    readiness: readinessMail,
  } as const satisfies Record<NoticeCommand['kind'], () => NoticeCommand>;

  it.each(NoticeCommand.options.map(({ shape }) => shape.kind.value))('of kind %s is sent once', async (kind) => {
    const component = await setUp();
    await isDoneOnce(component, () => component.notify(SAMPLES[kind]()));
    expect(component.mails).toHaveLength(1);
  });
});

describe('a cancel that is delivered twice', () => {
  it.each([
    ['with its page', [page(), cancel()]],
    ['behind a page that came after it', [page(), cancel(), page({ pageId: 'next', alertVersion: 3 })]],
  ])('%s ends what it ended the first time', async (_, messages) => {
    const outcomes: unknown[] = [];
    for (const given of [messages, [...messages, cancel()], [...messages, ...messages]]) {
      const component = await setUp();
      for (const message of given) await component.settle(message);
      await component.fireDue();
      outcomes.push(await everything(component));
    }
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
  });
});
