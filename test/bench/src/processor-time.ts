import type { BenchStack } from './ingest-stack.ts';

/** Seconds of processor time that each process of an installation has used so far, and the one that loads it. */
export function cpuOf(stack: BenchStack): ReadonlyMap<string, number> {
  const { user, system } = process.cpuUsage();
  return new Map([...stack.cpuSeconds(), ['load generator', (user + system) / 1_000_000]]);
}

/** How far each reading went up in between, for each of `parts`. */
export function sharesOf(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  parts: number,
): ReadonlyMap<string, number> {
  return new Map([...after].map(([name, used]) => [name, (used - (before.get(name) ?? 0)) / parts]));
}
