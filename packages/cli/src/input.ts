import type { Input, ProcessIo } from './process-io.ts';
import { interruption } from './cli-error.ts';

/** All that comes in on standard input. */
export async function everything({ stdin }: ProcessIo): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stdin) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

/** A secret: typed at a terminal, where it is not shown, or else the first line of standard input. */
export async function secret(io: ProcessIo, question: string): Promise<string> {
  const { stdin, stderr } = io;
  if (stdin.isTTY !== true) return (await everything(io)).split(/\r?\n/, 1)[0] ?? '';
  stderr.write(question);
  stdin.setRawMode?.(true);
  try {
    return await typed(stdin);
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause?.();
    stderr.write('\n');
  }
}

/** What a person types at a terminal after a question, up to the end of the line. */
export async function answer(io: ProcessIo, question: string): Promise<string> {
  const { stdin, stderr } = io;
  stderr.write(question);
  let text = '';
  for await (const part of stdin) {
    text += String(part);
    if (/[\r\n]/.test(text)) break;
  }
  stdin.pause?.();
  return text.trim();
}

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ERASE = new Set(['\b', '\u007f']);

async function typed(stdin: Input): Promise<string> {
  let text = '';
  for await (const part of stdin)
    for (const char of String(part)) {
      if (char === CTRL_C) throw interruption();
      if (char === '\r' || char === '\n' || char === CTRL_D) return text;
      text = ERASE.has(char) ? text.slice(0, -1) : text + char;
    }
  return text;
}
