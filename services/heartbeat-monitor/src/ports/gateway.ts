/** The way by which pings come. */
export interface Gateway {
  /** Whether it takes requests. Never rejects. */
  takesPings(): Promise<boolean>;
}
