import { describe, expect, it } from '@jest/globals';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { deliveryOf, page } from '../../testing/page-samples.ts';
import { writeMail } from './message.ts';

const sender = { accountName: 'Ops of Example', messageIdHost: 'tocsin.example.com', publicUrl: undefined };
const htmlOf = (of = page()): string => writeMail(deliveryOf(of), sender).html;
/** All tags, without what stands between them. */
const tags = (html: string): readonly string[] => html.match(/<[^>]*>/g) ?? [];

/** A page of which each text is `value`. */
const sayingEverywhere = (value: string) =>
  page({
    why: value,
    alertId: value,
    alert: {
      ...page().alert,
      message: value,
      description: value,
      alias: value,
      source: value,
      entity: 'e',
      tags: [value],
      details: { [value]: value },
    },
  });

describe('the HTML of a mail', () => {
  it('has the content of the text', () => {
    const html = htmlOf();
    for (const part of [
      '[P1] Disk full (#7)',
      'No space left on /var',
      'Priority',
      'db-7',
      'You get this message because: responder user.',
      'Ops of Example',
    ])
      expect(html).toContain(part);
  });

  it('shows the lines of a description as lines, behind a bar that no line of Tocsin has', () => {
    const html = htmlOf(page({ alert: { ...page().alert, description: 'first\nsecond' } }));
    expect(html).toMatch(/border-left[^>]*>first<br>second</);
  });

  it('fetches nothing, runs nothing and links nowhere', () => {
    expect(htmlOf()).not.toMatch(/https?:|<(a|img|script|link|iframe|style|form)\b|url\(/i);
  });

  it('has no markup of a caller, whatever they write', () => {
    const plain = tags(htmlOf(sayingEverywhere('x')));
    fc.assert(
      fc.property(
        fc.string({ unit: anyCodePoint }),
        fc.constantFrom('<b>', '<img src=x onerror=y>', '"><script>', "'", '&lt;', '</td></table>', ''),
        (text, markup) => {
          const value = `a${text.replaceAll(/[\n\v\f\r\u0085\u2028\u2029]/g, ' ')}${markup}b`;
          expect(tags(htmlOf(sayingEverywhere(value)))).toEqual(plain);
        },
      ),
    );
  });
});
