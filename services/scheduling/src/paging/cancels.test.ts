import { describe, expect, it } from '@jest/globals';
import { isCall, type AlertEvent, type AlertState, type Cancel, type Page, type PageMessage } from '@tocsin/events';
import { casesOf } from '@tocsin/testkit';
import fc from 'fast-check';
import {
  atOnce,
  consumed,
  Consumer,
  batchSizes,
  consumeInBatches,
  history,
  withRepeats,
  type Coming,
} from '../testing/event-histories.ts';
import { AlertOwner } from '../testing/alert-owner-samples.ts';

/** A call with what is left of it, as the consumer of pages counts it. */
interface Left {
  readonly page: Page;
  messages: boolean;
  repetitions: boolean;
}

/** The remaining part of each call after these messages. */
function folded(messages: readonly PageMessage[]): readonly Left[] {
  const left: Left[] = [];
  for (const message of messages)
    if (message.kind === 'page') {
      if (isCall(message)) left.push({ page: message, messages: true, repetitions: message.once !== true });
    } else if (message.kind === 'cancel') {
      for (const each of left.filter((one) => isEnded(one, message))) {
        each.repetitions = false;
        if (message.on === 'close' || each.page.cancelOn === 'ack') each.messages = false;
      }
    }
  return left;
}

/** Whether a cancel ends something that is left. */
const isEnded = ({ messages, page, repetitions }: Left, { alertVersion, on, userId }: Cancel): boolean =>
  page.userId === userId &&
  page.alertVersion < alertVersion &&
  (repetitions || (messages && (on === 'close' || page.cancelOn === 'ack')));

/** Whether the states of an alert from the version of a page on leave it wanted, by the rules of U5 and nothing else. */
function isWanted(page: Page, events: readonly AlertEvent[], asked: 'messages' | 'repetitions'): boolean {
  const since = events.filter(({ version }) => version >= page.alertVersion).map(({ state }) => state);
  const endsOnAck = asked === 'repetitions' || page.cancelOn === 'ack';
  const isEndedByAck = endsOnAck && startsIn(since, 'acknowledged');
  const isNeverRepeated = asked === 'repetitions' && page.once === true;
  return !isOver(page, since) && !startsIn(since, 'snoozed') && !isEndedByAck && !isNeverRepeated;
}

const isOver = (page: Page, since: readonly AlertState[]): boolean =>
  since.some(({ cycle, status }, index) => index > 0 && (status !== 'open' || cycle > page.cycle));

/** Whether an alert that goes through `states` comes to be so. */
const startsIn = (states: readonly AlertState[], of: 'acknowledged' | 'snoozed'): boolean =>
  states.some((state, index) => index > 0 && state[of] && states[index - 1]?.[of] !== true);

const eventsOf = (coming: readonly Coming[]): readonly AlertEvent[] => coming.map(({ event }) => event);

const isDeleted = (events: readonly AlertEvent[]): boolean => events.at(-1)?.state.status === 'deleted';

/** The pages that the consumer of pages keeps after each event, compared with those of the state of the alert. */
function check(consumer: Consumer, events: readonly AlertEvent[]): void {
  if (isDeleted(events)) return;
  for (const { messages, page, repetitions } of folded(consumer.messages))
    expect([page.pageId, messages, repetitions]).toEqual([
      page.pageId,
      isWanted(page, events, 'messages'),
      isWanted(page, events, 'repetitions'),
    ]);
}

describe('the cancels of an alert', () => {
  it('end each page as soon as the alert is in a state that does not want it, and no sooner', () => {
    fc.assert(
      fc.property(history, ({ coming }) => {
        const consumer = new Consumer();
        const seen: AlertEvent[] = [];
        for (const one of coming) {
          consumer.fireBefore(one.at);
          check(consumer, seen);
          consumer.take([one]);
          seen.push(one.event);
          check(consumer, seen);
        }
        consumer.fireBefore();
        check(consumer, seen);
      }),
      { numRuns: casesOf({ usual: 500, deep: 5000 }) },
    );
  });

  it('are the same however events repeat, are cut into batches, and processes are killed', () => {
    fc.assert(
      fc.property(withRepeats, batchSizes, ({ coming, repeated }, cut) => {
        check(
          consumeInBatches(
            repeated.map(({ event }) => event),
            cut,
          ),
          eventsOf(coming),
        );
        expect(consumed(repeated).messages).toEqual(consumed(coming).messages);
      }),
      { numRuns: casesOf({ usual: 500, deep: 5000 }) },
    );
  });

  it('erase what was sent to each user who was ever paged, once, and then all else, where the alert is deleted', () => {
    fc.assert(
      fc.property(history, ({ coming }) => {
        const { messages } = consumed(coming);
        const calls = messages.filter((each) => each.kind === 'page' && isCall(each));
        const erases = messages.flatMap((each) => (each.kind === 'erase' ? [each.userId] : []));
        const expected = isDeleted(eventsOf(coming)) ? [...new Set(calls.map(({ userId }) => userId)), undefined] : [];
        expect(erases).toEqual(expected);
        expect(messages.slice(messages.length - erases.length).every(({ kind }) => kind === 'erase')).toBe(true);
      }),
      { numRuns: casesOf({ usual: 500, deep: 5000 }) },
    );
  });

  it('are one for each user who was paged before, at each event that ends pages, whether or not an earlier one ended theirs', () => {
    const owner = new AlertOwner([{ type: 'user', id: 'first' }], false);
    for (const kind of ['acknowledge', 'note', 'close', 'note'] as const) owner.take({ kind });
    const consumer = new Consumer();
    for (const one of atOnce(owner.events)) consumer.take([one]);
    expect(consumer.messages.filter(({ kind }) => kind === 'cancel')).toMatchObject([
      { userId: 'first', on: 'ack', alertVersion: 2 },
      { userId: 'first', on: 'close', alertVersion: 4 },
    ]);
  });
});
