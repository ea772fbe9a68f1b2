/** Things to go before the time that is left is guessed. */
const ENOUGH_TO_GUESS = 20;

/** Shows how far a command is, with the time that the present kind still takes at its speed so far. */
export class Progress {
  readonly #show: (text: string) => void;
  readonly #nowMs: () => number;
  readonly #verb: string;
  #kind = '';
  #total = 0;
  #kept = 0;
  #done = 0;
  #missing = 0;
  #since = 0;

  constructor(show: (text: string) => void, nowMs: () => number, verb = 'Reading') {
    this.#verb = verb;
    this.#show = show;
    this.#nowMs = nowMs;
  }

  begin(kind: string): void {
    this.#kind = kind;
    if (this.#verb === 'Reading') this.#show(`Reading the list of ${kind}`);
  }

  /** `missing` of `total` things are to be read. */
  expect(total: number, missing: number): void {
    [this.#total, this.#missing, this.#kept, this.#done, this.#since] = [
      total,
      missing,
      total - missing,
      0,
      this.#nowMs(),
    ];
  }

  /** One more was read. */
  done(): void {
    this.#done += 1;
    this.#show(`${this.#verb} ${this.#kind}: ${this.#kept + this.#done} of ${this.#total}${this.#timeLeft()}`);
  }

  #timeLeft(): string {
    const left = this.#missing - this.#done;
    if (this.#done < ENOUGH_TO_GUESS || left === 0) return '';
    const seconds = ((this.#nowMs() - this.#since) / 1_000 / this.#done) * left;
    return seconds < 90 ? `, about ${Math.ceil(seconds)} s left` : `, about ${Math.ceil(seconds / 60)} min left`;
  }
}
