export interface TinyIds {
  /** Takes `count` (1 or more) numbers in a row that nobody got before, and answers the first. */
  reserve(count: number): Promise<number>;
}
