import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MailBytes } from './mail-bytes.ts';

describe('the bytes of a mail', () => {
  it('are all there in their order, however they came', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200_000, size: 'max' }), { maxLength: 5 }), (pieces) => {
        const bytes = new MailBytes();
        for (const piece of pieces) bytes.add(piece);
        expect(bytes.whole().equals(Buffer.concat(pieces))).toBe(true);
        expect(bytes.size).toBe(bytes.whole().byteLength);
      }),
      { numRuns: 20 },
    );
  });

  it('are not the pieces in which they came, each of which takes memory of its own', () => {
    const bytes = new MailBytes();
    const piece = Buffer.from('.');
    for (let count = 0; count < 100_000; count += 1) bytes.add(piece);
    piece.fill('!');
    expect(bytes.whole().equals(Buffer.alloc(100_000, '.'))).toBe(true);
  });
});
