import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { comparedUsers, endedMs, type Reached, reachedIn } from './reached.ts';

const MINUTE = 60_000;
const options = { endedMs: undefined, toleranceMs: MINUTE, untilMs: Infinity };
const at = (user: string, minutes: number): Reached => ({ user, atMs: minutes * MINUTE });
const resultsOf = (theirs: readonly Reached[], ours: readonly Reached[], over: object = {}) =>
  comparedUsers({ ...options, theirs, ours, ...over }).map(({ result, user }) => `${user}: ${result}`);

describe('the users whom an alert reached on both sides', () => {
  it('are the same within the tolerance, and else late, early, missing or extra', () => {
    const theirs = [at('ada', 0), at('grace', 5), at('linus', 10), at('edsger', 15)];
    const ours = [at('ada', 1), at('grace', 6.1), at('linus', 8.9), at('barbara', 20)];
    expect(resultsOf(theirs, ours)).toEqual([
      ...['ada: same', 'grace: late', 'linus: early', 'edsger: missing', 'barbara: extra'],
    ]);
  });

  it('count by the first time at which they were reached', () => {
    expect(resultsOf([at('ada', 30), at('ada', 0)], [at('ada', 0), at('ada', 10)])).toEqual(['ada: same']);
  });

  it('are not comparable where Tocsin reached one shortly after the end of the alert in Opsgenie, and extra before it', () => {
    const ours = [at('ada', 4.9), at('grace', 5), at('linus', 6), at('edsger', 6.1)];
    expect(resultsOf([], ours, { endedMs: 5 * MINUTE })).toEqual([
      ...['ada: extra', 'grace: not comparable', 'linus: not comparable', 'edsger: extra'],
    ]);
  });

  it('are extra unless the alert ended within the tolerance before Tocsin reached them', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (endedAtMs, atMs) => {
        const isExcused = endedAtMs <= atMs && atMs <= endedAtMs + MINUTE;
        expect(resultsOf([], [{ user: 'ada', atMs }], { endedMs: endedAtMs })).toEqual([
          isExcused ? 'ada: not comparable' : 'ada: extra',
        ]);
      }),
    );
  });

  it('are not compared yet where one was reached too lately', () => {
    expect(resultsOf([at('ada', 0), at('grace', 9)], [at('linus', 9.5)], { untilMs: 9 * MINUTE - 1 })).toEqual([
      ...['ada: missing', 'grace: not yet', 'linus: not yet'],
    ]);
  });

  it('are compared at once where both sides reached them', () => {
    expect(resultsOf([at('ada', 9)], [at('ada', 9.5)], { untilMs: 0 })).toEqual(['ada: same']);
  });

  it('are each counted once, and none is left out', () => {
    const reached = fc.array(fc.record({ user: fc.constantFrom('a', 'b', 'c', 'd'), atMs: fc.nat(1_000_000) }));
    fc.assert(
      fc.property(reached, reached, (theirs, ours) => {
        const users = comparedUsers({ ...options, theirs, ours }).map(({ user }) => user);
        expect(users.toSorted()).toEqual([...new Set([...theirs, ...ours].map(({ user }) => user))].toSorted());
      }),
    );
  });

  it('are read of the answers of both sides, by the id where one has no name any more', () => {
    const createdAt = '2026-03-02T08:00:00Z';
    const user = { id: 'u', username: 'Ada@Example.com' };
    expect(
      reachedIn([
        { user, createdAt },
        { user: { id: 'deleted' }, createdAt },
      ]),
    ).toEqual([
      { user: 'ada@example.com', atMs: Date.parse(createdAt) },
      { user: 'deleted', atMs: Date.parse(createdAt) },
    ]);
  });

  it.each([
    ['no time', { user: { username: 'ada@example.com' } }],
    ['no user', { createdAt: '2026-03-02T08:00:00Z', user: null }],
  ])('are not known where a recipient has %s', (_what, recipient) => {
    expect(reachedIn([recipient])).toBeUndefined();
  });

  it('are reached until the alert was acknowledged, else closed', () => {
    const createdAt = '2026-03-02T08:00:00Z';
    const ended = (report?: object) => endedMs({ createdAt, ...(report && { report }) });
    expect([ended(), ended({}), ended({ closeTime: 5_000 }), ended({ ackTime: '2000', closeTime: 5_000 })]).toEqual([
      ...[undefined, undefined, Date.parse(createdAt) + 5_000, Date.parse(createdAt) + 2_000],
    ]);
    const without = [null, '', false, [], 'soon'];
    expect(without.map((ackTime) => ended({ ackTime, closeTime: 5_000 }))).toEqual(
      without.map(() => Date.parse(createdAt) + 5_000),
    );
    expect(ended({ ackTime: null, closeTime: null })).toBeUndefined();
  });
});
