import { type DeadLetter, DeadLetters, type RedrivenLetter } from '@tocsin/contracts';

/** A dead letter without its bytes, and what became of it. */
export interface LetterEntry extends Omit<DeadLetter, 'key' | 'value'> {
  /** `topic/partition/offset` of the record, which names the letter. */
  readonly address: string;
  /** Whether the value of the record is in the letter. */
  readonly whole: boolean;
  readonly redrivenAt: string | undefined;
  /** Where the letter itself stands on its topic. */
  readonly stored: { readonly partition: number; readonly offset: number };
}

/**
 * Folds what is on the topic of dead letters: one entry for each record and each group that could not settle it, however
 * often its letter was written. A letter that comes after its record was redriven is a new one.
 */
export class DeadLetterList {
  readonly #byAddress = new Map<string, Map<string, LetterEntry>>();

  /** In the order in which they stand on their partition. */
  add(record: DeadLetter | RedrivenLetter, stored: LetterEntry['stored']): void {
    const address = DeadLetters.key(record);
    const entries = this.#byAddress.get(address) ?? new Map<string, LetterEntry>();
    this.#byAddress.set(address, entries);
    if ('redrivenAt' in record) {
      for (const [group, entry] of entries) entries.set(group, { ...entry, redrivenAt: record.redrivenAt });
      return;
    }
    const { topic, partition, offset, groupId, reason, buriedAt, value } = record;
    entries.set(groupId, {
      address,
      topic,
      partition,
      offset,
      groupId,
      reason,
      buriedAt,
      stored,
      whole: value !== undefined,
      redrivenAt: undefined,
    });
  }

  /** Every entry, the oldest burial first. Entries of one instant keep their order from call to call, so that pages fit. */
  entries(): readonly LetterEntry[] {
    return [...this.#byAddress.values()]
      .flatMap((entries) => [...entries.values()])
      .sort(
        (a, b) =>
          Date.parse(a.buriedAt) - Date.parse(b.buriedAt) ||
          a.stored.partition - b.stored.partition ||
          a.stored.offset - b.stored.offset,
      );
  }
}
