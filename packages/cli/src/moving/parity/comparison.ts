import { type Layer, type Period, type Span, spanOf } from '../../timeline.ts';

/** A span in which the two sides do not have the same recipients on call. */
export interface Difference extends Span {
  /** The recipients of Opsgenie that Tocsin lacks, and the reverse; one that is on call twice on a side counts twice. */
  readonly onlyOpsgenie: readonly string[];
  readonly onlyTocsin: readonly string[];
  /** All recipients on call then. */
  readonly opsgenie: readonly string[];
  readonly tocsin: readonly string[];
}

/** The recipients on call from an instant on, until the next change. */
interface State {
  readonly from: number;
  /** Sorted; one that is on call twice stands twice. */
  readonly recipients: readonly string[];
}

/**
 * Where two layers differ within `range`, in order. At each instant the recipients on call are compared, however many rotations they come from,
 * in whatever order, and however a shift is cut into periods.
 */
export function differencesOf(opsgenie: Layer, tocsin: Layer, range: Span): readonly Difference[] {
  const [ofOpsgenie, ofTocsin] = [statesOf(opsgenie, range), statesOf(tocsin, range)];
  const bounds = [...new Set([...ofOpsgenie, ...ofTocsin].map(({ from }) => from))].toSorted((a, b) => a - b);
  const [readOpsgenie, readTocsin] = [cursor(ofOpsgenie), cursor(ofTocsin)];
  const differences: Difference[] = [];
  for (const [at, from] of bounds.entries()) {
    const until = bounds[at + 1] ?? range.until;
    const difference = differenceBetween({ from, until }, readOpsgenie(from), readTocsin(from));
    const last = differences.at(-1);
    if (difference === undefined) continue;
    if (last?.until === from && isAlike(last, difference)) differences[differences.length - 1] = { ...last, until };
    else differences.push(difference);
  }
  return differences;
}

/** How long a list of spans is, in milliseconds. */
export const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { from, until }) => sum + until - from, 0);

/** The instants at which the recipients on call change, without the start of the range. */
export const changesOf = (layer: Layer, range: Span): readonly number[] =>
  statesOf(layer, range)
    .map(({ from }) => from)
    .filter((from) => from > range.from);

/** The recipient of a period: a user by name in lower case, another with its type. Without a name, such as of a deleted user, by its id. */
function recipientOf({ recipient: { id, name, type } }: Pick<Period, 'recipient'>): string {
  const named = name ?? id ?? '';
  return type === 'user' ? named.toLowerCase() : `${type} ${named}`;
}

/** The recipients in `these` beyond those in `others`; each counts as often as it is there. */
function beyond(these: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return these.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The first state begins with the range; no two neighbours are alike. */
function statesOf({ rotations }: Layer, range: Span): readonly State[] {
  const periods = rotations
    .flatMap((rotation) => rotation.periods)
    .filter(({ recipient }) => recipient.type !== 'none')
    .map((period) => ({ span: spanOf(period), recipient: recipientOf(period) }))
    .filter(({ span }) => span.from < range.until && span.until > range.from && span.from < span.until);
  const edges = periods
    .flatMap(({ recipient, span }) => [
      { at: Math.max(span.from, range.from), recipient, joins: true },
      { at: span.until, recipient, joins: false },
    ])
    .filter(({ at }) => at < range.until)
    .toSorted((a, b) => a.at - b.at);
  const states: State[] = [{ from: range.from, recipients: [] }];
  let present: readonly string[] = [];
  for (const { at, joins, recipient } of edges) {
    present = joins ? [...present, recipient].toSorted() : beyond(present, [recipient]);
    if (states.at(-1)?.from === at) states.pop();
    states.push({ from: at, recipients: present });
  }
  return states.filter(({ recipients }, at) => at === 0 || !isSame(recipients, states[at - 1]?.recipients ?? []));
}

/** Reads the recipients at instants that only go forward. */
function cursor(states: readonly State[]): (at: number) => readonly string[] {
  let next = 0;
  return (at) => {
    while ((states[next + 1]?.from ?? Infinity) <= at) next += 1;
    return states[next]?.recipients ?? [];
  };
}

function differenceBetween(span: Span, opsgenie: readonly string[], tocsin: readonly string[]): Difference | undefined {
  if (isSame(opsgenie, tocsin)) return undefined;
  return { ...span, onlyOpsgenie: beyond(opsgenie, tocsin), onlyTocsin: beyond(tocsin, opsgenie), opsgenie, tocsin };
}

const isAlike = (a: Difference, b: Difference): boolean => isSame(a.opsgenie, b.opsgenie) && isSame(a.tocsin, b.tocsin);

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);
