/** One answer of the randomness: which of `count` possibilities. */
export interface Choice {
  /** What was chosen, such as `next operation`. */
  readonly name: string;
  readonly count: number;
  /** From 0 to `count - 1`; `count` for a fault that was left out. */
  readonly value: number;
}

/** A run differs from the run that was recorded, so something besides the choices decides what it does. */
export class DivergenceError extends Error {
  override readonly name = 'DivergenceError';
}

function otherChoice(index: number, asked: Omit<Choice, 'value'>, recorded: Choice | undefined): DivergenceError {
  const before = recorded === undefined ? 'nothing more' : `"${recorded.name}" of ${recorded.count}`;
  return new DivergenceError(
    `Choice ${index} is "${asked.name}" of ${asked.count}. The recorded run asked for ${before} there.`,
  );
}

/** Where choices come from. */
export interface ChoiceSource {
  /** A whole number from 0 to `count - 1`; for a choice of a fault also `count`, which is none. */
  choose(name: string, count: number): number;
}

/**
 * Choices that follow from a seed alone, and their record. So a run in which nothing else is random can be repeated: by the seed, or by
 * {@link ReplayedChoices}, which also finds out where something else was random.
 */
export class SeededChoices implements ChoiceSource {
  readonly record: Choice[] = [];
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  choose(name: string, count: number): number {
    const value = Math.floor((this.#next() / 2 ** 32) * count);
    this.record.push({ name, count, value });
    return value;
  }

  /** Mulberry32: the next whole number below 2^32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}

/** The choices of a record, in their order. */
export class ReplayedChoices implements ChoiceSource {
  readonly #record: readonly Choice[];
  #asked = 0;

  constructor(record: readonly Choice[]) {
    this.#record = record;
  }

  /** Whether all choices of the record were asked for. */
  get isFinished(): boolean {
    return this.#asked === this.#record.length;
  }

  /** @throws DivergenceError where the record has another choice here. */
  choose(name: string, count: number): number {
    const recorded = this.#record[this.#asked];
    if (recorded?.name !== name || recorded.count !== count) throw otherChoice(this.#asked, { name, count }, recorded);
    this.#asked += 1;
    return recorded.value;
  }
}

/** The choices that decide about a fault, and how many of their first values stand for one. */
const FAULTS: Readonly<Record<string, number>> = {
  slow: 1,
  fault: 2,
  'fault of the broker': 2,
  'fault of a server': 1,
  'kill or freeze': 2,
  rebalance: 1,
  'gives up': 1,
  'consumer restarts': 1,
};

/**
 * The choices of a seed with some of its faults only. A run numbers its faults from 0, in their order. In place of one that is left out,
 * the choice is `count`, which stands for no fault.
 */
export class LimitedFaults implements ChoiceSource {
  readonly record: Choice[] = [];
  /** The numbers of the faults that happened. */
  readonly happened: number[] = [];
  readonly #choices: ChoiceSource;
  readonly #kept: ReadonlySet<number> | undefined;
  #faults = 0;

  /** `kept`: the numbers of the faults that happen; undefined: all. */
  constructor(choices: ChoiceSource, kept: ReadonlySet<number> | undefined) {
    this.#choices = choices;
    this.#kept = kept;
  }

  choose(name: string, count: number): number {
    const chosen = this.#choices.choose(name, count);
    const isFault = chosen < (FAULTS[name] ?? 0);
    const value = isFault && !this.#happens() ? count : chosen;
    this.record.push({ name, count, value });
    return value;
  }

  #happens(): boolean {
    const number = this.#faults;
    this.#faults += 1;
    if (this.#kept?.has(number) === false) return false;
    this.happened.push(number);
    return true;
  }
}
