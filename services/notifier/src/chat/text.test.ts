import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCodePoint } from '@tocsin/testkit';
import { type Escaping, writtenLine, writtenText } from './text.ts';

const DOUBLING: Escaping = { text: (plain) => plain.replaceAll('<', '&lt;'), link: (url) => `<${url}>` };

describe('a text of others', () => {
  it('never has more characters than fit, and no half of an escaped sign (C5)', () => {
    const text = fc
      .array(fc.oneof(anyCodePoint, fc.constantFrom('<', ' ', 'https://a.example/b', '\n')))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (given, max) => {
        for (const written of [writtenText(given, DOUBLING, max), writtenLine(given, DOUBLING, max)]) {
          expect(written.length).toBeLessThanOrEqual(max);
          expect(written.replaceAll('&lt;', '').replaceAll(/<https:[^<>]*>/g, '')).not.toContain('<');
        }
      }),
    );
  });

  it('is whole where it fits, with links to URLs of http and https', () => {
    const given = 'a<b\r\nhttps://x.example/y?z=1 javascript:alert(1)';
    expect(writtenText(given, DOUBLING, 100)).toBe('a&lt;b\n<https://x.example/y?z=1> javascript:alert(1)');
    expect(writtenText('<<<<', DOUBLING, 16)).toBe('&lt;&lt;&lt;&lt;');
    expect(writtenText('<<<<', DOUBLING, 15)).toBe('&lt;&lt;&lt;…');
    expect(writtenLine('https://x', DOUBLING, 100)).toBe('https://x');
  });
});
