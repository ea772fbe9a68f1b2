import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import { Integrations as IntegrationsTopic, type IntegrationState, type StateMessage } from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import {
  connectMongo,
  EntityStates,
  migrate,
  Outbox,
  persistenceIndexes,
  statesOf,
  type Connection,
} from '@tocsin/mongo';
import { testMongo } from '@tocsin/testkit';
import { Integrations } from './operations.ts';
import { ACCOUNT } from '../testing/app-fixture.ts';
import { INTEGRATION, integrationIndexes, IntegrationStore } from './store.ts';
import { integrationOf } from '../testing/integration-samples.ts';

const silent = { warn: () => undefined, error: () => undefined };
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
const references = { find: () => Promise.resolve(undefined), nameOf: () => undefined };

let connection: Connection;

beforeAll(async () => {
  connection = await connectMongo(await testMongo());
  await migrate(connection, [...persistenceIndexes, ...integrationIndexes]);
});

afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

describe('an integration on integrations.v1', () => {
  let publisher: RecordingPublisher;
  let integrations: Integrations;
  let announcements: EntityStates<IntegrationState>;
  let outbox: Outbox;
  let store: IntegrationStore;
  /** How often a caller waited until the state was published, or for Kafka in vain. */
  let waits: number;

  beforeEach(() => {
    publisher = new RecordingPublisher();
    outbox = new Outbox({ connection, topics: [IntegrationsTopic], publisher, logger: silent });
    announcements = new EntityStates({
      connection,
      topic: IntegrationsTopic,
      ...statesOf(connection, INTEGRATION),
      outbox,
      publisher,
      logger: silent,
    });
    waits = 0;
    store = new IntegrationStore(connection, {
      addStates: (session, states: readonly StateMessage<IntegrationState>[]) =>
        announcements.addStates(session, states),
      addTombstone: (session, id, version) => announcements.addTombstone(session, id, version),
      versionOfNew: (session, id, first) => announcements.versionOfNew(session, id, first),
      flush: () => {
        waits += 1;
        return announcements.flush();
      },
    });
    integrations = new Integrations({
      removeSamples: () => Promise.resolve(),
      store,
      references,
      publishNow: (ids) => announcements.publishNow(ids),
      clock,
      newId: randomUUID,
      keyOverlapMs: 0,
    });
  });

  const states = () => publisher.published.map(({ message }) => message);

  it('is its present state after each write, and the word that it is gone after the last', async () => {
    const { integration } = await integrations.create({ type: 'API', name: randomUUID() }, ACCOUNT);
    const { id } = integration;
    expect(states()).toMatchObject([{ id, deleted: false, version: { n: 1 }, state: { enabled: true } }]);
    await integrations.disable(id, ACCOUNT);
    expect(states().at(-1)).toMatchObject({ id, version: { n: 2 }, state: { enabled: false } });
    await integrations.enable(id, ACCOUNT);
    expect(states().at(-1)).toMatchObject({ id, version: { n: 3 }, state: { enabled: true } });
    await integrations.delete(id, ACCOUNT);
    expect(states().at(-1)).toMatchObject({ id, deleted: true, version: { n: 5 } });
    expect(await outbox.pending()).toBe(0);
  });

  it('that is written again with its id after its deletion is published under a later version, whatever the clock says', async () => {
    const id = randomUUID();
    const made = () => integrationOf(id, { ownerTeam: undefined, name: id, emailUsername: id });
    const put = () => store.put(id, (present) => present ?? made());
    await put();
    await put();
    expect(states()).toMatchObject([{ id, deleted: false, version: { n: 1 } }]);
    await store.remove(id);
    expect(await put()).toMatchObject({ entity: { version: { n: 3 } }, present: undefined });
    expect(states().slice(-2)).toMatchObject([
      { id, deleted: true, version: { n: 2 } },
      { id, deleted: false, version: { n: 3 } },
    ]);
  });

  it('is not reported disabled while Kafka is unavailable, and is published by the same call afterwards (K2)', async () => {
    const { integration } = await integrations.create({ type: 'API', name: randomUUID() }, ACCOUNT);
    publisher.refuseWith(new UnavailableError('Kafka is unavailable.'));
    await expect(integrations.disable(integration.id, ACCOUNT)).rejects.toThrow(UnavailableError);
    publisher.refuseWith(undefined);
    await integrations.disable(integration.id, ACCOUNT);
    expect(states().at(-1)).toMatchObject({ id: integration.id, state: { enabled: false } });
  });

  it('of a team that goes costs one wait while Kafka is unavailable, however many the team has, and is published by the same call afterwards (S12)', async () => {
    const ownerTeam = { id: randomUUID(), name: 'Gone' };
    const owned = Array.from({ length: 5 }, () => randomUUID());
    for (const id of owned) await store.insert(integrationOf(id, { ownerTeam }));
    publisher.refuseWith(new UnavailableError('Kafka is unavailable.'));
    waits = 0;
    await expect(integrations.disableOfTeam(ownerTeam.id)).rejects.toThrow(UnavailableError);
    expect(waits).toBe(1);
    publisher.refuseWith(undefined);
    expect(await integrations.disableOfTeam(ownerTeam.id)).toBe(5);
    const { length } = owned;
    expect(states().slice(-length)).toMatchObject(owned.map(() => ({ version: { n: 2 }, state: { enabled: false } })));
    await outbox.flush();
    expect(await outbox.pending()).toBe(0);
  });
});
