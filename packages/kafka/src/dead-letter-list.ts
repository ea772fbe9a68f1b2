import { type DeadLetter, DeadLetters, type RedrivenLetter } from '@tocsin/events';

/** A dead letter without its bytes, and when it was redriven. */
export interface LetterEntry extends Omit<DeadLetter, 'key' | 'value'> {
  /** `topic/partition/offset` of the record. */
  readonly address: string;
  /** Whether the letter holds the value of the record. */
  readonly whole: boolean;
  readonly redrivenAt: string | undefined;
  /** The offset of the letter itself, on the topic of dead letters. */
  readonly stored: { readonly partition: number; readonly offset: number };
}

/**
 * Lists the dead letters of the topic: one entry for each record and each group that could not process it, however often its
 * letter was written. A letter that is written after the redrive of its record replaces the entry.
 */
export class DeadLetterList {
  readonly #byAddress = new Map<string, Map<string, LetterEntry>>();

  /** To be called in the order of each partition. */
  add(record: DeadLetter | RedrivenLetter, stored: LetterEntry['stored']): void {
    const address = DeadLetters.key(record);
    const entries = this.#byAddress.get(address) ?? new Map<string, LetterEntry>();
    this.#byAddress.set(address, entries);
    if ('redrivenAt' in record) {
      for (const [group, entry] of entries) entries.set(group, { ...entry, redrivenAt: record.redrivenAt });
      return;
    }
    const { topic, partition, offset, groupId, reason, failedAt, value } = record;
    entries.set(groupId, {
      address,
      topic,
      partition,
      offset,
      groupId,
      reason,
      failedAt,
      stored,
      whole: value !== undefined,
      redrivenAt: undefined,
    });
  }

  /** The oldest first. The order is total, so that pages of the list neither repeat nor miss an entry. */
  entries(): readonly LetterEntry[] {
    return [...this.#byAddress.values()]
      .flatMap((entries) => [...entries.values()])
      .sort(
        (a, b) =>
          Date.parse(a.failedAt) - Date.parse(b.failedAt) ||
          a.stored.partition - b.stored.partition ||
          a.stored.offset - b.stored.offset,
      );
  }
}
