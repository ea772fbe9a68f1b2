import fc from 'fast-check';
import { type AlertEvent, isCall, type Page, type PageMessage, type Responder } from '@tocsin/events';
import { applyEvent, hasResponders, supersededAmong } from '../paging/apply-event.ts';
import { dueItems } from '../paging/due.ts';
import type { EscalationState } from '../paging/escalation-state.ts';
import type { RoutingView } from '../paging/routing.ts';
import { applyEffects, fireDue, computeTransitions } from '../paging/transitions.ts';
import { AlertOwner, type Step, T0 } from './alert-owner-samples.ts';
import { escalationOf, forwardingOf, rotationOf, ruleFor, scheduleOf, teamOf, userOf } from './on-call-samples.ts';
import { view } from './transition-samples.ts';

const user = (id: string) => ({ type: 'user', id }) as const;
const escalation = (id: string) => ({ type: 'escalation', id }) as const;
const rule = (id: string, delayMinutes: number, condition: 'if-not-acked' | 'if-not-closed' = 'if-not-acked') =>
  ruleFor(user(id), { delayMinutes, condition });
const PEOPLE = ['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2', 'c0', 'c1', 'd0', 'd1', 'duty', 'first', 'extra'];
export const snapshot = view({
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
export const unavailable: RoutingView = {
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
export interface Coming {
  readonly event: AlertEvent;
  readonly at: Date;
}

/** A consumer of the events of one alert: its escalation state, and every page. */
export class Consumer {
  /** The messages on the topic of pages, in order. */
  readonly messages: PageMessage[] = [];
  state: EscalationState | undefined;
  readonly #known: RoutingView;

  constructor(known = snapshot) {
    this.#known = known;
  }

  get pages(): readonly Page[] {
    return this.messages.filter((message) => message.kind === 'page');
  }

  /** Applies these events, which come in one batch. */
  take(batch: readonly Coming[]): void {
    const isSuperseded = supersededAmong(batch.map(({ event }) => event));
    for (const { at, event } of batch) {
      const applied = applyEvent(this.state, event, isSuperseded(event));
      if (applied === undefined) continue;
      const { state, transitions } = computeTransitions(applied, this.#known, at);
      this.state = state;
      this.messages.push(...applied.cancels, ...transitions.flatMap(({ effects }) => effects.pages));
    }
  }

  /** Does everything that is due before `end`, or all due work without it. */
  fireBefore(end?: Date): void {
    for (;;) {
      const [item] = this.state === undefined ? [] : dueItems(this.state);
      if (this.state === undefined || item === undefined || (end !== undefined && item.dueAt >= end)) return;
      const effects = fireDue(this.state, item, snapshot, item.dueAt);
      this.state = applyEffects(this.state, effects);
      this.messages.push(...effects.pages);
    }
  }

  /** A process that is killed before its commit: the state does not change. */
  killedWhile(act: () => void): void {
    const { state } = this;
    const count = this.messages.length;
    act();
    this.state = state;
    this.messages.length = count;
  }
}

/** The effects of events that come one after the other, with the due work meanwhile and after them. */
export function consumed(coming: readonly Coming[], known = snapshot): Consumer {
  const consumer = new Consumer(known);
  for (const one of coming) {
    consumer.fireBefore(one.at);
    consumer.take([one]);
  }
  consumer.fireBefore();
  return consumer;
}

export const atOnce = (events: readonly AlertEvent[]): readonly Coming[] => events.map((event) => ({ event, at: T0 }));

export const callsOf = ({ pages }: Consumer): readonly Page[] => pages.filter(isCall);

export const idsOf = (pages: readonly Page[]): readonly string[] => pages.map(({ pageId }) => pageId);

/** The key of a page, by its user and its reason. */
export const keyOf = ({ pageId }: Page): string => pageId.replace(/:[a-z-]+$/, '');

export const wholeHistory = fc
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
    const startOf = (cycle: number): number => owner.events.find(({ state }) => state.cycle === cycle)?.version ?? 1;
    const events = owner.events.map((event) => ({
      ...event,
      state: { ...event.state, flowStartedAt: whenOf(startOf(event.state.cycle)).toISOString() },
      facts: event.facts.map((fact) => ({ ...fact, at: whenOf(event.version).toISOString() })),
    }));
    return { coming: events.map((event) => ({ event, at: whenOf(event.version) })), state: owner.state };
  });

/** Events of an alert without responders are not published (F4). */
export const history = wholeHistory.map(({ coming, state }) => ({
  state,
  coming: coming.filter(({ event }) => hasResponders(event)),
}));

/** A history with blocks of its events that a relay publishes once more, in their order, any time after them. */
export const withRepeats = fc
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

/** The sizes of batches of events, and whether the process of each is killed before its first commit. */
export const batchSizes = fc.array(fc.record({ length: fc.integer({ min: 1, max: 5 }), isKilled: fc.boolean() }), {
  minLength: 1,
});

/** Takes everything at one instant. */
export function consumeInBatches(
  events: readonly AlertEvent[],
  cut: readonly { readonly length: number; readonly isKilled: boolean }[],
): Consumer {
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
