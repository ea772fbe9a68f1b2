/** The part of a driver's client that reports the commands that it sends. */
interface CommandSource {
  on(event: 'commandStarted', listener: (sent: SentCommand) => void): unknown;
}

interface SentCommand {
  readonly commandName: string;
  readonly command: Readonly<Record<string, unknown>>;
}

/** `uri`, for a client that reports the commands that it sends. */
export function monitoredUri(uri: string): string {
  const monitored = new URL(uri);
  monitored.searchParams.set('monitorCommands', 'true');
  return monitored.href;
}

/**
 * The commands that a client of a {@link monitoredUri} sends from now on, in order, each as name and collection: `find alerts`, or
 * `commitTransaction`. With `withoutAborted`, the commands of an aborted transaction are removed, because a driver repeats a
 * transaction that had a conflict.
 */
export function sentCommands(client: CommandSource, { withoutAborted = false } = {}): string[] {
  const commands: string[] = [];
  const byTransaction = new Map<string, string[]>();
  client.on('commandStarted', ({ command, commandName }) => {
    const transaction = `${JSON.stringify(command['lsid'])} ${String(command['txnNumber'])}`;
    if (withoutAborted && commandName === 'abortTransaction') {
      for (const sent of byTransaction.get(transaction) ?? []) commands.splice(commands.lastIndexOf(sent), 1);
      return;
    }
    const collection = commandName === 'commitTransaction' ? '' : ` ${String(command[commandName])}`;
    commands.push(commandName + collection);
    if (command['autocommit'] === false)
      byTransaction.set(transaction, [...(byTransaction.get(transaction) ?? []), commandName + collection]);
  });
  return commands;
}

/** A `find`, as a client sends it. */
export interface SentFind {
  readonly find: string;
  readonly filter: { readonly _id?: { readonly $in?: readonly string[]; readonly $nin?: readonly string[] } };
  readonly sort?: object;
  readonly hint?: object;
  readonly limit?: number;
  readonly skip?: number;
  /** Whether it is the first command of a transaction. */
  readonly startTransaction?: boolean;
}

/** Each `find` in `collection` that a client of a {@link monitoredUri} sends from now on, in order. */
export function sentFinds(client: CommandSource, collection: string): SentFind[] {
  const finds: SentFind[] = [];
  client.on('commandStarted', ({ command }) => {
    if (command['find'] === collection) finds.push(command as unknown as SentFind);
  });
  return finds;
}

/** The part of a connection that explains commands. */
interface Explainer {
  readonly db?: { command(command: object, options: object): Promise<unknown> } | undefined;
}

/** How many documents MongoDB reads for a `find`. */
export async function docsExamined(connection: Explainer, sent: SentFind): Promise<number | undefined> {
  const { filter, find, hint, limit, skip, sort } = sent;
  const explain = { find, filter, sort, hint, limit, skip };
  const plan = await connection.db?.command({ explain, verbosity: 'executionStats' }, { ignoreUndefined: true });
  return (plan as { readonly executionStats: { readonly totalDocsExamined: number } }).executionStats.totalDocsExamined;
}
