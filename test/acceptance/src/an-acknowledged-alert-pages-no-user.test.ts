import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { casesOf, stepTo, type Scenario } from '@tocsin/testkit';
import fc from 'fast-check';
import { anyEscalation, PEOPLE } from './system/any-escalation.ts';
import { useSystem } from './system/system.ts';

const system = useSystem();
let scenario: Scenario;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.usersWithAllRules(...PEOPLE, UNTIL_CLOSED);
  await scenario.schedule('Duty', { participants: ['grace', 'edsger'], type: 'hourly' });
});

/** A user who is only reached by rules that an acknowledgement does not stop (A4). */
const UNTIL_CLOSED = 'hopper';

/** How a user is notified: at once, again by a second step, and all over again until a user acts. */
const anyPersonalRule = fc.record({
  secondAfter: fc.integer({ min: 1, max: 6 }),
  loopAfter: fc.option(fc.integer({ min: 7, max: 10 }), { nil: undefined }),
});

type Act = 'acknowledge' | 'unacknowledge' | 'snooze' | 'notes' | 'close';
const anyActs = fc.array(
  fc.record({
    afterMinutes: fc.integer({ min: 0, max: 8 }),
    act: fc.constantFrom<Act>('acknowledge', 'unacknowledge', 'snooze', 'notes', 'acknowledge', 'close'),
    snoozeMinutes: fc.integer({ min: 1, max: 12 }),
  }),
  { minLength: 2, maxLength: 6 },
);
/** So long a snooze, a repetition and a loop last that came after the last act. */
const LAST_MINUTES = 30;

interface State {
  readonly status: string;
  readonly acknowledged: boolean;
  readonly snoozed: boolean;
}

const stateOf = (id: string): Promise<State> => system.api.read<State>(`/v2/alerts/${id}`);

/** Which users were mailed about a new alert, and which mails were about a change of it. */
interface SentMails {
  readonly paged: readonly string[];
  readonly updates: readonly string[];
}

/** The mails during `work`, and the state of the alert before and after it. */
async function watched(
  id: string,
  work: () => Promise<unknown>,
): Promise<SentMails & Record<'before' | 'after', State>> {
  const before = await stateOf(id);
  system.mailbox.clear();
  await work();
  await system.settle();
  // Mails about times on call are about no alert.
  const mails = system.mailbox.mails.filter(({ subject }) => subject.startsWith('[P'));
  const [updates, pages] = [mails.filter(isUpdate), mails.filter((mail) => !isUpdate(mail))];
  const after = await stateOf(id);
  return { before, after, paged: pages.map(({ to }) => to.join()), updates: updates.map(({ subject }) => subject) };
}

const isUpdate = ({ subject }: { readonly subject: string }): boolean =>
  /: (acknowledged|closed|note) by /.test(subject);

/**
 * Expects that no mail of minutes in which no user acted is forbidden by the state of the alert. By itself an alert only
 * ceases to be acknowledged or snoozed: what it is before and after, it was all the time.
 */
async function passed(id: string, minutes: number): Promise<number> {
  const { after, before, updates, paged } = await watched(id, () => system.pass(minutes));
  const [isClosed, wasOpen] = [after.status === 'closed', before.status === 'open'];
  if (!wasOpen || (before.snoozed && after.snoozed)) expect(paged).toEqual([]);
  if (before.acknowledged && after.acknowledged)
    expect(paged.filter((to) => to !== scenario.address(UNTIL_CLOSED))).toEqual([]);
  // An escalation may close it at its end; nothing else happens by itself that users are notified of.
  if (!(wasOpen && isClosed)) expect(updates).toEqual([]);
  return paged.length;
}

const UPDATE_OF: Readonly<Partial<Record<Act, RegExp>>> = {
  acknowledge: /: acknowledged by /,
  notes: /: note by /,
  close: /: closed by /,
};

/** Does something to the alert, and expects that users are notified of that alone; an unacknowledgement starts the flow again. */
async function acted(id: string, act: Act, snoozeMinutes: number): Promise<void> {
  const endTime = new Date(system.clock.now().getTime() + snoozeMinutes * 60_000).toISOString();
  const body = { notes: { note: 'Looking' }, snooze: { endTime } }[act as string] ?? {};
  const { before, updates, paged } = await watched(id, () =>
    system.api.expect(202, 'POST', `/v2/alerts/${id}/${act}`, body),
  );
  const startsAgain = act === 'unacknowledge' && before.acknowledged && before.status === 'open';
  if (!startsAgain) expect(paged).toEqual([]);
  expect(updates.filter((subject) => UPDATE_OF[act]?.test(subject) !== true)).toEqual([]);
}

async function tellAs({ loopAfter, secondAfter }: { readonly loopAfter?: number | undefined; secondAfter: number }) {
  for (const name of [...PEOPLE, UNTIL_CLOSED])
    await scenario.changeRule(name, 'create-alert', {
      steps: [0, secondAfter].map((minutes) => stepTo(scenario.address(name), minutes)),
      ...(loopAfter !== undefined && { repeat: { loopAfter, enabled: true } }),
    });
}

const RUNS = casesOf({ usual: 4, deep: 60 });
jest.setTimeout(casesOf({ usual: 600_000, deep: 900_000 }));

describe('an alert that a user has acknowledged, snoozed or closed', () => {
  it('pages no user, whatever is done to it and whatever its escalation is, and notifies paged users of what was done (U16, U15)', async () => {
    let [tried, mailed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        anyEscalation({ untilClosed: UNTIL_CLOSED }),
        anyPersonalRule,
        anyActs,
        async ({ repeat, rules }, personal, acts) => {
          const name = `Chance ${(tried += 1)}`;
          await tellAs(personal);
          await scenario.repeatingEscalation(name, repeat ?? {}, ...rules);
          await system.settle();
          const alias = scenario.name(name);
          await scenario.alert({ message: name, alias, responders: [scenario.responder('escalation', name)] });
          await system.settle();
          const id = String((await scenario.alertOf(alias))['id']);
          for (const { act, afterMinutes, snoozeMinutes } of acts) {
            mailed += await passed(id, afterMinutes);
            await acted(id, act, snoozeMinutes);
          }
          mailed += await passed(id, LAST_MINUTES);
          await acted(id, 'close', 0);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(mailed).toBeGreaterThan(0);
    system.mailbox.clear();
  });
});
