import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, AlertState, Page, Responder } from '@tocsin/contracts';
import fc from 'fast-check';
import {
  escalationOf,
  forwardingOf,
  rotationOf,
  ruleFor,
  scheduleOf,
  teamOf,
  userOf,
} from '../../testing/on-call-samples.ts';
import { AlertOwner, T0, type Step } from '../../testing/alert-owner-samples.ts';
import { dueItems } from './due.ts';
import { mayRun, observe, supersededAmong } from './observe.ts';
import type { RoutingView } from './routing.ts';
import type { Run } from './run.ts';
import { view } from '../../testing/settle-run-samples.ts';
import { stepsOf, settled, fireDue } from './settle-run.ts';

const user = (id: string) => ({ type: 'user', id }) as const;
const escalation = (id: string) => ({ type: 'escalation', id }) as const;
const rule = (id: string, delayMinutes: number, condition: 'if-not-acked' | 'if-not-closed' = 'if-not-acked') =>
  ruleFor(user(id), { delayMinutes, condition });
const PEOPLE = ['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2', 'c0', 'c1', 'd0', 'd1', 'duty', 'first', 'extra'];
const snapshot = view({
  users: PEOPLE.map(userOf),
  escalations: [
    escalationOf('e1', [rule('a0', 0), rule('a1', 5), rule('a2', 10, 'if-not-closed'), rule('a3', 20)]),
    escalationOf('e2', [rule('b0', 0, 'if-not-closed'), rule('b1', 0), rule('b2', 15, 'if-not-closed')]),
    escalationOf('e3', [rule('c0', 5)], {
      repeat: { waitMinutes: 5, count: 2, resetRecipientStates: false, closeAlertAfterAll: false },
    }),
    escalationOf('e4', [rule('d0', 0), rule('d1', 10, 'if-not-closed')]),
  ],
  forwardingRules: [forwardingOf('c0', 'c1')],
  schedules: [scheduleOf('s1', [rotationOf([user('duty')])])],
  teams: [teamOf('ops', { a0: 'user' }, escalation('e1')), teamOf('night', {}, escalation('e4'))],
});

/** Directory does not answer for them while the events come. */
const UNANSWERED = new Set(['a2', 'b0', 'b1', 'd0', 'extra', 'night']);
const away: RoutingView = {
  ...snapshot,
  user: (id) => (UNANSWERED.has(id) ? undefined : snapshot.user(id)),
  team: (id) => (UNANSWERED.has(id) ? undefined : snapshot.team(id)),
  isUnanswered: ({ id }) => UNANSWERED.has(id),
};

const FIRST: readonly Responder[] = [user('first'), { type: 'team', id: 'ops' }];
const ADDED: readonly Responder[] = [
  user('extra'),
  { type: 'team', id: 'night' },
  { type: 'schedule', id: 's1' },
  escalation('e2'),
  escalation('e3'),
];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('acknowledge', 'unacknowledge', 'snooze', 'end-snooze', 'release', 'restart', 'note'),
  }),
  fc.record({ kind: fc.constant('add'), which: fc.constantFrom(...ADDED) }),
  fc.record({ kind: fc.constant('escalate'), which: fc.constantFrom(...['e1', 'e2', 'e3'].map(escalation)) }),
);

/** Every page of `events` that calls somebody. */
const pagesOf = (events: readonly AlertEvent[], known = snapshot) => callsAmong(allPagesOf(events, known));

const callsAmong = (pages: readonly Page[]) => pages.filter(({ news }) => news === undefined);

/** Every page of `events` when they come in this order, within one moment, and of what is due after them. */
function allPagesOf(events: readonly AlertEvent[], known = snapshot): readonly Page[] {
  const coming = events.map((event) => ({ event, at: T0 }));
  return pagesInTime(coming, known);
}

/** Every page of events that come in this order at these instants, and of what is due meanwhile and after them. */
function pagesInTime(
  coming: readonly { readonly event: AlertEvent; readonly at: Date }[],
  known = snapshot,
  isSuperseded: (event: AlertEvent) => boolean = () => false,
) {
  let run: Run | undefined;
  const pages: Page[] = [];
  const fireBefore = (end?: Date): void => {
    for (;;) {
      const [item] = run === undefined ? [] : dueItems(run);
      if (run === undefined || item === undefined || (end !== undefined && item.dueAt >= end)) return;
      const effects = fireDue(run, item, snapshot, item.dueAt);
      run = settled(run, effects);
      pages.push(...effects.pages);
    }
  };
  for (const { event, at } of coming) {
    fireBefore(at);
    const observation = observe(run, event, isSuperseded(event));
    if (observation.kind === 'stale') continue;
    const { run: after, steps } = stepsOf(observation, known, at);
    run = after;
    for (const { effects } of steps) pages.push(...effects.pages);
  }
  fireBefore();
  return pages;
}

/** Who is paged, and why. */
const keyOf = ({ pageId }: Page): string => pageId.replace(/:[a-z-]+$/, '');

/** Who is paged in the last cycle of an alert, and why. */
const keysOf = (pages: readonly Page[], { cycle }: AlertState): ReadonlySet<string> =>
  new Set(pages.filter((page) => page.cycle === cycle).map(keyOf));

/** Those that are still wanted of an alert that is as `state` says, and was snoozed with version `snoozedAt` last. */
const wantedOf = (pages: readonly Page[], { acknowledged, snoozed }: AlertState, snoozedAt: number): readonly Page[] =>
  pages
    .filter(({ wantedWhile }) => !acknowledged || wantedWhile === 'open')
    .filter(({ alertVersion, whileSnoozed }) => (snoozed ? whileSnoozed === true : alertVersion > snoozedAt));

/** The version of the last snooze among `events`; 0 where there is none. */
const lastSnooze = (events: readonly AlertEvent[]): number =>
  Math.max(0, ...events.filter(({ facts }) => facts[0]?.kind === 'snoozed').map(({ version }) => version));

const wholeHistory = fc
  .record({
    responders: fc.subarray([...FIRST]),
    held: fc.boolean(),
    steps: fc.array(step, { maxLength: 6 }),
  })
  .map(({ responders, held, steps }) => {
    const owner = new AlertOwner(responders, held);
    for (const each of steps) owner.take(each);
    return { events: owner.events, state: owner.state };
  });

/** Nobody is told of an alert without responders (F4). */
const told = (events: readonly AlertEvent[]): AlertEvent[] => events.filter(({ state }) => state.responders.length > 0);

const history = wholeHistory.map(({ events, state }) => ({ events: told(events), state }));

/** A history, and its events in any order, some of them more than once. */
const anyOrder = history
  .chain(({ events, state }) =>
    fc.record({
      events: fc.constant(events),
      state: fc.constant(state),
      order: fc
        .tuple(
          fc.shuffledSubarray(events, { minLength: events.length }),
          fc.array(fc.nat(events.length), { maxLength: 4 }),
        )
        .map(([all, again]) => [...all, ...again.flatMap((index) => all[index] ?? [])]),
      early: fc.array(fc.nat(Math.max(0, events.length - 1)), { maxLength: 3 }),
    }),
  )
  .map(({ early, events, order, state }) => ({
    events,
    state,
    repeated: [...early.flatMap((index) => order[index] ?? []), ...order],
  }));

/** The pages of `events` that are wanted and that `found` has not: as `nameOf` names those of the last cycle. */
function lostOf(
  { events, state }: { readonly events: readonly AlertEvent[]; readonly state: AlertState },
  found: readonly Page[],
  nameOf: (page: Page) => string = keyOf,
  expected = pagesOf(events),
): readonly string[] {
  const named = (pages: readonly Page[]) => pages.filter(({ cycle }) => cycle === state.cycle).map(nameOf);
  const wanted = new Set(named(wantedOf(found, state, 0)));
  return named(wantedOf(expected, state, lastSnooze(events))).filter((name) => !wanted.has(name));
}

const minute = (count: number): Date => new Date(T0.getTime() + count * 60_000);

/**
 * A history in time, and when its events come: some of them up to 25 minutes late. Nobody escalates: which rule is the next one
 * depends on when that comes.
 */
const lateOnes = fc
  .record({
    responders: fc.subarray([...FIRST]),
    held: fc.boolean(),
    steps: fc.array(fc.record({ step, pause: fc.nat(12) }), { maxLength: 6 }),
    delays: fc.array(fc.oneof(fc.constant(0), fc.nat(25)), { minLength: 7, maxLength: 7 }),
  })
  .map(({ delays, held, responders, steps }) => {
    const owner = new AlertOwner(responders, held);
    const times = [0];
    let now = 0;
    for (const { step: one, pause } of steps) {
      now += pause;
      if (one.kind !== 'escalate') owner.take(one);
      if (times.length < owner.events.length) times.push(now);
    }
    const whenOf = (version = 0): string => minute(times[version - 1] ?? 0).toISOString();
    const events = owner.events.map((event) => ({
      ...event,
      state: { ...event.state, flowStartedAt: whenOf(event.state.flow.version) },
      facts: event.facts.map((fact) => ({ ...fact, at: whenOf(event.version) })),
    }));
    const comingAfter = (waits: readonly number[]) => {
      const coming = events.map((event, at) => ({ event, at: minute((times[at] ?? 0) + (waits[at] ?? 0)) }));
      return coming.filter(({ event }) => mayRun(event)).sort((a, b) => a.at.getTime() - b.at.getTime());
    };
    return { events, state: owner.state, inTime: comingAfter([]), late: comingAfter(delays) };
  });

describe('the events of an alert without a run', () => {
  it('lead to the same pages in any order and however often they come, except pages that are not wanted any more', () => {
    fc.assert(
      fc.property(anyOrder, ({ repeated, ...history }) => {
        const [expected, found] = [pagesOf(history.events), pagesOf(repeated)];
        expect(keysOf(expected, history.state)).toEqual(keysOf([...expected, ...found], history.state));
        expect(lostOf(history, found)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('that come in one batch lead to the pages of the last cycle, and in a former one to those of escalate requests alone', () => {
    fc.assert(
      fc.property(anyOrder, ({ repeated, ...history }) => {
        const coming = repeated.map((event) => ({ event, at: T0 }));
        const found = callsAmong(pagesInTime(coming, snapshot, supersededAmong(repeated)));
        const expected = pagesOf(history.events);
        expect(keysOf(expected, history.state)).toEqual(keysOf([...expected, ...found], history.state));
        expect(lostOf(history, found)).toEqual([]);
        const escalated = new Set(
          history.events.filter(({ facts }) => facts[0]?.kind === 'escalated').map(({ state }) => state.cycle),
        );
        const ofFormer = found.filter(({ cycle }) => cycle < history.state.cycle);
        expect(ofFormer.filter(({ cycle }) => !escalated.has(cycle))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('page everybody in any order where directory answers for some only after all of them', () => {
    fc.assert(
      fc.property(anyOrder, ({ repeated, ...history }) => {
        expect(lostOf(history, pagesOf(repeated, away), ({ userId }) => userId)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lose no page where they come late, and page nobody twice by one rule', () => {
    fc.assert(
      fc.property(lateOnes, ({ events, inTime, late, state }) => {
        const [expected, found] = [callsAmong(pagesInTime(inTime)), callsAmong(pagesInTime(late))];
        expect(new Set(found.map(keyOf)).size).toBe(found.length);
        // A round that starts late may start after an acknowledgement.
        const lost = lostOf({ events, state }, found, keyOf, expected).filter((key) => !/:e3:0:[12]:/.test(key));
        expect(lost).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lead to the same pages where those from before its first responder are never told (F4)', () => {
    fc.assert(
      fc.property(wholeHistory, ({ events }) => {
        expect(pagesOf(told(events)).map(({ pageId }) => pageId)).toEqual(pagesOf(events).map(({ pageId }) => pageId));
      }),
      { numRuns: 2_000 },
    );
  });

  it('tell each paged user of each fact once, but not of their own, in any order', () => {
    const shuffled = history.chain(({ events }) =>
      fc.tuple(
        fc.shuffledSubarray(events, { minLength: events.length }),
        fc.array(fc.nat(events.length), { maxLength: 4 }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([all, again]) => {
        const pages = allPagesOf([...all, ...again.flatMap((index) => all[index] ?? [])]);
        const called = new Set(pages.filter(({ news }) => news === undefined).map(({ userId }) => userId));
        const news = pages.filter((page) => page.news !== undefined);
        expect(new Set(news.map(({ pageId }) => pageId)).size).toBe(news.length);
        expect(news.filter(({ userId }) => !called.has(userId) || userId === 'a0')).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('tell the same users of the same facts however often they come, if they first come in order', () => {
    const withRepeats = history.chain(({ events }) =>
      fc.record({
        events: fc.constant(events),
        again: fc.array(fc.nat(5), { minLength: events.length, maxLength: events.length }),
      }),
    );
    fc.assert(
      fc.property(withRepeats, ({ events, again }) => {
        const newsOf = (some: readonly AlertEvent[]) =>
          allPagesOf(some).flatMap(({ news, pageId }) => (news === undefined ? [] : [pageId]));
        const repeated = events.flatMap((event, index) => {
          const earlier = events[index - (again[index] ?? 0)];
          return earlier === undefined ? [event] : [event, earlier];
        });
        expect(newsOf(repeated)).toEqual(newsOf(events));
      }),
      { numRuns: 1_000 },
    );
  });

  it('page nobody once the alert is closed, whatever comes late', () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), ({ events }, order) => {
        const version = events.length + 10;
        const last = events.at(-1);
        if (last === undefined) return;
        const closed: AlertEvent = { ...last, version, state: { ...last.state, status: 'closed' }, facts: [] };
        const late = events.map((event) => ({ event, at: order.next().value as number }));
        late.sort((a, b) => a.at - b.at);
        expect(pagesOf([closed, ...late.map(({ event }) => event)])).toEqual([]);
      }),
    );
  });
});
