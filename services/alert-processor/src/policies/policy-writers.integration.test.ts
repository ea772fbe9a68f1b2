import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock, NotFoundError } from '@tocsin/core';
import { connectMongo, type Connection } from '@tocsin/mongo';
import { testMongo, accountKey } from '@tocsin/testkit';
import { Policies } from './operations.ts';
import { openDatabase } from '../testing/mongo-fixture.ts';
import { notifying, policyOf } from '../testing/policy-samples.ts';
import { MongoConfigurationStore } from './store.ts';
import { EMPTY_DIRECTORY } from '../testing/directory-samples.ts';

const body = { ...policyOf('any'), effects: notifying({ suppress: true }) };
const arePeers = () => true;
const fail = (): never => {
  throw new Error('no replica');
};
const isMissing = (error: unknown) => {
  if (!(error instanceof NotFoundError)) throw error;
};

let connections: readonly Connection[];
let ids = 0;

beforeAll(async () => {
  const first = await openDatabase();
  const { uri } = await testMongo();
  connections = [first, await connectMongo({ uri, database: first.name })];
});

afterAll(async () => {
  await connections[0]?.dropDatabase();
  await Promise.all(connections.map((connection) => connection.close()));
});

const replicaOn = (connection: Connection) =>
  new Policies({
    store: new MongoConfigurationStore(connection),
    directory: EMPTY_DIRECTORY,
    clock: new ManualClock(new Date('2026-01-05T08:00:00Z')),
    newId: () => `policy-${String((ids += 1)).padStart(3, '0')}`,
  });

describe('writers of policies on two replicas at once', () => {
  it('leave an order without gaps, and no answered write is lost', async () => {
    const replicas = connections.map(replicaOn);
    const replica = (n: number) => replicas[n % 2] ?? fail();
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, n) => replica(n).create(body, undefined, accountKey)),
    );
    const policies = created.map(({ id }) => ({ id, isShown: () => true }));
    const [removed, kept] = [policies.slice(0, 10), policies.slice(10)];
    await Promise.all([
      ...removed.map((policy, n) => replica(n).remove(policy, accountKey)),
      ...removed.map((policy, n) =>
        replica(n + 1)
          .move(policy, 0, accountKey, arePeers)
          .catch(isMissing),
      ),
      ...kept.map((policy, n) => replica(n).move(policy, 3, accountKey, arePeers)),
      ...kept.map((policy, n) => replica(n + 1).disable(policy, accountKey)),
    ]);
    const [here, there] = await Promise.all(replicas.map((replica) => replica.list(undefined, accountKey)));
    expect(here).toEqual(there);
    expect(here?.map(({ order, enabled }) => ({ order, enabled }))).toEqual(
      Array.from({ length: 10 }, (_, order) => ({ order, enabled: false })),
    );
    expect(here?.map(({ id }) => id).toSorted()).toEqual(kept.map(({ id }) => id).toSorted());
  });
});
