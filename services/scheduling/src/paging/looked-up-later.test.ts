import { describe, expect, it } from '@jest/globals';
import type { EscalationRepeat, NotifyType, Responder } from '@tocsin/events';
import fc from 'fast-check';
import {
  escalationOf,
  forwardingOf,
  rotationOf,
  ruleFor,
  scheduleOf,
  teamOf,
  userOf,
} from '../testing/on-call-samples.ts';
import type { EscalationRecipient } from '../escalations/escalation.ts';
import type { Participant } from '../schedules/schedule.ts';
import { Flow } from '../testing/flow-samples.ts';

const PEOPLE = ['u1', 'u2', 'u3', 'u4', 'u5'];
const names = ['1', '2', '3'] as const;
const name = fc.constantFrom(...names);
const person = fc.constantFrom(...PEOPLE);
const of = <T extends string>(type: T, letter: string) => name.map((one) => ({ type, id: `${letter}${one}` }));
const user = person.map((id) => ({ type: 'user' as const, id }));
const [team, escalation, schedule] = [of('team', 't'), of('escalation', 'e'), of('schedule', 's')];

const recipient: fc.Arbitrary<readonly [EscalationRecipient, NotifyType]> = fc.oneof(
  user.map((one) => [one, 'default'] as const),
  fc.tuple(schedule, fc.constantFrom('default' as const, 'next' as const)),
  fc.tuple(team, fc.constantFrom('default' as const, 'all' as const)),
);
const rule = (delay: fc.Arbitrary<number>) =>
  fc.tuple(recipient, delay).map(([[to, notifyType], delayMinutes]) => ruleFor(to, { delayMinutes, notifyType }));
const participant: fc.Arbitrary<Participant> = fc.oneof(user, team, escalation);
const responder: fc.Arbitrary<Responder> = fc.oneof(user, team, escalation, schedule);

const things = (delay: fc.Arbitrary<number>, repeat: fc.Arbitrary<EscalationRepeat | undefined>) =>
  fc
    .record({
      made: fc.tuple(
        ...names.map(() =>
          fc.record({
            rotations: fc.array(participant, { maxLength: 3 }),
            rules: fc.array(rule(delay), { maxLength: 3 }),
            again: repeat,
            to: fc.oneof(escalation, schedule, fc.constant({ type: 'none' } as const)),
            members: fc.uniqueArray(person, { maxLength: 3 }),
          }),
        ),
      ),
      forwardings: fc.uniqueArray(fc.tuple(person, person), { maxLength: 4, selector: ([from]) => from }),
    })
    .map(({ made, forwardings }) => ({
      users: PEOPLE.map(userOf),
      schedules: made.map(({ rotations }, at) =>
        scheduleOf(
          `s${at + 1}`,
          rotations.map((one, r) => rotationOf([one], { id: `r${r}` })),
        ),
      ),
      escalations: made.map(({ rules, again }, at) => escalationOf(`e${at + 1}`, rules, { repeat: again })),
      teams: made.map(({ to, members }, at) =>
        teamOf(`t${at + 1}`, Object.fromEntries(members.map((id) => [id, 'user'])), to),
      ),
      forwardingRules: forwardings.filter(([from, to]) => from !== to).map(([from, to]) => forwardingOf(from, to)),
    }));

const NEVER = fc.constant(undefined);
const unanswered = fc.subarray([...PEOPLE, 't1', 't2', 't3']);
const responders = fc.uniqueArray(responder, { minLength: 1, maxLength: 3, selector: ({ id }) => id });

const often = fc.option(
  fc.record({
    waitMinutes: fc.integer({ min: 1, max: 20 }),
    count: fc.nat({ max: 2 }),
    resetRecipientStates: fc.constant(false),
    closeAlertAfterAll: fc.constant(false),
  }),
  { nil: undefined },
);

/** How a flow goes on whose users and teams are not known until directory names some of them, one after the other. */
const cache = fc.array(
  fc.record({ ids: fc.subarray([...PEOPLE, 't1', 't2', 't3'], { minLength: 1 }), minutes: fc.nat(30) }),
  { maxLength: 3 },
);

function flowWith(
  answered: readonly { readonly ids: readonly string[]; readonly minutes: number }[],
  ...of: ConstructorParameters<typeof Flow>
): Flow {
  const flow = new Flow(...of);
  let minutes = 0;
  for (const { ids, minutes: more } of answered) {
    flow.answer(...ids);
    flow.until((minutes += more));
  }
  flow.answer();
  flow.until(minutes + 10_000);
  return flow;
}

const missedBy = (late: Flow, known: Flow) => known.paged.filter((id) => !late.paged.includes(id));

describe('a flow whose users and teams are looked up later', () => {
  it('pages all users whom it would have paged, each once where all is due at once', () => {
    fc.assert(
      fc.property(things(fc.constant(0), NEVER), responders, unanswered, cache, (all, to, missing, answered) => {
        const late = flowWith(answered, to, all, missing);
        expect(missedBy(late, flowWith([], to, all))).toEqual([]);
        expect(late.paged).toEqual([...new Set(late.paged)]);
        expect([late.state.lookUps, late.state.pagedMeanwhile]).toEqual([[], []]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('pages all users whom it would have paged, each once for each rule and repeat', () => {
    fc.assert(
      fc.property(things(fc.nat(20), often), responders, unanswered, cache, (all, to, missing, answered) => {
        const late = flowWith(answered, to, all, missing);
        expect(missedBy(late, flowWith([], to, all))).toEqual([]);
        const causes = late.pages.map(({ pageId }) => pageId.replace(/:[a-z-]+$/, ''));
        expect(causes).toEqual([...new Set(causes)]);
        expect([late.state.lookUps, late.state.pagedMeanwhile]).toEqual([[], []]);
      }),
      { numRuns: 1_000 },
    );
  });
});
