import type { DecisionFinding } from '@tocsin/events';
import { bytesOf } from '@tocsin/rules';

/** How many bytes the findings of one transition may have as JSON: a record of Kafka has at most 1 MB. */
const MAX_BYTES = 500_000;

/** The findings about pages and about the end of a flow have a higher limit, because an explanation needs them most. */
const MAX_BYTES_OF: Readonly<Record<string, number>> = { paged: 750_000, ended: 800_000 };

/** The findings of one transition, as many as one decision may have. */
export class FindingList {
  readonly #kept: DecisionFinding[] = [];
  #bytes = 0;
  #leftOut = 0;

  /** True where `finding` is within the limit. */
  add(finding: DecisionFinding): boolean {
    const room = (MAX_BYTES_OF[finding.outcome] ?? MAX_BYTES) - this.#bytes;
    // A text has at least a byte for each character, so the size of a far too long finding is not computed.
    const bytes = finding.text.length > room ? Infinity : bytesOf(finding);
    if (bytes > room) {
      this.#leftOut += 1;
      return false;
    }
    this.#bytes += bytes;
    this.#kept.push(finding);
    return true;
  }

  /** The size of the kept findings in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** In their order. If findings were left out, the last one says how many. */
  get all(): readonly DecisionFinding[] {
    if (this.#leftOut === 0) return this.#kept;
    const text = `${this.#leftOut} more findings are left out: a decision has no space for them.`;
    return [...this.#kept, { subject: 'decision', outcome: 'left-out', text, facts: { leftOut: this.#leftOut } }];
  }
}
