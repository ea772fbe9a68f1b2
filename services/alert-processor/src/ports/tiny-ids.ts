export interface TinyIds {
  /** Reserves `count` (1 or more) consecutive numbers that nobody got before. Returns the first. */
  reserve(count: number): Promise<number>;
}
