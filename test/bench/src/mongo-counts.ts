// cspell:ignore getmore
import { createConnection, type Connection } from 'mongoose';
import { table } from './ingest-figures.ts';

/** The operations of a mongod since its start. */
export interface MongoReading {
  /** Command, or `transactions` -> how often. */
  readonly commands: ReadonlyMap<string, number>;
  /** Database and collection -> kind of operation -> how often. */
  readonly collections: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

interface ServerStatus {
  readonly transactions: { readonly totalStarted: number };
  readonly metrics: { readonly commands: Readonly<Record<string, number | { readonly total: number }>> };
}

interface Top {
  readonly totals: Readonly<Record<string, string | Readonly<Record<string, { readonly count: number }>>>>;
}

/** The kinds of `top`. Its `commands` are all others, such as `findAndModify` and `aggregate`. */
const KINDS = ['queries', 'getmore', 'insert', 'update', 'remove', 'commands'] as const;

/** Counts what a mongod does. */
export class MongoCounts {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async open(uri: string): Promise<MongoCounts> {
    return new MongoCounts(await createConnection(uri).asPromise());
  }

  async read(): Promise<MongoReading> {
    const admin = this.#connection.useDb('admin');
    const status = (await admin.db?.command({ serverStatus: 1 })) as unknown as ServerStatus;
    const { totals } = (await admin.db?.command({ top: 1 })) as unknown as Top;
    const commands = new Map([['transactions', status.transactions.totalStarted]]);
    for (const [name, count] of Object.entries(status.metrics.commands))
      if (typeof count === 'object') commands.set(name, count.total);
    const collections = new Map<string, ReadonlyMap<string, number>>();
    for (const [name, counts] of Object.entries(totals))
      if (typeof counts === 'object')
        collections.set(name, new Map(KINDS.map((kind) => [kind, counts[kind]?.count ?? 0])));
    return { commands, collections };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close();
  }
}

/** The operations between two readings, for each of `parts`. */
export function mongoShares(before: MongoReading, after: MongoReading, parts: number): MongoReading {
  const shares = (from: ReadonlyMap<string, number> | undefined, to: ReadonlyMap<string, number>) =>
    new Map([...to].map(([name, count]) => [name, (count - (from?.get(name) ?? 0)) / parts]));
  const collections = [...after.collections].map(
    ([name, counts]) => [name, shares(before.collections.get(name), counts)] as const,
  );
  return { commands: shares(before.commands, after.commands), collections: new Map(collections) };
}

/** Tables of the commands and of the operations of each database and collection, without what rounds to nothing. */
export function mongoTables({ collections, commands }: MongoReading, unit: string): string {
  const all = new Map([...commands].filter(([name]) => name !== 'transactions'));
  const rows = [...commands].filter(([, count]) => isShown(count)).sort(([, a], [, b]) => b - a);
  const sums = [...withDatabases(collections)].filter(([, counts]) => isShown(sum(counts)));
  return [
    table([
      ['MongoDB: commands', unit],
      ...rows.map(([name, count]) => [name, fixed(count)]),
      ['all commands', fixed(sum(all))],
    ]),
    table([
      [`MongoDB: operations, ${unit}`, ...KINDS, 'all'],
      ...sums
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([name, counts]) => [name, ...KINDS.map((kind) => fixed(counts.get(kind) ?? 0)), fixed(sum(counts))]),
    ]),
  ].join('\n\n');
}

/** The collections, and the sum of each database under its name. */
function withDatabases(collections: MongoReading['collections']): MongoReading['collections'] {
  const sums = new Map<string, Map<string, number>>();
  for (const [name, counts] of collections) {
    const database = name.slice(0, name.indexOf('.'));
    const of = sums.get(database) ?? new Map<string, number>();
    for (const [kind, count] of counts) of.set(kind, (of.get(kind) ?? 0) + count);
    sums.set(database, of);
  }
  return new Map([...sums, ...collections]);
}

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((all, count) => all + count, 0);
const fixed = (count: number): string => count.toFixed(2);
const isShown = (count: number): boolean => fixed(count) !== fixed(0);
