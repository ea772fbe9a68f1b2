import { describe, expect, it } from '@jest/globals';
import { anyCodePoint } from '@tocsin/testing';
import fc from 'fast-check';
import { deliveryOf, page } from '../../testing/page-samples.ts';
import { describeChannel } from '../channel.contract.ts';
import { writeText } from './message.ts';
import { fitted } from './segments.ts';

// cspell:ignoreRegExp /const basic.*/

describeChannel('sms', {
  write: writeText,
  lines: ({ text, to }) => [text, to],
  text: ({ text }) => text,
  longest: 1_300,
});

const sender = { accountName: 'Ops', publicUrl: undefined };
const textOf = (of: ReturnType<typeof page>): string => writeText(deliveryOf(of, { to: '1-5551234' }), sender).text;
/** In how many parts a carrier sends a text, by the rules of GSM 03.38 and 03.40. */
function parts(text: string): number {
  const basic = /^[@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€\n\r]*$/u;
  if (!basic.test(text))
    return text.length <= 70
      ? 1
      : inParts(
          Array.from(text, ({ length }) => length),
          67,
        );
  const septets = Array.from(text, (character) => (/[\^{}\\[~\]|€]/.test(character) ? 2 : 1));
  return septets.reduce((sum, cost) => sum + cost, 0) <= 160 ? 1 : inParts(septets, 153);
}

/** No character is torn apart. */
function inParts(costs: readonly number[], room: number): number {
  let [count, left] = [1, room];
  for (const cost of costs) {
    if (cost > left) [count, left] = [count + 1, room];
    left -= cost;
  }
  return count;
}

describe('a text message', () => {
  it('says how urgent it is, which alert it is, and what is the matter', () => {
    expect(textOf(page())).toBe('P1 #7: Disk full');
  });

  it('says what has happened to the alert before what it is about', () => {
    expect(textOf(page({ news: { kind: 'closed', actor: 'grace@example.com' } }))).toBe(
      'P1 #7: Closed by grace@example.com: Disk full',
    );
  });

  it('takes four parts at most, and keeps its beginning, whatever its letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), fc.integer({ min: 1, max: 400 }), (text, times) => {
        const whole = text.repeat(times);
        const cut = fitted(whole);
        expect(parts(cut)).toBeLessThanOrEqual(4);
        expect(whole.startsWith(cut === whole ? cut : cut.slice(0, -3))).toBe(true);
      }),
    );
  });

  it.each(['a', '[', 'é', 'ж', '🔥'])('uses the four parts where there is much to say in %s', (letter) => {
    const cut = fitted(letter.repeat(1_000));
    expect([cut.endsWith('...'), parts(cut)]).toEqual([true, 4]);
  });
});
