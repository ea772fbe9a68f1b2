export const PRIORITIES = ['P1', 'P2', 'P3', 'P4', 'P5'] as const;

const SYLLABLES = [
  'ba',
  'cor',
  'dis',
  'fen',
  'gol',
  'ha',
  'jin',
  'kel',
  'lo',
  'mar',
  'net',
  'or',
  'pul',
  'ras',
  'sto',
  'tu',
  'vek',
];

/** A word of a made-up dictionary: each number has one of its own. */
export function wordAt(index: number): string {
  let word = '';
  for (let left = index + SYLLABLES.length; left > 0; left = Math.floor(left / SYLLABLES.length))
    word += SYLLABLES[left % SYLLABLES.length] ?? '';
  return word;
}
