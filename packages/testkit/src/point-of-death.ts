import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eventually } from './eventually.ts';

/** A command to MongoDB, at which the process dies: before it is sent, or after it was answered. */
export interface PointOfDeath {
  readonly when: 'before' | 'after';
  readonly command: 'find' | 'findAndModify' | 'insert' | 'update' | 'delete' | 'commitTransaction';
  /** Any where it is absent. */
  readonly collection?: string;
}

/** The part of a driver's client that reports what it sends, and what was answered. */
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
  // A process that is killed keeps no compiled code for the next one.
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

/** Prints a line that comes out even if the process dies at once: nothing that waits in a stream would. */
export function tellParent(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Publishes every row of a started outbox, also where a process that was killed before still has the lease. Stops it then. */
export async function publishAll(outbox: { pending(): Promise<number>; stop(): Promise<void> }): Promise<void> {
  await eventually(async () => {
    const rows = await outbox.pending();
    if (rows > 0) throw new Error(`The outbox has ${rows} unpublished rows.`);
  });
  await outbox.stop();
}

/**
 * Waits for the end of `child`, whose output is a pipe; answers the signal that killed it, if one did, and the lines that it
 * printed. Ends the transactions that it left open, which MongoDB would do by itself after some seconds.
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
