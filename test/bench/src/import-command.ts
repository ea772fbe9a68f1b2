import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { cpuSeconds } from './ingest-figures.ts';
import { parseKilobytes } from './process-tree.ts';

const MAIN = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const SAMPLE_MS = 20;

/** A run of the command, which has ended. Memory and processor time are read from /proc: Linux only. */
export interface CommandRun {
  readonly code: number;
  readonly seconds: number;
  /** The most memory that its process had at a time. */
  readonly peakBytes: number;
  /** Processor time that it used. */
  readonly commandSeconds: number;
  /** The end of its errors. */
  readonly said: string;
}

/** Runs `tocsin` as a process of its own, from its sources. */
export async function runTocsin(args: readonly string[], env: Readonly<Record<string, string>>): Promise<CommandRun> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let used = { peakBytes: 0, commandSeconds: 0 };
  // The kernel keeps both until the end, so the last sample has them.
  const sampling = setInterval(() => {
    used = usedBy(child.pid) ?? used;
  }, SAMPLE_MS);
  const [said, [code]] = await Promise.all([
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]).finally(() => {
    clearInterval(sampling);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  return { code: code ?? -1, seconds, ...used, said: said.slice(-2_000) };
}

function usedBy(pid = 0): Pick<CommandRun, 'peakBytes' | 'commandSeconds'> | undefined {
  try {
    const read = (file: string): string => fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
    const peakBytes = parseKilobytes('VmHWM', read('status'));
    return peakBytes === 0 ? undefined : { peakBytes, commandSeconds: cpuSeconds(read('stat')) };
  } catch {
    // It has ended.
    return undefined;
  }
}
