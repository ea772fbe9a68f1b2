import fc from 'fast-check';

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;
const LAST = 0x10ffff;

/**
 * Any code point but surrogates, each with the same probability, as a `unit` of `fc.string`. The unit `binary` of fast-check gives the
 * same, but has a table of a million entries, which takes a second in every test file.
 */
export const anyCodePoint: fc.Arbitrary<string> = fc
  .nat(LAST - SURROGATES)
  .map(characterAt, (character) => indexOf(character as string));

function characterAt(index: number): string {
  return String.fromCodePoint(index < SURROGATES_FROM ? index : index + SURROGATES);
}

/** @throws Error for other values, as `map` requires. */
function indexOf(character: string): number {
  const codePoint = character.codePointAt(0) ?? -1;
  const index = codePoint < SURROGATES_FROM ? codePoint : codePoint - SURROGATES;
  if (characterAt(index) !== character) throw new RangeError(`${character} is no code point`);
  return index;
}
