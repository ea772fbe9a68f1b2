import { describe, expect, it } from '@jest/globals';
import { isCall, type EscalationRepeat } from '@tocsin/events';
import { casesOf } from '@tocsin/testkit';
import fc from 'fast-check';
import { Flow } from '../testing/flow-samples.ts';
import { escalationOf, rotationOf, ruleFor, scheduleOf, teamOf, userOf } from '../testing/on-call-samples.ts';

const user = (id: string) => ({ type: 'user', id }) as const;
const ops = { type: 'team', id: 'ops' } as const;
const repeat: EscalationRepeat = { waitMinutes: 1, count: 5, resetRecipientStates: false, closeAlertAfterAll: false };
const PEOPLE = ['ada', 'grace', 'edsger'];
const things = {
  users: PEOPLE.map(userOf),
  escalations: [
    escalationOf('e1', [ruleFor(user('ada')), ruleFor(ops, { delayMinutes: 1 })], { repeat }),
    escalationOf('e2', [ruleFor(user('grace')), ruleFor(ops, { delayMinutes: 2, notifyType: 'all' })]),
  ],
  schedules: [scheduleOf('s1', [rotationOf([user('edsger'), user('ada')])])],
  teams: [teamOf('ops', { ada: 'user', grace: 'user' }, { type: 'escalation', id: 'e2' })],
};
const e1 = { type: 'escalation', id: 'e1' } as const;
const responders = [e1, { type: 'schedule', id: 's1' } as const];

/** The users who were paged by the decisions in a log: by the first one of each id. */
function loggedBy({ decisions }: Flow): readonly unknown[] {
  const kept = new Map(decisions.toReversed().map((decision) => [decision.decisionId, decision]));
  return [...kept.values()].flatMap(({ findings }) =>
    findings.flatMap(({ facts, outcome }) => (outcome === 'paged' ? [facts?.['userId']] : [])),
  );
}

const moves = fc.array(
  fc.oneof(
    fc.record({ minutes: fc.constantFrom(0.05, 0.2, 1, 3) }),
    fc.record({ lost: fc.subarray([...PEOPLE, 'ops'], { minLength: 1 }) }),
    fc.record({ found: fc.subarray([...PEOPLE, 'ops'], { minLength: 1 }) }),
    fc.record({ step: fc.constantFrom('acknowledge', 'snooze', 'unacknowledge', 'end-snooze', 'restart') }),
  ),
  { maxLength: 12 },
);

describe('the decisions on a flow', () => {
  it('keep the effect of a look-up in a later repeat of an escalation', () => {
    const flow = new Flow([e1], things, ['ada', 'ops']);
    flow.until(2.01);
    flow.answer('ada');
    flow.until(2.9);
    expect(flow.paged).toEqual(['ada']);
    expect(loggedBy(flow)).toEqual(['ada']);
  });

  it('log each page, the user who cannot be looked up, and everything that is done meanwhile', () => {
    fc.assert(
      fc.property(moves, fc.subarray(responders, { minLength: 1 }), (order, from) => {
        const flow = new Flow(from, things, ['ada']);
        let now = 0;
        for (const move of order) {
          if ('minutes' in move) flow.until((now += move.minutes));
          else if ('lost' in move) flow.lose(...move.lost);
          else if ('found' in move) flow.answer(...move.found);
          else flow.take({ kind: move.step });
        }
        flow.answer();
        flow.until(now + 60);
        const calls = flow.pages.filter(isCall).map(({ userId }) => userId);
        expect(loggedBy(flow).toSorted()).toEqual(calls.toSorted());
      }),
      { numRuns: casesOf({ usual: 300, deep: 5_000 }) },
    );
  });
});
