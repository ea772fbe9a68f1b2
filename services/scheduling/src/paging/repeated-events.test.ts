import { describe, expect, it } from '@jest/globals';
import type { AlertState, Page } from '@tocsin/events';
import fc from 'fast-check';
import {
  atOnce,
  unavailable,
  callsOf,
  consumed,
  Consumer,
  batchSizes,
  consumeInBatches,
  history,
  idsOf,
  keyOf,
  snapshot,
  wholeHistory,
  withRepeats,
  type Coming,
} from '../testing/event-histories.ts';
import { hasResponders } from './apply-event.ts';
import type { RoutingView } from './routing.ts';
import { isFlowActive } from './escalation-state.ts';

describe('the events of an alert', () => {
  it('that are repeated in blocks, each in a batch of its own, have their effects once', () => {
    fc.assert(
      fc.property(withRepeats, fc.constantFrom(snapshot, unavailable), ({ coming, repeated }, known) => {
        const [expected, found] = [consumed(coming, known), consumed(repeated, known)];
        expect(idsOf(found.pages)).toEqual(idsOf(expected.pages));
        expect(found.state).toEqual(expected.state);
      }),
      { numRuns: 1_000 },
    );
  });

  it('lead to the same pages of the last cycle with any batches, repeats, and killed processes', () => {
    fc.assert(
      fc.property(withRepeats, batchSizes, ({ coming, repeated, state }, cut) => {
        const events = coming.map(({ event }) => event);
        const expected = consumed(atOnce(events));
        const found = consumeInBatches(
          repeated.map(({ event }) => event),
          cut,
        );
        const keysOf = (consumer: Consumer) =>
          callsOf(consumer)
            .filter(({ cycle }) => cycle === state.cycle)
            .map(keyOf);
        expect(keysOf(found)).toEqual(keysOf(expected));
        // Which users former cycles have reached, and so which notes were sent, depends on the cut.
        const stateOf = ({ state }: Consumer) => state && { ...state, reached: [], noteMinutes: [] };
        expect(stateOf(found)).toEqual(stateOf(expected));
      }),
      { numRuns: 1_000 },
    );
  });

  it('of a former cycle lead to pages by escalate requests alone, where they come in one batch', () => {
    fc.assert(
      fc.property(history, ({ coming, state }) => {
        const events = coming.map(({ event }) => event);
        const ofFormer = callsOf(consumeInBatches(events, [{ length: events.length, isKilled: false }])).filter(
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
          ({ event: { state } }, index) => state.cycle !== left[index - 1]?.event.state.cycle && isFlowActive(state),
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

  it('page all users where directory answers for some only after all of them', () => {
    fc.assert(
      fc.property(history, ({ coming, state }) => {
        // A rule that finds no recipient hands over to the next one, so a second escalate finds another rule.
        fc.pre(coming.filter(({ event: { facts } }) => facts[0]?.kind === 'escalated').length < 2);
        const calls = (known: RoutingView) => callsOf(consumed(atOnce(coming.map(({ event }) => event)), known));
        const found = new Set(calls(unavailable).map(({ cycle, userId }) => `${userId} ${cycle}`));
        const wanted = calls(snapshot).filter((page) => isWanted(page, state, coming));
        expect(wanted.filter(({ cycle, userId }) => !found.has(`${userId} ${cycle}`))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('lose no page where they come up to 25 minutes late, and page no user twice by one rule', () => {
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
        // A repeat that starts late may start after an acknowledgement.
        expect(lost.filter((key) => !keys.has(key) && !/:e3:0:[12]:/.test(key))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('lead to the same pages where those from before its first responder are never published (F4)', () => {
    fc.assert(
      fc.property(wholeHistory, ({ coming }) => {
        const published = coming.filter(({ event }) => hasResponders(event));
        expect(idsOf(consumed(published).pages)).toEqual(idsOf(consumed(coming).pages));
      }),
      { numRuns: 1_000 },
    );
  });

  it('notify each paged user of each fact once, but not of their own, however often they are delivered', () => {
    fc.assert(
      fc.property(withRepeats, ({ repeated }) => {
        const consumer = consumed(repeated);
        const called = new Set(callsOf(consumer).map(({ userId }) => userId));
        const updates = consumer.pages.filter((page) => page.statusUpdate !== undefined);
        expect(new Set(idsOf(updates)).size).toBe(updates.length);
        expect(updates.filter(({ userId }) => !called.has(userId) || userId === 'a0')).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Whether a page is still wanted of an alert that is as `state` says after the events `coming`. */
function isWanted(
  { alertVersion, cancelOn, cycle }: Page,
  { acknowledged, cycle: last, status }: AlertState,
  coming: readonly Coming[],
): boolean {
  const snoozes = coming.filter(
    ({ event: { state } }, index) => state.snoozed && coming[index - 1]?.event.state.snoozed !== true,
  );
  if (status !== 'open' || cycle !== last || (acknowledged && cancelOn === 'ack')) return false;
  return alertVersion >= Math.max(0, ...snoozes.map(({ event }) => event.version));
}
