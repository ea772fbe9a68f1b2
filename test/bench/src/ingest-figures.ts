/** The value below which the share `q` (0 to 1) of `sorted` lies; NaN where there is none. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

/** Upper bound of a bucket (seconds, the last one infinite) -> observations at or below it. */
export type Buckets = ReadonlyMap<number, number>;

/** The buckets of one stage of `tocsin_alert_stage_seconds` in a text that Prometheus would scrape. */
export function stageBuckets(text: string, stage: string): Buckets {
  const buckets = new Map<number, number>();
  for (const line of text.split('\n')) {
    if (!line.startsWith('tocsin_alert_stage_seconds_bucket{') || !line.includes(`stage="${stage}"`)) continue;
    const le = /le="([^"]+)"/.exec(line)?.[1] ?? '';
    buckets.set(le === '+Inf' ? Infinity : Number(le), Number(line.slice(line.lastIndexOf('}') + 1)));
  }
  return buckets;
}

/** The observations between two readings. */
export function observedBetween(before: Buckets, after: Buckets): Buckets {
  return new Map([...after].map(([le, count]) => [le, count - (before.get(le) ?? 0)]));
}

/** How many observations there are. */
export const observations = (buckets: Buckets): number => buckets.get(Infinity) ?? 0;

/** The quantile in milliseconds, interpolated inside its bucket as Prometheus does; NaN where nothing was observed. */
export function bucketQuantileMs(buckets: Buckets, q: number): number {
  const wanted = q * observations(buckets);
  if (wanted === 0) return Number.NaN;
  let [lower, below] = [0, 0];
  for (const [le, count] of [...buckets].sort(([a], [b]) => a - b)) {
    if (count >= wanted) {
      if (le === Infinity) return lower * 1_000;
      return (lower + ((le - lower) * (wanted - below)) / Math.max(1, count - below)) * 1_000;
    }
    [lower, below] = [le, count];
  }
  return Number.NaN;
}

/** Seconds of processor time that `stat`, a process's line in /proc, has used; the kernel counts in hundredths. */
export function cpuSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Columns under each other, the first to the left and the others to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => `  ${row.map(cell).join('   ')}`).join('\n');
}
