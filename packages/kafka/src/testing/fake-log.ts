import type { FetchedRecord } from '../fetched-record.ts';
import type { FetchedBatch } from '../partition-reader.ts';

/** A partition and a client that fetches from it as kafkajs does. */
export class FakeLog {
  records: FetchedRecord[] = [];
  start = 0;
  /** Where the next fetch begins. */
  next = 0;
  paused = false;
  readonly control = {
    seek: (offset: number): void => {
      this.next = offset;
    },
    pause: (): void => {
      this.paused = true;
    },
    resume: (): void => {
      this.paused = false;
    },
    logStart: (): Promise<number> => Promise.resolve(this.start),
    firstSince: (timestampMs: number): Promise<number> =>
      Promise.resolve(this.records.find((record) => record.timestampMs >= timestampMs)?.offset ?? this.end),
    processed: (): void => undefined,
  };

  append(count: number, firstTimestampMs = 0): void {
    for (let left = count; left > 0; left -= 1) {
      const offset = this.start + this.records.length;
      this.records.push({
        offset,
        key: 'k',
        timestampMs: firstTimestampMs + offset,
        bytes: { key: null, value: null },
      });
    }
  }

  /** Retention removes everything below `offset`. */
  removeBelow(offset: number): void {
    this.records = this.records.filter((record) => record.offset >= offset);
    this.start = offset;
  }

  /** Another replica leads, or a backup was restored: everything from `offset` on is gone. */
  truncate(offset: number): void {
    this.records = this.records.filter((record) => record.offset < offset);
  }

  get end(): number {
    return this.start + this.records.length;
  }

  fetch(): FetchedBatch | undefined {
    // Out of range, the client begins again at the beginning.
    if (this.next > this.end || this.next < this.start) this.next = this.start;
    const records = this.records.filter(({ offset }) => offset >= this.next).slice(0, 7);
    if (this.paused || records.length === 0) return undefined;
    return {
      records,
      end: this.end,
      resolve: (offset) => {
        this.next = offset + 1;
      },
      isRunning: () => true,
    };
  }
}
