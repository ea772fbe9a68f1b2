import { mongo } from 'mongoose';
import { z } from 'zod';

/** A moment of the replica set: the seconds since 1970 by its primary, and the number of the write in that second. */
export const ClusterTime = z.object({ t: z.number().int().positive(), i: z.number().int().nonnegative() });
export type ClusterTime = z.output<typeof ClusterTime>;

export const clusterTimeOf = ({ t, i }: mongo.Timestamp): ClusterTime => ({ t, i });

export const timestampOf = ({ t, i }: ClusterTime): mongo.Timestamp => new mongo.Timestamp({ t, i });

/** The first whole second that is later than everything that was committed up to this moment. */
export const instantOf = ({ t }: ClusterTime): Date => new Date((t + 1) * 1_000);

/** Like `Date.toISOString`, without milliseconds. */
export const isoOf = (instant: Date): string => instant.toISOString().replace('.000Z', 'Z');

/** The moment of the last operation of the primary. What is read after it, or at it, has everything that was acknowledged before the call. */
export async function latestMoment(client: mongo.MongoClient): Promise<mongo.Timestamp> {
  const answer = await client.db('admin').command({ ping: 1 }, { readPreference: 'primary' });
  const { operationTime } = answer as { readonly operationTime?: mongo.Timestamp };
  if (operationTime === undefined) throw new TypeError('This MongoDB is not a replica set, so it has no moments.');
  return operationTime;
}

const TOKEN = /^82([0-9A-F]{16})/;

/**
 * The moment up to which a change stream with this resume token has read. A token is a sortable key whose first field is the cluster
 * time: the byte 0x82 for its type, then its eight bytes in the order of numbers.
 *
 * @throws TypeError when the token is of another kind.
 */
export function momentOfToken(token: unknown): mongo.Timestamp {
  const { _data: data } = (token ?? {}) as { readonly _data?: unknown };
  const [, bytes] = TOKEN.exec(typeof data === 'string' ? data.toUpperCase() : '') ?? [];
  if (bytes === undefined) throw new TypeError('This MongoDB has resume tokens of an unknown kind.');
  return new mongo.Timestamp(BigInt(`0x${bytes}`));
}
