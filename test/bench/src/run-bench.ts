import { table } from './ingest-figures.ts';

/** The result of a bench: the table to print, and whether the promises of the product were kept. */
export interface BenchResult {
  readonly table: string;
  readonly kept: boolean;
}

/** Prints on the terminal how far the bench is. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Measures on `stage`, which is stopped however that ends, also by a signal; prints the table, and lets the process
 * exit with 1 where a promise was not kept.
 */
export async function runBench<Stage extends { stop(): Promise<void> }>(
  stage: Stage,
  measure: (stage: Stage) => Promise<BenchResult>,
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stage.stop().finally(() => process.exit(1)));
  try {
    const { table, kept } = await measure(stage);
    say(`\n${table}`);
    process.exitCode = kept ? 0 : 1;
  } finally {
    await stage.stop();
  }
}

/** The rows under each other, and whether the limits in them were kept. */
export function benchResult(rows: readonly (readonly string[])[], kept: boolean): BenchResult {
  return { table: `${table(rows)}\n  ${kept ? 'within the limits' : 'OVER the limits'}`, kept };
}
