import type { DecisionFinding } from '@tocsin/events';
import { bytesOf } from '@tocsin/rules';

/** So many bytes the findings of one transition take as JSON: a record of Kafka has room for 1 MB. */
const MAX_BYTES = 500_000;

/** An explanation needs the pages and what ends a flow most: they have a higher limit than others. */
const MAX_BYTES_OF: Readonly<Record<string, number>> = { paged: 750_000, ended: 800_000 };

/** The findings of one transition, as many as one decision may have. */
export class FindingList {
  readonly #kept: DecisionFinding[] = [];
  #bytes = 0;
  #leftOut = 0;

  /** True where `finding` is within the limit. */
  add(finding: DecisionFinding): boolean {
    const room = (MAX_BYTES_OF[finding.outcome] ?? MAX_BYTES) - this.#bytes;
    // A text takes a byte for each of its characters at least, so what is far too long is not written out to be measured.
    const bytes = finding.text.length > room ? Infinity : bytesOf(finding);
    if (bytes > room) {
      this.#leftOut += 1;
      return false;
    }
    this.#bytes += bytes;
    this.#kept.push(finding);
    return true;
  }

  /** How many bytes those have that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** In their order. The last one says how many were left out, where some were. */
  get all(): readonly DecisionFinding[] {
    if (this.#leftOut === 0) return this.#kept;
    const text = `${this.#leftOut} more findings are left out: a decision has no space for them.`;
    return [...this.#kept, { subject: 'decision', outcome: 'left-out', text, facts: { leftOut: this.#leftOut } }];
  }
}
