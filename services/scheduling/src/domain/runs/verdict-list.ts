import type { DecisionVerdict } from '@tocsin/contracts';
import { bytesOf } from '@tocsin/rules';

/** So many bytes the verdicts of one settlement take as JSON: a record of Kafka has room for 1 MB. */
const MOST_BYTES = 500_000;

/** Who is paged, and what ends a flow, an explanation needs most: there is room for these where others are left out. */
const MOST_BYTES_OF: Readonly<Record<string, number>> = { paged: 750_000, ended: 800_000 };

/** The verdicts of one settlement, as many as one decision has room for. */
export class VerdictList {
  readonly #kept: DecisionVerdict[] = [];
  #bytes = 0;
  #leftOut = 0;

  /** True where there was room for `verdict`. */
  add(verdict: DecisionVerdict): boolean {
    const room = (MOST_BYTES_OF[verdict.outcome] ?? MOST_BYTES) - this.#bytes;
    // A text takes a byte for each of its characters at least, so what is far too long is not written out to be measured.
    const bytes = verdict.text.length > room ? Infinity : bytesOf(verdict);
    if (bytes > room) {
      this.#leftOut += 1;
      return false;
    }
    this.#bytes += bytes;
    this.#kept.push(verdict);
    return true;
  }

  /** How many bytes those have that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** In their order. The last one says how many were left out, where some were. */
  get all(): readonly DecisionVerdict[] {
    if (this.#leftOut === 0) return this.#kept;
    const text = `${this.#leftOut} more verdicts are left out: one decision has no room for them.`;
    return [...this.#kept, { subject: 'decision', outcome: 'left-out', text, facts: { leftOut: this.#leftOut } }];
  }
}
