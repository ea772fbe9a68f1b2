import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Exists } from '../configuration/mentions.ts';
import { covers } from '../on-call/span.ts';
import { forwardingOf } from '../testing/on-call-samples.ts';
import { NORMAL, runs } from '../testing/random-schedules.ts';
import { type ForwardingRule, Forwardings } from './forwarding.ts';

const DAY = 86_400_000;
const rule = (fromUserId: string, toUserId: string, from = 0, until = 10): ForwardingRule =>
  forwardingOf(fromUserId, toUserId, { startAt: new Date(from * DAY), endAt: new Date(until * DAY) });
const allExist = () => true;
const holder = (rules: readonly ForwardingRule[], userId: string, day: number, exists: Exists = allExist) =>
  new Forwardings(rules).at(userId, day * DAY, exists);

describe('forwarding', () => {
  it('holds from the start of a rule, inclusive, to its end, exclusive', () => {
    const rules = [rule('ada', 'bob', 2, 4)];
    expect([1.9, 2, 3.9, 4].map((day) => holder(rules, 'ada', day).userId)).toEqual(['ada', 'bob', 'bob', 'ada']);
  });

  it('follows a chain to its end and says which rules led there', () => {
    const rules = [rule('bob', 'eve'), rule('ada', 'bob'), rule('kim', 'ada')];
    const { userId, chain } = holder(rules, 'kim', 1);
    expect([userId, chain.map(({ id }) => id)]).toEqual(['eve', ['kim-ada', 'ada-bob', 'bob-eve']]);
  });

  it('ends a cycle before the first user who comes up again', () => {
    const rules = [rule('ada', 'bob'), rule('bob', 'eve'), rule('eve', 'ada')];
    expect(['ada', 'bob', 'eve'].map((userId) => holder(rules, userId, 1).userId)).toEqual(['eve', 'ada', 'bob']);
  });

  it('follows the rule created last where several overlap', () => {
    const rules = [rule('ada', 'bob'), rule('ada', 'eve', 3, 5)];
    expect([2, 4, 6].map((day) => holder(rules, 'ada', day).userId)).toEqual(['bob', 'eve', 'bob']);
  });

  it('skips a rule that leads to a deleted user, so that a user keeps the duty', () => {
    const rules = [rule('ada', 'bob'), rule('ada', 'gone')];
    expect(holder(rules, 'ada', 1, ({ id }) => id !== 'gone').userId).toBe('bob');
    expect(holder(rules, 'ada', 1, () => false)).toEqual({ userId: 'ada', chain: [] });
  });

  const users = fc.constantFrom('ada', 'bob', 'eve', 'kim', 'lea');
  const days = fc.integer({ min: 0, max: 30 });
  const anyRules = fc.array(
    fc
      .tuple(users, users, days, fc.integer({ min: 1, max: 20 }))
      .filter(([from, to]) => from !== to)
      .map(([from, to, start, length]) => rule(from, to, start, start + length)),
    { maxLength: 30 },
  );

  it('always ends, at the user at the end of the chain', () => {
    fc.assert(
      fc.property(anyRules, users, days, (rules, userId, day) => {
        const found = holder(rules, userId, day);
        const way = [userId, ...found.chain.map(({ toUserId }) => toUserId)];
        expect(way.at(-1)).toBe(found.userId);
        expect(new Set(way).size).toBe(way.length);
        expect(found.chain.map(({ fromUserId }) => fromUserId)).toEqual(way.slice(0, -1));
      }),
      runs(NORMAL),
    );
  });

  it('gives for a range what it gives for each of its instants', () => {
    fc.assert(
      fc.property(anyRules, users, (rules, userId) => {
        const forwardings = new Forwardings(rules);
        const pieces = forwardings.during(userId, { from: 0, until: 60 * DAY }, allExist);
        const wrong = Array.from({ length: 12 * 24 }, (_, step) => step * 5 * 3_600_000).filter((instant) => {
          const found = pieces.filter((piece) => covers(piece, instant)).map((piece) => piece.userId);
          return found.join() !== forwardings.at(userId, instant, allExist).userId;
        });
        expect(wrong).toEqual([]);
      }),
    );
  });
});
