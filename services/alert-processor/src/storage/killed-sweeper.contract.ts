/**
 * A process of its own that removes what was kept for long enough, and kills itself at one command to MongoDB. Its one
 * argument is a {@link KilledSweeper} in JSON.
 */
import { connectMongo, type Connection } from '@tocsin/persistence';
import { KEPT } from '../domain/retention.ts';
import { MongoRetainedRows } from './mongo-retained-rows.ts';

/** A command to MongoDB, after whose answer the process dies. */
export interface LastCommand {
  readonly command: 'find' | 'delete' | 'update' | 'commitTransaction';
  readonly collection?: string;
}

export interface KilledSweeper {
  readonly uri: string;
  readonly database: string;
  /** Everything of this instant or earlier goes. */
  readonly until: string;
  readonly dieAfter: LastCommand;
}

interface CommandStarted {
  readonly requestId: number;
  readonly commandName: string;
  readonly command: Readonly<Record<string, unknown>>;
}

function die(connection: Connection, { command, collection }: LastCommand): void {
  const client = connection.getClient();
  const meant = new Set<number>();
  client.on('commandStarted', ({ requestId, commandName, command: sent }: CommandStarted) => {
    if (commandName === command && (collection === undefined || sent[command] === collection)) meant.add(requestId);
  });
  client.on('commandSucceeded', ({ requestId }: { readonly requestId: number }) => {
    if (meant.has(requestId)) process.kill(process.pid, 'SIGKILL');
  });
}

async function sweepUntilDeath({ database, dieAfter, until, ...told }: KilledSweeper): Promise<void> {
  const uri = new URL(told.uri);
  uri.searchParams.set('monitorCommands', 'true');
  const connection = await connectMongo({ uri: uri.toString(), database });
  const rows = new MongoRetainedRows(connection);
  die(connection, dieAfter);
  const now = new Date(until);
  for (const kind of KEPT) for (let removed = 1; removed > 0;) removed = await rows.remove(kind, now, now);
  await connection.close();
}

const [, script = '', told] = process.argv;
if (script.endsWith('killed-sweeper.contract.ts') && told !== undefined)
  await sweepUntilDeath(JSON.parse(told) as KilledSweeper);
