import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import type { Version } from '@tocsin/contracts';
import { ConflictError, NotFoundError } from '@tocsin/errors';
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
import { eventually, testMongo } from '@tocsin/testing';
import { ensureDefaultIntegration } from '../application/first-start.ts';
import { DEFAULT_INTEGRATION, switched, type Integration } from '../domain/integration.ts';
import type { NamedReference } from '../domain/recipient.ts';
import type { IntegrationStore } from '../ports/integration-store.ts';
import { DELETED_TEAMS, INTEGRATION, integrationIndexes, INTEGRATIONS } from './integration-kind.ts';
import { describeIntegrationStore, integrationOf } from './integration-store.contract.ts';
import { MongoIntegrationStore } from './mongo-integration-store.ts';

/** Notes what is to be announced in a collection, in the transaction that it is given. */
class NotedChanges implements Announcements {
  readonly #connection: Connection;
  /** Called in the transaction of every write, before it commits. */
  meanwhile: () => Promise<unknown> = () => Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async changed(session: Session, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#notes().insertOne({ integrationId: id, deleted: false }, { session });
    await this.meanwhile();
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
/** Of another process of the service. */
let otherConnection: Connection;
let otherStore: MongoIntegrationStore;

beforeAll(async () => {
  const { uri, database } = await testMongo();
  connection = await connectMongo({ uri, database });
  otherConnection = await connectMongo({ uri, database });
  await migrate(connection, [
    ...persistenceIndexes,
    ...integrationIndexes,
    { collection: 'notes', keys: { integrationId: 1 }, serves: 'the notes of one integration' },
  ]);
  changes = new NotedChanges(connection);
  store = new MongoIntegrationStore(connection, changes);
  otherStore = new MongoIntegrationStore(otherConnection, new NotedChanges(otherConnection));
});

afterEach(() => {
  changes.meanwhile = () => Promise.resolve();
});

afterAll(async () => {
  await otherConnection.close();
  await connection.dropDatabase();
  await connection.close();
});

describeIntegrationStore('MongoIntegrationStore', async () => {
  for (const each of [INTEGRATIONS, DELETED_TEAMS]) await collectionOf(connection, each).deleteMany({});
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

describe('the deletion of a team in one process, and in another a write that enables an integration for it (S12)', () => {
  const rewritten = (ownerTeam: Integration['ownerTeam']) => (current: Integration) => ({ ...current, ownerTeam });
  const writes = [
    ['a create', (by, id, team) => by.insert(integrationOf(id, { ownerTeam: team }))],
    ['a move', (by, id, team) => by.update(`${id} of nobody`, rewritten(team))],
    ['a switch', (by, id) => by.update(`${id} off`, (current) => switched(current, true))],
  ] satisfies [string, (by: IntegrationStore, id: string, team: NamedReference) => Promise<unknown>][];
  let id: string;
  let team: NamedReference;
  let tries: jest.SpiedFunction<Connection['startSession']>;

  /** Resolves when `work` of the other process is done, or has met a write that is not committed and is tried again. */
  const doneOrHeldUp = async (work: Promise<unknown>) => {
    let done = false;
    void Promise.allSettled([work]).then(() => (done = true));
    await eventually(() => {
      expect(done || tries.mock.calls.length > 1).toBe(true);
    });
  };

  beforeEach(async () => {
    id = randomUUID();
    team = { id: `team of ${id}`, name: 'Gone' };
    await store.insert(integrationOf(`${id} of nobody`, { ownerTeam: undefined }));
    await store.insert(integrationOf(`${id} off`, { ownerTeam: team, enabled: false }));
    tries = jest.spyOn(otherConnection, 'startSession');
  });

  afterEach(() => {
    tries.mockRestore();
  });

  const enabledOfTeam = async () => (await store.list({ ownerTeamId: team.id })).filter(({ enabled }) => enabled);

  it.each(writes)('%s that is not committed yet when the deletion comes is switched off', async (_, write) => {
    let deletion: Promise<unknown> | undefined;
    changes.meanwhile = async () => {
      deletion ??= otherStore.disableOfTeam(team.id);
      await doneOrHeldUp(deletion);
    };
    await write(store, id, team);
    await deletion;
    expect(await enabledOfTeam()).toEqual([]);
  });

  it.each(writes)('%s that comes when the deletion is not committed yet is refused', async (_, write) => {
    await store.insert(integrationOf(`${id} on`, { ownerTeam: team }));
    let writing: Promise<unknown> | undefined;
    changes.meanwhile = async () => {
      writing ??= write(otherStore, id, team);
      await doneOrHeldUp(writing);
    };
    await store.disableOfTeam(team.id);
    await expect(writing).rejects.toThrow(`Team does not exist with id: ${team.id}`);
    expect(await enabledOfTeam()).toEqual([]);
  });

  it('are one step each: of one whose process dies before its commit nothing is there, and its repeat does all of it', async () => {
    const on = integrationOf(`${id} on`, { ownerTeam: team });
    const died = () => Promise.reject(new Error('died'));
    changes.meanwhile = died;
    await expect(store.insert(on)).rejects.toThrow('died');
    expect(await otherStore.find(on.id)).toBeUndefined();
    await otherStore.insert(on);
    await expect(store.disableOfTeam(team.id)).rejects.toThrow('died');
    expect(await otherStore.find(on.id)).toEqual(on);
    const another = integrationOf(`${id} another`, { ownerTeam: team });
    await otherStore.insert(another);
    expect(await otherStore.disableOfTeam(team.id)).toHaveLength(3);
    expect(await enabledOfTeam()).toEqual([]);
    await expect(otherStore.insert(integrationOf(randomUUID(), { ownerTeam: team }))).rejects.toThrow(NotFoundError);
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
    const source = statesOf(connection, INTEGRATION);
    const loaded = await source.load([id, 'missing']);
    expect([...loaded.keys()]).toEqual([id]);
    expect(loaded.get(id)).toMatchObject({ deleted: false, version: { n: 1 }, state: { id, ownerTeamId: 'team-1' } });
    const ids: string[] = [];
    for await (const each of source.ids()) ids.push(each);
    expect(ids).toContain(id);
  });
});
