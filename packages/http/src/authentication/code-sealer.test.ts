import { describe, expect, it } from '@jest/globals';
import { CodeSealer } from './code-sealer.ts';

const [OLD, NEW] = ['a signing key of at least thirty-two characters', 'another signing key of thirty-two characters'];
const sealer = new CodeSealer([OLD]);

describe('a sealed code', () => {
  it('is opened by who has the signing key, also while that is rotated', () => {
    const sealed = sealer.seal('n1', '27182818');
    expect(sealed).not.toContain('27182818');
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('27182818');
    expect([sealer.open('n1', sealed), new CodeSealer([NEW, OLD]).open('n1', sealed)]).toEqual([
      '27182818',
      '27182818',
    ]);
  });

  it('is another text each time', () => {
    expect(sealer.seal('n1', '27182818')).not.toBe(sealer.seal('n1', '27182818'));
  });

  it('is not opened with another key or for another notice, nor when it was changed, and never shown', () => {
    const sealed = sealer.seal('n1', '27182818');
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const open of [
      () => new CodeSealer([NEW]).open('n1', sealed),
      () => sealer.open('n2', sealed),
      () => sealer.open('n1', changed),
      () => sealer.open('n1', ''),
    ])
      expect(open).toThrow(/^The code cannot be read: the signing key/);
  });
});
