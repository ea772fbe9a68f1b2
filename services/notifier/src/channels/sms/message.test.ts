import { describe, expect, it } from '@jest/globals';
import type { ActionType } from '@tocsin/events';
import { CodeSigner } from '@tocsin/http';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { deliveryOf, page } from '../../testing/page-samples.ts';
import { describeChannel } from '../providers/channel.contract.ts';
import { writeText } from './message.ts';
import { fitted } from './segments.ts';

// cspell:ignoreRegExp /const basic.*/

describeChannel('sms', {
  method: 'sms',
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
  it('has the priority, the tiny id and the message of the alert', () => {
    expect(textOf(page())).toBe('P1 #7: Disk full');
  });

  it('begins with what has happened to the alert', () => {
    expect(textOf(page({ statusUpdate: { kind: 'closed', actor: 'grace@example.com' } }))).toBe(
      'P1 #7: Closed by grace@example.com: Disk full',
    );
  });

  it('has at most four parts, and keeps its beginning, with any characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), fc.integer({ min: 1, max: 400 }), (text, times) => {
        const whole = text.repeat(times);
        const cut = fitted(whole);
        expect(parts(cut)).toBeLessThanOrEqual(4);
        expect(whole.startsWith(cut === whole ? cut : cut.slice(0, -3))).toBe(true);
      }),
    );
  });

  it('keeps its ending whole, within the same four parts', () => {
    const ending = ' Reply ack 123456789012345kqmxz or close 123456789012345kqmxz';
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), fc.integer({ min: 1, max: 400 }), (text, times) => {
        const cut = fitted(text.repeat(times), ending);
        expect([cut.endsWith(ending), parts(cut) <= 4]).toEqual([true, true]);
      }),
    );
  });

  it.each(['a', '[', 'é', 'ж', '🔥'])('uses the four parts for a long text in %s', (letter) => {
    const cut = fitted(letter.repeat(1_000));
    expect([cut.endsWith('...'), parts(cut)]).toEqual([true, 4]);
  });
});

describe('a text message to which people may reply', () => {
  const codes = new Map<string, string>();
  const lettersOf = (page: string): string => {
    codes.set(page, 'kqmxz');
    return 'kqmxz';
  };
  const written = (change: Parameters<typeof page>[0] = {}) =>
    writeText(deliveryOf(page(change), { to: '1-5551234' }), { ...sender, lettersOf });

  it('has its code, which works for a week, and no text of the alert beside it (A6)', () => {
    const { answerable, text } = written();
    expect(text).toBe('P1 #7: Disk full');
    expect(answerable?.text).toBe('P1 #7: Disk full Reply ack 7kqmxz or close 7kqmxz');
    expect(answerable?.codes[0]).toEqual({
      code: '7kqmxz',
      alertId: 'a1',
      page: expect.stringMatching(/^[\w-]{16}$/),
      userId: 'ada',
      tinyId: '7',
      to: '1-5551234',
      expiresAt: new Date('2026-01-08T00:00:00Z'),
    });
    expect([...codes.keys()]).toEqual([answerable?.codes[0]?.page]);
  });

  it('has the same code for every try, and another for another page', () => {
    const signer = new CodeSigner(['a secret of component tests, 32 characters']);
    const codeOf = (of: ReturnType<typeof page>, attempts: number) =>
      writeText(deliveryOf(of, { attempts }), { ...sender, lettersOf: (each) => signer.codeOf(each) }).answerable
        ?.codes[0];
    expect(codeOf(page(), 3)).toEqual(codeOf(page(), 1));
    expect(codeOf(page({ pageId: 'another' }), 1)?.code).not.toBe(codeOf(page(), 1)?.code);
  });

  it('keeps its code, however long the text is', () => {
    const alert = { ...page().alert, message: 'x'.repeat(1_000) };
    expect(written({ alert }).answerable?.text).toMatch(/x\.\.\. Reply ack 7kqmxz or close 7kqmxz$/);
  });

  it.each<[ActionType, boolean]>([
    ['renotified-alert', true],
    ['assigned-alert', true],
    ['acknowledged-alert', false],
    ['add-note', false],
  ])('is one of type %s: %s', (actionType, expected) => {
    expect(written({ actionType }).answerable !== undefined).toBe(expected);
  });

  it.each(['x', '\u{1f525}'])(
    'names each alert of a bundle by its code, but for status updates, and leaves none out (%s)',
    (unit) => {
      const pages = Array.from({ length: 15 }, (_, number) => {
        const alert = { ...page().alert, tinyId: String(1_000_000 + number), message: unit.repeat(100) };
        const actionType = number === 0 ? 'add-note' : 'create-alert';
        return deliveryOf(page({ pageId: `p${number}`, alert, actionType }), { to: '1-5551234' });
      });
      const bundle = { deliveryId: 'b', attempts: 1, username: 'ada', method: 'sms', to: '1-5551234', pages } as const;
      const { answerable, text } = writeText(bundle, { ...sender, lettersOf });
      expect(text).toMatch(/^15 alerts: P1 #1000000[ ;]/);
      expect(answerable?.codes.map(({ code }) => code)).toEqual(
        pages.slice(1).map((of) => `${of.page.alert.tinyId}kqmxz`),
      );
      for (const { code } of answerable?.codes ?? []) expect(answerable?.text).toContain(`#${code}`);
      expect(answerable?.text).toMatch(/\. Reply ack or close and a code$/);
      expect(parts(answerable?.text ?? '')).toBeLessThanOrEqual(4);
    },
  );

  it('is none where no provider accepts replies', () => {
    expect(writeText(deliveryOf(page()), sender)).not.toHaveProperty('answerable');
  });
});
