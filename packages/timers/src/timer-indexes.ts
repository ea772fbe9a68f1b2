/** An index in the form that `migrate` of `@tocsin/persistence` takes. */
export interface TimerIndex {
  readonly collection: string;
  readonly keys: Readonly<Record<string, 1 | -1>>;
  readonly serves: string;
}

/** The one index that a collection of timers needs: free rows by due instant, held rows by the end of their lease. */
export function timerIndexes(collection: string): readonly TimerIndex[] {
  return [
    {
      collection,
      keys: { leaseUntil: 1, nextAt: 1 },
      serves: 'claims (free rows that are due, the oldest first) and the release of leases that passed',
    },
  ];
}
