import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eventually } from './eventually.ts';

/** The command to MongoDB at which the process dies: before it is sent, or after its answer. */
export interface PointOfDeath {
  readonly when: 'before' | 'after';
  readonly command: 'find' | 'findAndModify' | 'insert' | 'update' | 'delete' | 'commitTransaction';
  /** Any collection where it is absent. */
  readonly collection?: string;
}

/** The part of a driver's client that reports its commands and their answers. */
interface CommandSource {
  on(event: 'commandStarted', listener: (sent: CommandStarted) => void): unknown;
  on(event: 'commandSucceeded', listener: (answered: { readonly requestId: number }) => void): unknown;
}

interface CommandStarted {
  readonly requestId: number;
  readonly commandName: string;
  readonly command: Readonly<Record<string, unknown>> & {
    readonly startTransaction?: boolean;
    readonly lsid?: { readonly id: { toString(encoding: 'hex'): string } };
  };
}

/** The part of a connection that ends sessions of others. */
interface SessionEnder {
  readonly db?: { admin(): { command(command: object): Promise<unknown> } } | undefined;
  readonly base: { readonly mongo: { readonly UUID: new (hex: string) => unknown } };
}

const SESSION = 'session ';

/**
 * Lets this process kill itself (SIGKILL), or freeze (SIGSTOP), at the first command of a client of `monitoredUri` that is `point`. It
 * prints the session of each transaction that it begins, for {@link deathOf}, and writes to its error output before it freezes.
 */
export function dieAt(
  client: CommandSource,
  { when, command, collection }: PointOfDeath,
  signal: 'SIGKILL' | 'SIGSTOP' = 'SIGKILL',
): void {
  let isDone = false;
  const die = (): void => {
    if (isDone) return;
    isDone = true;
    if (signal === 'SIGSTOP') writeSync(2, 'frozen\n');
    process.kill(process.pid, signal);
  };
  // A killed process does not store compiled code for the next one.
  flushCompileCache();
  const meant = new Set<number>();
  client.on('commandStarted', ({ requestId, commandName, command: sent }) => {
    if (sent.startTransaction === true) tellParent(`${SESSION}${sent.lsid?.id.toString('hex') ?? ''}`);
    if (commandName !== command || (collection !== undefined && sent[command] !== collection)) return;
    if (when === 'before') die();
    else meant.add(requestId);
  });
  client.on('commandSucceeded', ({ requestId }) => {
    if (meant.has(requestId)) die();
  });
}

/** Prints a line without a stream: a stream would lose it if the process dies at once. */
export function tellParent(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Publishes every row of a started outbox, also where a killed process still has the lease, and stops the outbox. */
export async function publishAll(outbox: { pending(): Promise<number>; stop(): Promise<void> }): Promise<void> {
  await eventually(async () => {
    const rows = await outbox.pending();
    if (rows > 0) throw new Error(`The outbox has ${rows} unpublished rows.`);
  });
  await outbox.stop();
}

/**
 * Waits for the end of `child`, whose output is a pipe. Resolves with the signal that killed it, if any, and the lines that it printed.
 * Aborts its open transactions, which MongoDB would do by itself after some seconds.
 */
export async function deathOf(
  child: ChildProcess,
  connection: SessionEnder,
): Promise<{ readonly signal: NodeJS.Signals | null; readonly lines: readonly string[] }> {
  const isOver = child.exitCode !== null || child.signalCode !== null;
  const [output] = await Promise.all([text(child.stdout ?? Readable.from([])), isOver || once(child, 'exit')]);
  const lines = output.split('\n').filter(Boolean);
  const [sessions, printed] = [true, false].map((is) => lines.filter((line) => line.startsWith(SESSION) === is));
  const { UUID } = connection.base.mongo;
  const killSessions = [...new Set(sessions)].map((line) => ({ id: new UUID(line.slice(SESSION.length)) }));
  if (killSessions.length > 0) await connection.db?.admin().command({ killSessions });
  return { signal: child.signalCode, lines: printed ?? [] };
}
