/** A name and its value, as a row of a form has them. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

export const NEW_PAIR: Pair = { name: '', value: '' };

export const pairsOf = (map: Readonly<Record<string, string>>): readonly Pair[] =>
  Object.entries(map).map(([name, value]) => ({ name, value }));

/** The map that the rows mean, without rows in which nothing is typed. Of two with the same name the last one counts. */
export const mapOfPairs = (pairs: readonly Pair[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairs.flatMap(({ name, value }) => (`${name}${value}`.trim() === '' ? [] : [[name.trim(), value]])),
  );
