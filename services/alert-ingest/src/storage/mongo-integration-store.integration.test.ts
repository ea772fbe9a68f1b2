import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import type { Version } from '@tocsin/contracts';
import { ConflictError } from '@tocsin/errors';
import {
  collectionOf,
  connectMongo,
  migrate,
  persistenceIndexes,
  statesOf,
  type Announcements,
  type Connection,
  type Session,
} from '@tocsin/persistence';
import { testMongo } from '@tocsin/testing';
import { ensureDefaultIntegration } from '../application/first-start.ts';
import { DEFAULT_INTEGRATION } from '../domain/integration.ts';
import { INTEGRATION, integrationIndexes, INTEGRATIONS } from './integration-kind.ts';
import { describeIntegrationStore, integrationOf } from './integration-store.contract.ts';
import { MongoIntegrationStore } from './mongo-integration-store.ts';

/** Notes what is to be announced in a collection, in the transaction that it is given. */
class NotedChanges implements Announcements {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async changed(session: Session, id: string): Promise<void> {
    await this.#notes().insertOne({ integrationId: id, deleted: false }, { session });
  }

  async deleted(session: Session, id: string, version: Version): Promise<void> {
    await this.#notes().insertOne({ integrationId: id, deleted: true, version }, { session });
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  async of(id: string): Promise<readonly unknown[]> {
    return this.#notes()
      .find({ integrationId: id }, { projection: { _id: 0, integrationId: 0 } })
      .toArray();
  }

  #notes() {
    return collectionOf(this.#connection, 'notes');
  }
}

let connection: Connection;
let changes: NotedChanges;
let store: MongoIntegrationStore;

beforeAll(async () => {
  const { uri, database } = await testMongo();
  connection = await connectMongo({ uri, database });
  await migrate(connection, [
    ...persistenceIndexes,
    ...integrationIndexes,
    { collection: 'notes', keys: { integrationId: 1 }, serves: 'the notes of one integration' },
  ]);
  changes = new NotedChanges(connection);
  store = new MongoIntegrationStore(connection, changes);
});

afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

describeIntegrationStore('MongoIntegrationStore', async () => {
  await collectionOf(connection, INTEGRATIONS).deleteMany({});
  return store;
});

describe('a write of an integration', () => {
  it('notes what is to be announced, and a change that changes nothing notes nothing', async () => {
    const id = randomUUID();
    await store.insert(integrationOf(id));
    await store.update(id, (current) => current);
    await store.update(id, (current) => ({ ...current, enabled: false, version: { ...current.version, n: 2 } }));
    await store.remove(id);
    expect(await changes.of(id)).toEqual([
      { deleted: false },
      { deleted: false },
      { deleted: true, version: { epoch: integrationOf(id).version.epoch, n: 3 } },
    ]);
  });

  it('leaves nothing where it was refused', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await store.insert(integrationOf(first, { name: first }));
    await expect(store.insert(integrationOf(second, { name: first }))).rejects.toThrow(ConflictError);
    expect(await changes.of(second)).toEqual([]);
  });
});

describe('50 creates of one name at once', () => {
  it('make one integration and 49 conflicts', async () => {
    const name = randomUUID();
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => store.insert(integrationOf(randomUUID(), { name }))),
    );
    const refusals = results.filter((result) => result.status === 'rejected');
    expect(refusals).toHaveLength(49);
    expect(refusals.every(({ reason }) => reason instanceof ConflictError)).toBe(true);
    expect((await store.list({})).filter((integration) => integration.name === name)).toHaveLength(1);
  });
});

describe('two replicas that start for the first time at once', () => {
  it('make one default integration, and show its key once', async () => {
    await store.remove(DEFAULT_INTEGRATION.id);
    const shown: string[] = [];
    const ports = {
      store,
      clock: new ManualClock(new Date('2026-01-01T00:00:00Z')),
      newId: randomUUID,
      notice: () => undefined,
      show: (line: string) => void shown.push(line),
    };
    await Promise.all([ensureDefaultIntegration(ports, undefined), ensureDefaultIntegration(ports, undefined)]);
    await ensureDefaultIntegration(ports, undefined);
    expect(shown).toHaveLength(1);
    expect((await store.list({})).filter(({ name }) => name === DEFAULT_INTEGRATION.name)).toHaveLength(1);
  });
});

describe('statesOf integrations', () => {
  it('gives the present state of what exists, and every id', async () => {
    const id = randomUUID();
    await store.insert(integrationOf(id));
    const states = statesOf(connection, INTEGRATION);
    const loaded = await states.load([id, 'missing']);
    expect([...loaded.keys()]).toEqual([id]);
    expect(loaded.get(id)).toMatchObject({ deleted: false, version: { n: 1 }, state: { id, ownerTeamId: 'team-1' } });
    const ids: string[] = [];
    for await (const each of states.ids()) ids.push(each);
    expect(ids).toContain(id);
  });
});
