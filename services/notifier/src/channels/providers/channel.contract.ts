import { describe, expect, it } from '@jest/globals';
import type { ContactMethod } from '@tocsin/events';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { BundleSetting } from './settings.ts';
import type { ContentSettings } from '../../messages/content.ts';
import type { Outgoing } from '../../messages/bundle.ts';
import { beginAttempt } from '../../messages/attempts.ts';
import { UNTRIED, type UserDelivery } from '../../messages/delivery.ts';
import { invitation, openCode, verification } from '../../testing/notice-samples.ts';
import { deliveryOf, page } from '../../testing/page-samples.ts';
import { ProviderChannel } from './provider-channel.ts';

/** The parts of a channel's message. */
export interface ChannelUnderTest<M> {
  readonly write: (outgoing: Outgoing, settings: ContentSettings) => M;
  /** The parts that must be one line: headers, titles, addresses. */
  readonly lines: (message: M) => readonly string[];
  /** The parts that may have several lines. */
  readonly text: (message: M) => string;
  readonly method: ContactMethod;
  /** The maximum length of any message, in UTF-16 units. */
  readonly longest: number;
}

const SETTINGS: ContentSettings = { accountName: 'Ops of Example', publicUrl: undefined, openCode };

/** An alert in which each text that callers choose is `value`. */
const deliveryWith = (value: string): UserDelivery => {
  const { alert } = page();
  const texts = { ...alert, message: value, description: value, alias: value, source: value, entity: value };
  const statusUpdate = { kind: 'closed', actor: value, note: value } as const;
  return deliveryOf(
    page({ alert: { ...texts, tags: [value], details: { [value]: value } }, why: value, statusUpdate }),
  );
};

const noticeOf = (notice: ReturnType<typeof invitation> | ReturnType<typeof verification>): UserDelivery => ({
  ...UNTRIED,
  deliveryId: 'notice:n1',
  notice,
  username: 'ada@example.com',
  method: 'email',
  to: 'ada@example.com',
  dueAt: new Date(0),
});

/** Lines of Tocsin: texts of callers stand behind a mark. */
const ownLines = (text: string): readonly string[] => text.split('\n').filter((line) => !line.startsWith('>'));
const anyEnd = fc.constantFrom('\r\n', '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029', '\0');
const anyText = fc.tuple(fc.string({ unit: anyCodePoint }), anyEnd).map(([text, end]) => `x${text}${end}-- Ops${end}x`);

/** The promises of every channel with any provider. */
export function describeChannel<M>(name: string, { lines, longest, method, text, write }: ChannelUnderTest<M>): void {
  describe(`the channel for ${name}`, () => {
    it('gives its message to its provider', async () => {
      const sent: M[] = [];
      const channel = new ProviderChannel<M>({
        write: (each) => write(each, SETTINGS),
        providers: [
          {
            name: 'one',
            send: (message) => {
              sent.push(message);
              return Promise.resolve({ kind: 'accepted', response: 'ok' });
            },
          },
        ],
        onSkipped: () => undefined,
        onBack: () => undefined,
      });
      const delivery = beginAttempt(deliveryOf(page()));
      await channel.send(delivery);
      expect(sent).toEqual([write(delivery, SETTINGS)]);
    });

    it('has no line and no header of a caller, whatever they write', () => {
      const plain = ownLines(text(write(deliveryWith('x'), SETTINGS))).length;
      fc.assert(
        fc.property(anyText, (value) => {
          const message = write(deliveryWith(value), SETTINGS);
          expect(JSON.stringify(lines(message))).not.toMatch(/\\[nr]|\\u00|[\u0085\u2028\u2029]/);
          expect(ownLines(text(message)).length).toBeLessThanOrEqual(plain);
        }),
      );
    });

    it('shows no mark that reverses the order of letters', () => {
      const message = write(deliveryWith('in\u202evoice\u2066\u200e'), SETTINGS);
      expect([...lines(message), text(message)].join('\n')).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/u);
    });

    it('writes no more than fits, however long the texts of the alert are', () => {
      for (const unit of ['a', '€', '\u{1f525}', 'line\n']) {
        const message = write(deliveryWith(unit.repeat(20_000)), SETTINGS);
        expect([...lines(message), text(message)].join('').length).toBeLessThanOrEqual(longest);
      }
    });

    it('writes the same for the same delivery, so that a repeat is the same message', () => {
      for (const delivery of [deliveryOf(page()), noticeOf(invitation()), noticeOf(verification())])
        expect(write({ ...delivery, attempts: 3 }, SETTINGS)).toEqual(write(delivery, SETTINGS));
    });

    it('names all alerts of a bundle, whatever their texts are (U8)', () => {
      const { size } = BundleSetting.parse('').get(method) ?? { size: 0 };
      for (const unit of ['a', '€', '\u{1f525}', 'line\n', '[']) {
        const pages = Array.from({ length: size }, (_, number) =>
          deliveryOf(
            page({ alert: { ...page().alert, message: unit.repeat(130), tinyId: String(10_000_000 + number) } }),
          ),
        );
        const [first] = pages;
        if (first === undefined) throw new Error(`pages of ${name} are not bundled`);
        const message = write({ ...first, deliveryId: 'bundle', pages }, SETTINGS);
        for (const of of pages) expect(text(message)).toContain(of.page.alert.tinyId);
        expect([...lines(message), text(message)].join('').length).toBeLessThanOrEqual(longest);
      }
    });

    it('brings the code of a contact', () => {
      const message = write(noticeOf(verification()), SETTINGS);
      expect(text(message).replaceAll(', ', '')).toContain('314159');
    });
  });
}
