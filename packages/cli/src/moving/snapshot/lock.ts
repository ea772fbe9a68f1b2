import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import { CliError, EXIT } from '../../cli-error.ts';
import { isJson } from '../json.ts';

/**
 * Takes a lock file for this process, also one whose process has ended.
 *
 * @returns what gives it back.
 * @throws CliError (cannot say) while another process has it.
 */
export function lock(file: string): () => void {
  const mine = JSON.stringify({ pid: process.pid, host: os.hostname(), token: randomUUID() });
  for (let tries = 1; ; tries += 1) {
    try {
      fs.writeFileSync(file, mine, { mode: 0o600, flag: 'wx' });
      return () => {
        if (contentOf(file) === mine) fs.rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const theirs = contentOf(file);
    if (tries > 3 || isHeld(theirs) || (theirs === '' && isFresh(file))) throw isInUse(file, theirs);
    removeStale(file, theirs);
  }
}

/** Whether a process has the lock file now. */
export const isLocked = (file: string): boolean => isHeld(contentOf(file));

const contentOf = (file: string): string => {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Another process may have taken the lock meanwhile: then it gets its file back. */
function removeStale(file: string, stale: string): void {
  const aside = `${file}-${randomUUID()}.tmp`;
  try {
    fs.renameSync(file, aside);
    if (contentOf(aside) !== stale) fs.linkSync(aside, file);
  } catch {
    // It is gone, or a third process has it.
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

/** How long a process takes at most to write its name into the file that it made. */
const NAMING_MS = 10_000;

/** A file without a name is that of a process that writes it just now, or that died before it wrote it. */
function isFresh(file: string): boolean {
  const { mtimeMs = 0 } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs < NAMING_MS;
}

/** Whether a process of another machine lives is not known. */
function isHeld(content: string): boolean {
  const holder = holderOf(content);
  if (holder === undefined) return false;
  if (holder.host !== os.hostname()) return true;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function holderOf(content: string): { readonly pid: number; readonly host: string } | undefined {
  try {
    const parsed: unknown = JSON.parse(content);
    if (!isJson(parsed) || typeof parsed['pid'] !== 'number' || typeof parsed['host'] !== 'string') return undefined;
    return { pid: parsed['pid'], host: parsed['host'] };
  } catch {
    return undefined;
  }
}

function isInUse(file: string, content: string): CliError {
  const holder = holderOf(content);
  const who = holder === undefined ? 'Another process' : `Process ${holder.pid} on ${holder.host}`;
  return new CliError(EXIT.cannotSay, `${who} writes this folder now.`, [
    `Wait until it ends. If no such process runs, delete ${file}.`,
  ]);
}
