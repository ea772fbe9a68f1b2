import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ActionType } from '@tocsin/events';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { readLinkSubject, writeLinkSubject } from './acknowledge-link.ts';
import { actIdOf, answerableBy, answerText, isSameNumber } from './answer.ts';

const digest = (pageId: string): string => `of ${pageId}`;
const call = (change: Parameters<typeof page>[0] = {}) =>
  answerableBy(deliveryOf(page(change), { method: 'voice', to: '1-5551234567' }), digest);

describe('an alert that can be answered by phone', () => {
  it('is a page that calls a user to an alert, without a word of the alert (A6)', () => {
    expect(call()).toEqual({
      alertId: 'a1',
      page: digest(page().pageId),
      userId: 'ada',
      tinyId: '7',
      to: '1-5551234567',
    });
  });

  it.each<[ActionType, boolean]>([
    ['renotified-alert', true],
    ['assigned-alert', true],
    ['closed-alert', false],
    ['add-note', false],
  ])('may be a page of type %s: %s (U15)', (actionType, expected) => {
    expect(call({ actionType }) !== undefined).toBe(expected);
  });
});

describe('the act that an answer is', () => {
  const idOf = (change: Parameters<typeof page>[0], action: 'acknowledge' | 'close' = 'acknowledge') => {
    const about = call(change);
    return about && actIdOf(about, action);
  };

  it('is the same for all messages of one page, and for its link', () => {
    const link = readLinkSubject(writeLinkSubject(deliveryOf(page(), { method: 'email' }), digest));
    expect(link && actIdOf(link, 'acknowledge')).toBe(idOf({ cancelOn: 'close' }));
  });

  it('is another for every other page, alert and action', () => {
    const ids = [idOf({}), idOf({}, 'close'), idOf({ pageId: 'another' }), idOf({ alertId: 'a2' })];
    expect(new Set(ids).size).toBe(4);
  });
});

describe('the text of a snooze', () => {
  it.each([
    [60_000, 'a minute'],
    [5_400_000, '90 minutes'],
    [3_600_000, 'an hour'],
    [7_200_000, '2 hours'],
    [86_400_000, 'a day'],
    [604_800_000, '7 days'],
  ])('of %d ms says %s', (lengthMs, text) => {
    expect(answerText('#7', 'snooze', 'taken', lengthMs)).toBe(`#7: your order to snooze it for ${text} is accepted.`);
  });
});

describe('a number', () => {
  it('is the same however it is written with its country code', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{0,2}$/), fc.stringMatching(/^\d{1,15}$/), (country, national) => {
        for (const other of [`+${country}${national}`, `00${country}${national}`, `+${country} (${national})`])
          expect(isSameNumber(`${country}-${national}`, other)).toBe(true);
        expect(isSameNumber(`${country}-${national}`, `+${country}${national}0`)).toBe(false);
      }),
    );
  });
});
