import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Something is missing on this machine. The message says what to install or set. */
export class MissingPartError extends Error {
  override readonly name = 'MissingPartError';
}

/** Prints a line of progress. */
export type Say = (line: string) => void;

/**
 * Fills the folder `target` unless it exists. `fill` works in a temporary folder that is renamed at the end. So a killed download
 * leaves no partial folder, and concurrent ones leave one.
 */
export async function filledOnce(target: string, fill: (folder: string) => Promise<void>): Promise<string> {
  if (await exists(target)) return target;
  await fs.mkdir(path.dirname(target), { recursive: true });
  const folder = await fs.mkdtemp(`${target}.partial-`);
  try {
    await fill(folder);
    await fs.rename(folder, target).catch(async (error: unknown) => {
      if (!(await exists(target))) throw error;
    });
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
  return target;
}

/**
 * Resolves when `file` has exactly the bytes of the digest `sha256` (hex).
 *
 * @throws MissingPartError with the name of the file, for other bytes or an unknown digest.
 */
export async function requireDigest(file: string, sha256: string | undefined): Promise<void> {
  const found = createHash('sha256').update(await fs.readFile(file));
  if (found.digest('hex') === sha256) return;
  throw new MissingPartError(`${path.basename(file)} is not the file we know: not used.`);
}

/** Runs a program to its end, and returns its output. */
export async function output(command: string, args: readonly string[], cwd = process.cwd()): Promise<string> {
  const { stdout, stderr } = await run(command, [...args], { cwd, maxBuffer: 64 * 1024 * 1024 });
  return stdout + stderr;
}

/** The last line of the output of a failed program. */
export function lastLine(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return said.trim().split('\n').at(-1) ?? '';
}

/** Runs a program to see whether it exists; undefined where it does not exist or does not work. */
export async function tried(command: string, args: readonly string[]): Promise<string | undefined> {
  return output(command, args).catch(() => undefined);
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}
