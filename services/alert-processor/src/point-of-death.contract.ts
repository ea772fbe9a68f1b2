import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connectMongo, type Connection } from '@tocsin/persistence';

/** A command to MongoDB, at which the process dies: before it is sent, or after it was answered. */
export interface PointOfDeath {
  readonly when: 'before' | 'after';
  readonly command: 'find' | 'findAndModify' | 'insert' | 'update' | 'delete' | 'commitTransaction';
  /** Any where it is absent. */
  readonly collection?: string;
}

interface CommandStarted {
  readonly requestId: number;
  readonly commandName: string;
  readonly command: Readonly<Record<string, unknown>> & {
    readonly startTransaction?: boolean;
    readonly lsid: { readonly id: Buffer };
  };
}

/** A connection at which this process kills itself. It prints the session of each transaction that it begins. */
export async function connectUntilDeath(
  { mongoUri, database }: { readonly mongoUri: string; readonly database: string },
  point: PointOfDeath | undefined,
): Promise<Connection> {
  const uri = new URL(mongoUri);
  uri.searchParams.set('monitorCommands', 'true');
  const connection = await connectMongo({ uri: uri.toString(), database });
  if (point !== undefined) dieAt(connection, point);
  return connection;
}

function dieAt(connection: Connection, { when, command, collection }: PointOfDeath): void {
  const client = connection.getClient();
  const meant = new Set<number>();
  client.on('commandStarted', ({ requestId, commandName, command: sent }: CommandStarted) => {
    // Before the death: nothing that waits in a stream would come out.
    if (sent.startTransaction === true) writeSync(1, `${sent.lsid.id.toString('hex')}\n`);
    if (commandName !== command || (collection !== undefined && sent[command] !== collection)) return;
    if (when === 'before') process.kill(process.pid, 'SIGKILL');
    meant.add(requestId);
  });
  client.on('commandSucceeded', ({ requestId }: { readonly requestId: number }) => {
    if (meant.has(requestId)) process.kill(process.pid, 'SIGKILL');
  });
}

/**
 * Waits for the death of `child`, whose output is a pipe, and answers the signal. Ends the transactions that it left open, which
 * MongoDB would do by itself after some seconds.
 */
export async function deathOf(child: ChildProcess, connection: Connection): Promise<NodeJS.Signals | null> {
  const [sessions] = await Promise.all([text(child.stdout ?? Readable.from([])), once(child, 'exit')]);
  const { UUID } = connection.base.mongo;
  const killSessions = [...new Set(sessions.split('\n').filter(Boolean))].map((id) => ({ id: new UUID(id) }));
  if (killSessions.length > 0) await connection.db?.admin().command({ killSessions });
  return child.signalCode;
}
