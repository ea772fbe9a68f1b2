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
import { applyEvent, mayRun, supersededAmong } from './apply-event.ts';
import type { RoutingView } from './routing.ts';
import { goesOn, type Run } from './run.ts';
import { view } from '../../testing/settle-run-samples.ts';
import { fireDue, applyEffects, transitions } from './settle-run.ts';

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
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('acknowledge', 'unacknowledge', 'snooze', 'end-snooze', 'release', 'restart', 'note'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('close', 'delete') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add'), which: fc.constantFrom(...ADDED) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('escalate'),
      which: fc.constantFrom(...['e1', 'e2', 'e3'].map(escalation)),
    }),
  },
);

const minute = (count: number): Date => new Date(T0.getTime() + count * 60_000);

/** An event, and when it comes. */
interface Coming {
  readonly event: AlertEvent;
  readonly at: Date;
}

/** The run of an alert, and every page of it. */
class Consumer {
  readonly pages: Page[] = [];
  run: Run | undefined;
  readonly #known: RoutingView;

  constructor(known = snapshot) {
    this.#known = known;
  }

  /** Everything by these events, which come in one batch. */
  take(batch: readonly Coming[]): void {
    const isSuperseded = supersededAmong(batch.map(({ event }) => event));
    for (const { at, event } of batch) {
      const applied = applyEvent(this.run, event, isSuperseded(event));
      if (applied === undefined) continue;
      const { run, steps } = transitions(applied, this.#known, at);
      this.run = run;
      for (const { effects } of steps) this.pages.push(...effects.pages);
    }
  }

  /** Everything that is due before `end`, or at all. */
  fireBefore(end?: Date): void {
    for (;;) {
      const [item] = this.run === undefined ? [] : dueItems(this.run);
      if (this.run === undefined || item === undefined || (end !== undefined && item.dueAt >= end)) return;
      const effects = fireDue(this.run, item, snapshot, item.dueAt);
      this.run = applyEffects(this.run, effects);
      this.pages.push(...effects.pages);
    }
  }

  /** A process that is killed before it commits leaves what there was. */
  killedWhile(act: () => void): void {
    const { run } = this;
    const count = this.pages.length;
    act();
    this.run = run;
    this.pages.length = count;
  }
}

/** What the events lead to that come one after the other, with what is due meanwhile and after them. */
function consumed(coming: readonly Coming[], known = snapshot): Consumer {
  const consumer = new Consumer(known);
  for (const one of coming) {
    consumer.fireBefore(one.at);
    consumer.take([one]);
  }
  consumer.fireBefore();
  return consumer;
}

const atOnce = (events: readonly AlertEvent[]): readonly Coming[] => events.map((event) => ({ event, at: T0 }));

const callsOf = ({ pages }: Consumer): readonly Page[] => pages.filter(({ news }) => news === undefined);

const idsOf = (pages: readonly Page[]): readonly string[] => pages.map(({ pageId }) => pageId);

/** Who is paged, and why. */
const keyOf = ({ pageId }: Page): string => pageId.replace(/:[a-z-]+$/, '');

const wholeHistory = fc
  .record({
    responders: fc.subarray([...FIRST]),
    held: fc.boolean(),
    steps: fc.array(fc.record({ step, pause: fc.nat(12) }), { maxLength: 7 }),
  })
  .map(({ responders, held, steps }) => {
    const owner = new AlertOwner(responders, held);
    const times = [0];
    let now = 0;
    for (const { step: one, pause } of steps) {
      now += pause;
      owner.take(one);
      if (times.length < owner.events.length) times.push(now);
    }
    const whenOf = (version: number): Date => minute(times[version - 1] ?? 0);
    const events = owner.events.map((event) => ({
      ...event,
      state: { ...event.state, flowStartedAt: whenOf(event.state.flow.version).toISOString() },
      facts: event.facts.map((fact) => ({ ...fact, at: whenOf(event.version).toISOString() })),
    }));
    return { coming: events.map((event) => ({ event, at: whenOf(event.version) })), state: owner.state };
  });

/** Events of an alert without responders are not published (F4). */
const history = wholeHistory.map(({ coming, state }) => ({
  state,
  coming: coming.filter(({ event }) => mayRun(event)),
}));

/** A history with blocks of its events that a relay publishes once more, in their order, any time after them. */
const withRepeats = fc
  .tuple(
    history,
    fc.array(fc.record({ after: fc.nat(8), from: fc.nat(8), length: fc.integer({ min: 1, max: 8 }) }), {
      maxLength: 4,
    }),
  )
  .map(([{ coming, state }, blocks]) => ({
    state,
    coming,
    repeated: coming.flatMap((one, index) => [
      one,
      ...blocks
        .filter(({ after }) => after === index)
        .flatMap(({ from, length }) => coming.slice(0, index + 1).slice(from, from + length))
        .map(({ event }) => ({ event, at: one.at })),
    ]),
  }));

/** How a process takes what comes: so many events in each batch, and whether it is killed before it commits the first time. */
const cuts = fc.array(fc.record({ length: fc.integer({ min: 1, max: 5 }), isKilled: fc.boolean() }), { minLength: 1 });

/** Takes everything at one instant. */
function cutUp(events: readonly AlertEvent[], cut: readonly { readonly length: number; readonly isKilled: boolean }[]) {
  const consumer = new Consumer();
  const coming = atOnce(events);
  for (let taken = 0, count = 0; taken < coming.length; count += 1) {
    const { isKilled, length } = cut[count % cut.length] ?? { isKilled: false, length: 1 };
    const batch = coming.slice(taken, taken + length);
    if (isKilled)
      consumer.killedWhile(() => {
        consumer.take(coming.slice(taken, taken + length + 2));
      });
    consumer.take(batch);
    taken += length;
  }
  consumer.fireBefore();
  return consumer;
}

describe('the events of an alert', () => {
  it('that come again in blocks, each in a batch of its own, lead to what they lead to once', () => {
    fc.assert(
      fc.property(withRepeats, fc.constantFrom(snapshot, away), ({ coming, repeated }, known) => {
        const [expected, found] = [consumed(coming, known), consumed(repeated, known)];
        expect(idsOf(found.pages)).toEqual(idsOf(expected.pages));
        expect(found.run).toEqual(expected.run);
      }),
      { numRuns: 1_000 },
    );
  });

  it('lead to the same pages of the last cycle however they are cut into batches, come again, and processes are killed', () => {
    fc.assert(
      fc.property(withRepeats, cuts, ({ coming, repeated, state }, cut) => {
        const events = coming.map(({ event }) => event);
        const expected = consumed(atOnce(events));
        const found = cutUp(
          repeated.map(({ event }) => event),
          cut,
        );
        const keysOf = (consumer: Consumer) =>
          callsOf(consumer)
            .filter(({ cycle }) => cycle === state.cycle)
            .map(keyOf);
        expect(keysOf(found)).toEqual(keysOf(expected));
        // Whom former cycles have reached, and so which notes were told, depends on the cut.
        const stateOf = ({ run }: Consumer) => run && { ...run, reached: [], noteMinutes: [] };
        expect(stateOf(found)).toEqual(stateOf(expected));
      }),
      { numRuns: 1_000 },
    );
  });

  it('of a former cycle lead to pages by escalate requests alone, where they come in one batch', () => {
    fc.assert(
      fc.property(history, ({ coming, state }) => {
        const events = coming.map(({ event }) => event);
        const ofFormer = callsOf(cutUp(events, [{ length: events.length, isKilled: false }])).filter(
          ({ cycle }) => cycle < state.cycle,
        );
        const escalated = new Set(
          events.filter(({ facts }) => facts[0]?.kind === 'escalated').map(({ state: { cycle } }) => cycle),
        );
        expect(ofFormer.filter(({ cycle }) => !escalated.has(cycle))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of which some are missing start each cycle by the first that comes, with the responders that it began with', () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.boolean()), ({ coming }, isMissing) => {
        const left = coming.filter(() => isMissing.next().value !== true);
        const firsts = left.filter(
          ({ event: { state } }, index) => state.cycle !== left[index - 1]?.event.state.cycle && goesOn(state),
        );
        const found = new Set(callsOf(consumed(left)).map(keyOf));
        for (const { at, event } of firsts) {
          const alone = new Consumer();
          alone.take([{ at, event: { ...event, facts: [] } }]);
          expect(
            callsOf(alone)
              .map(keyOf)
              .filter((key) => !found.has(key)),
          ).toEqual([]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('page everybody where directory answers for some only after all of them', () => {
    fc.assert(
      fc.property(history, ({ coming, state }) => {
        // A rule that finds nobody hands over to the next one, so a second escalate finds another rule.
        fc.pre(coming.filter(({ event: { facts } }) => facts[0]?.kind === 'escalated').length < 2);
        const calls = (known: RoutingView) => callsOf(consumed(atOnce(coming.map(({ event }) => event)), known));
        const found = new Set(calls(away).map(({ cycle, userId }) => `${userId} ${cycle}`));
        const wanted = calls(snapshot).filter((page) => isWanted(page, state, coming));
        expect(wanted.filter(({ cycle, userId }) => !found.has(`${userId} ${cycle}`))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('lose no page where they come up to 25 minutes late, and page nobody twice by one rule', () => {
    const delays = fc.array(fc.oneof(fc.constant(0), fc.nat(25)), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(history, delays, ({ coming, state }, waits) => {
        // Which rule is the next one depends on when an escalate comes.
        fc.pre(coming.every(({ event: { facts } }) => facts[0]?.kind !== 'escalated'));
        let last = 0;
        const late = coming.map(({ at, event }, index) => {
          last = Math.max(last, at.getTime() + (waits[index] ?? 0) * 60_000);
          return { event, at: new Date(last) };
        });
        const [expected, found] = [callsOf(consumed(coming)), callsOf(consumed(late))];
        expect(new Set(found.map(keyOf)).size).toBe(found.length);
        const keys = new Set(found.map(keyOf));
        const lost = expected.filter((page) => isWanted(page, state, coming)).map(keyOf);
        // A round that starts late may start after an acknowledgement.
        expect(lost.filter((key) => !keys.has(key) && !/:e3:0:[12]:/.test(key))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('lead to the same pages where those from before its first responder are never published (F4)', () => {
    fc.assert(
      fc.property(wholeHistory, ({ coming }) => {
        const published = coming.filter(({ event }) => mayRun(event));
        expect(idsOf(consumed(published).pages)).toEqual(idsOf(consumed(coming).pages));
      }),
      { numRuns: 1_000 },
    );
  });

  it('tell each paged user of each fact once, but not of their own, however often they come', () => {
    fc.assert(
      fc.property(withRepeats, ({ repeated }) => {
        const consumer = consumed(repeated);
        const called = new Set(callsOf(consumer).map(({ userId }) => userId));
        const news = consumer.pages.filter((page) => page.news !== undefined);
        expect(new Set(idsOf(news)).size).toBe(news.length);
        expect(news.filter(({ userId }) => !called.has(userId) || userId === 'a0')).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Whether a page is still wanted of an alert that is as `state` says after the events `coming`. */
function isWanted(
  { alertVersion, cycle, wantedWhile, whileSnoozed }: Page,
  { acknowledged, cycle: last, snoozed, status }: AlertState,
  coming: readonly Coming[],
): boolean {
  const snoozes = coming.filter(({ event }) => event.facts[0]?.kind === 'snoozed').map(({ event }) => event.version);
  if (status !== 'open' || cycle !== last || (acknowledged && wantedWhile === 'unacked')) return false;
  return snoozed ? whileSnoozed === true : alertVersion > Math.max(0, ...snoozes);
}
