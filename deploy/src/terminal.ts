import fs from 'node:fs';
import { isFullDisk } from './trouble.ts';

for (const output of [process.stdout, process.stderr])
  output.on('error', (error) => {
    if (!isFullDisk(error)) throw error;
  });

/** Everything that the commands of this folder say goes through here. What a full disk does not take is lost, and what follows. */
export const terminal = {
  /** A line of progress or a result. */
  say(line = ''): void {
    process.stdout.write(`${line}\n`);
  },
  /** A line that asks for attention. */
  complain(line: string): void {
    process.stderr.write(`${line}\n`);
  },
};

/**
 * Whether what is written to `fd` is kept: a file, or the journal of systemd. A secret does not belong there. What reads the
 * other end of a pipe is the caller's own program.
 */
export function isKept(fd: number, journal = process.env['JOURNAL_STREAM']): boolean {
  const output = fs.fstatSync(fd);
  return output.isFile() || journal === `${output.dev}:${output.ino}`;
}
