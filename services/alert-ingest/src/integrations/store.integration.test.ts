import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock, ConflictError, NotFoundError } from '@tocsin/core';
import type { StateMessage, Version } from '@tocsin/events';
import {
  type Announcements,
  collectionOf,
  connectMongo,
  migrate,
  persistenceIndexes,
  statesOf,
  type Connection,
  type Session,
} from '@tocsin/mongo';
import { eventually, testMongo } from '@tocsin/testkit';
import { ensureDefaultIntegration } from './operations.ts';
import { DEFAULT_INTEGRATION, switched, type Integration } from './integration.ts';
import { NO_CONTENT, type NamedReference } from './content.ts';
import { DELETED_TEAMS, INTEGRATION, integrationIndexes, INTEGRATIONS, IntegrationStore } from './store.ts';
import { createdAt, integrationOf } from '../testing/integration-samples.ts';

/** Notes what is to be announced in a collection, in the transaction that it is given. */
class NotedChanges implements Announcements {
  readonly #connection: Connection;
  /** Called in the transaction of every write, before it commits. */
  meanwhile: () => Promise<unknown> = () => Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async addStates(session: Session, states: readonly StateMessage<unknown>[]): Promise<void> {
    for (const { id } of states) await this.#notes().insertOne({ integrationId: id, deleted: false }, { session });
    await this.meanwhile();
  }

  async addTombstone(session: Session, id: string, version: Version): Promise<void> {
    await this.#notes().insertOne({ integrationId: id, deleted: true, version }, { session });
  }

  versionOfNew(_session: Session, _id: string, first: Version): Promise<Version> {
    return Promise.resolve(first);
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
let store: IntegrationStore;
/** Of another process of the service. */
let otherConnection: Connection;
let otherStore: IntegrationStore;

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
  store = new IntegrationStore(connection, changes);
  otherStore = new IntegrationStore(otherConnection, new NotedChanges(otherConnection));
});

afterEach(() => {
  changes.meanwhile = () => Promise.resolve();
});

afterAll(async () => {
  await otherConnection.close();
  await connection.dropDatabase();
  await connection.close();
});

const ids = (integrations: readonly Pick<Integration, 'id'>[]) => integrations.map(({ id }) => id);

describe('a store of integrations', () => {
  beforeEach(async () => {
    for (const each of [INTEGRATIONS, DELETED_TEAMS]) await collectionOf(connection, each).deleteMany({});
  });

  it('finds what was inserted, by id and by the hash of its key, every field as it was', async () => {
    await store.insert(integrationOf('a'));
    expect(await store.find('a')).toEqual(integrationOf('a'));
    expect(await store.findByKeyHash('hash-a')).toEqual(integrationOf('a'));
    expect(await store.findByKeyHash('old-a')).toEqual(integrationOf('a'));
  });

  it('keeps what has neither team nor recipients', async () => {
    const bare = integrationOf('a', {
      ownerTeam: undefined,
      recipients: [],
      alertActions: [],
      retiringKeys: [],
      emailUsername: undefined,
      webhook: undefined,
      key: undefined,
      content: NO_CONTENT,
    });
    await store.insert(bare);
    expect(await store.find('a')).toEqual(bare);
    await store.insert({ ...bare, id: 'b', name: 'another without a key' });
    expect(ids(await store.list({}))).toEqual(['a', 'b']);
  });

  it('finds nothing where there is nothing', async () => {
    expect(await store.find('a')).toBeUndefined();
    expect(await store.findByKeyHash('hash-a')).toBeUndefined();
    expect(await store.update('a', (current) => switched(current, false))).toBeUndefined();
    expect(await store.remove('a')).toBe(false);
  });

  it('refuses a name, an id and a key that are taken, and a name only as it is written (E14)', async () => {
    await store.insert(integrationOf('a', { name: 'Grafana' }));
    await expect(store.insert(integrationOf('b', { name: 'Grafana' }))).rejects.toThrow(ConflictError);
    await expect(store.insert(integrationOf('a'))).rejects.toThrow(ConflictError);
    await expect(store.insert(integrationOf('c', { key: { hash: 'hash-a', lastFour: 'abcd' } }))).rejects.toThrow(
      ConflictError,
    );
    await store.insert(integrationOf('d', { name: 'GRAFANA' }));
    expect(ids(await store.list({}))).toEqual(['a', 'd']);
  });

  it('lists in the order of creation, filtered by type in any case and by team', async () => {
    const at = (seconds: number) => ({ createdAt: new Date(createdAt.getTime() + seconds * 1_000) });
    await store.insert(integrationOf('c', at(2)));
    await store.insert(integrationOf('a', { ...at(3), type: 'api' }));
    await store.insert(integrationOf('b', { ...at(1), type: 'API', ownerTeam: undefined }));
    expect(ids(await store.list({}))).toEqual(['b', 'c', 'a']);
    expect(ids(await store.list({ type: 'Api' }))).toEqual(['b', 'a']);
    expect(ids(await store.list({ ownerTeamId: 'team-1' }))).toEqual(['c', 'a']);
    expect(ids(await store.list({ ownerTeamId: 'team-1', type: 'API' }))).toEqual(['a']);
    expect(await store.list({ ownerTeamId: 'team-2' })).toEqual([]);
  });

  it('replaces by what a change makes of the present one', async () => {
    await store.insert(integrationOf('a'));
    const changed = await store.update('a', (current) => switched(current, false));
    expect(changed).toMatchObject({ enabled: false, version: { n: 2 } });
    expect(await store.find('a')).toEqual(changed);
  });

  it('does the same to every integration of a team and to no other, and nothing to one that is as it is to be', async () => {
    await store.insert(integrationOf('b'));
    await store.insert(integrationOf('a', { enabled: false }));
    await store.insert(integrationOf('c', { ownerTeam: undefined }));
    const changed = await store.disableOfTeam('team-1');
    expect(changed.map(({ id, enabled, version }) => [id, enabled, version.n])).toEqual([
      ['a', false, 1],
      ['b', false, 2],
    ]);
    expect(await store.readAll()).toEqual([...changed, integrationOf('c', { ownerTeam: undefined })]);
    expect(await store.disableOfTeam('team-2')).toEqual([]);
  });

  it('leaves nothing enabled for a team that is deleted, and changes nothing where it would be (S12)', async () => {
    const ownerTeam = { id: 'team-1', name: 'Ops' };
    await store.insert(integrationOf('a'));
    await store.insert(integrationOf('b', { ownerTeam: undefined }));
    const [off] = await store.disableOfTeam('team-1');
    const gone = new NotFoundError('Team does not exist with id: team-1');
    await expect(store.insert(integrationOf('c'))).rejects.toThrow(gone);
    await expect(store.update('a', (current) => switched(current, true))).rejects.toThrow(gone);
    await expect(store.update('b', (current) => ({ ...current, ownerTeam }))).rejects.toThrow(gone);
    expect(await store.readAll()).toEqual([off, integrationOf('b', { ownerTeam: undefined })]);
    expect(await store.update('a', (current) => ({ ...current, name: 'New' }))).toMatchObject({ name: 'New' });
    await store.update('a', (current) => ({ ...current, enabled: true, ownerTeam: { id: 'team-2', name: 'Night' } }));
    expect(await store.find('a')).toMatchObject({ enabled: true });
  });

  it('refuses a change to a name or a mail address that is taken, in any letter case, and keeps what was', async () => {
    await store.insert(integrationOf('a'));
    await store.insert(integrationOf('b'));
    const becomes = (changes: Partial<Integration>) => store.update('b', (current) => ({ ...current, ...changes }));
    await expect(becomes({ name: integrationOf('a').name })).rejects.toThrow('name [Integration a');
    await expect(becomes({ emailUsername: 'OPS.A' })).rejects.toThrow('emailUsername [OPS.A] already exists');
    expect(await store.find('b')).toEqual(integrationOf('b'));
  });

  it('loses none of many changes made at once', async () => {
    await store.insert(integrationOf('a'));
    const flip = (current: Integration) => switched(current, !current.enabled);
    await Promise.all(Array.from({ length: 10 }, () => store.update('a', flip)));
    expect(await store.find('a')).toMatchObject({ enabled: true, version: { n: 11 } });
  });

  it('frees the name of what is removed', async () => {
    await store.insert(integrationOf('a', { name: 'Grafana' }));
    expect(await store.remove('a')).toBe(true);
    expect(await store.find('a')).toBeUndefined();
    await store.insert(integrationOf('b', { name: 'Grafana' }));
    expect(ids(await store.list({}))).toEqual(['b']);
  });
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
    ['a move', (by, id, team) => by.update(`${id} of no team`, rewritten(team))],
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
    await store.insert(integrationOf(`${id} of no team`, { ownerTeam: undefined }));
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
