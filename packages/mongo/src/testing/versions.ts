import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '@tocsin/core';
import { collectionOf, inTransaction, type Connection, type Session } from '../index.ts';

const THINGS = 5;
const COLLECTION = 'things';

/** The collection that {@link writeVersions} writes. */
export const THINGS_INDEX = { collection: COLLECTION, keys: { _id: 1 }, serves: 'tests of order' } as const;

/** An entity that transactions change. */
interface Thing {
  readonly _id: number;
  readonly version: number;
}

/** The message that a transaction adds for one version of a thing. */
export interface Change {
  readonly thing: number;
  readonly version: number;
}

/** A writer of versions. */
export interface VersionWriter {
  readonly connection: Connection;
  /** Adds the row of a change to its transaction. */
  readonly add: (session: Session, change: Change) => Promise<unknown>;
  /** Whether the row is added before the thing is written, or after. */
  readonly isRowFirst: boolean;
  readonly isOver: () => boolean;
  readonly onCommit?: () => void;
}

/** Writes versions of things, each in a transaction of its own, until `isOver`. Goes on after outages. @throws what `add` throws. */
export async function writeVersions(writer: VersionWriter): Promise<void> {
  while (!writer.isOver()) {
    try {
      await writeNext(writer, Math.floor(Math.random() * THINGS));
      writer.onCommit?.();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }
}

async function writeNext({ add, connection, isRowFirst }: VersionWriter, thing: number): Promise<void> {
  const things = collectionOf<Thing>(connection, COLLECTION);
  await inTransaction(connection, async (session) => {
    const version = ((await things.findOne({ _id: thing }, { session }))?.version ?? 0) + 1;
    const steps = [
      () => add(session, { thing, version }),
      () => things.updateOne({ _id: thing }, { $set: { version } }, { session, upsert: true }),
    ];
    const [begin, end] = isRowFirst ? steps : steps.toReversed();
    await begin?.();
    if (Math.random() < 0.3) await pause(Math.random() * 20);
    await end?.();
  });
}

/** The versions of each thing, in the order of `changes`. */
export function versionsOf(changes: readonly Change[]): ReadonlyMap<number, readonly number[]> {
  const byThing = Map.groupBy(changes, ({ thing }) => thing);
  return new Map([...byThing].map(([thing, own]) => [thing, own.map(({ version }) => version)]));
}

/** The versions of each thing that were committed, in their order. */
export async function committedVersions(connection: Connection): Promise<ReadonlyMap<number, readonly number[]>> {
  const things = await collectionOf<Thing>(connection, COLLECTION).find().toArray();
  return new Map(things.map(({ _id, version }) => [_id, Array.from({ length: version }, (_, index) => index + 1)]));
}
