import { describe, expect, it } from '@jest/globals';
import { requireReplicaSet, type Connection } from './index.ts';

/** A connection to a server that answers `hello` so. */
const answering = (answer: object): Connection =>
  ({ db: { command: () => Promise.resolve(answer) } }) as unknown as Connection;

describe('requireReplicaSet', () => {
  it('takes a member of a replica set', async () => {
    await expect(requireReplicaSet(answering({ setName: 'rs0' }))).resolves.toBeUndefined();
  });

  it('refuses the router of a sharded cluster, which cannot order messages', async () => {
    await expect(requireReplicaSet(answering({ msg: 'isdbgrid' }))).rejects.toThrow('a sharded cluster (mongos)');
  });

  it('refuses a standalone, which has no transactions', async () => {
    await expect(requireReplicaSet(answering({}))).rejects.toThrow('not a replica set');
  });
});
