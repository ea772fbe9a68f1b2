import { describe, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { Announcements, Connection } from '@tocsin/mongo';
import { eventually } from '@tocsin/testkit';
import { NO_ANNOUNCEMENTS, useDatabase } from '../testing/mongo-fixture.ts';
import { IntegrationStore } from './store.ts';
import { nextVersion } from './integration.ts';
import { CachedIntegrations } from './cached-store.ts';
import { integrationOf } from '../testing/integration-samples.ts';

/** A store that another replica writes to as well, and that can be unavailable. */
class SharedStore extends IntegrationStore {
  isUnavailable = false;
  reads = 0;

  override find(id: string) {
    this.reads += 1;
    return this.isUnavailable ? Promise.reject(new UnavailableError('The database is unavailable.')) : super.find(id);
  }
}

const database = useDatabase();

const openShared = async <S>(Store: new (connection: Connection, announcements: Announcements) => S): Promise<S> =>
  new Store(await database(), NO_ANNOUNCEMENTS);

const turnOff = (shared: SharedStore) =>
  shared.update('a', (current) => ({ ...current, suppressNotifications: true, version: nextVersion(current) }));

describe('the rules in the cache', () => {
  it('are read once, and follow a write through the store at once (E13)', async () => {
    const shared = await openShared(SharedStore);
    await shared.insert(integrationOf('a'));
    const cached = new CachedIntegrations(shared);
    await cached.load();
    expect(await cached.rulesOf('a')).toEqual(integrationOf('a'));
    await cached.update('a', (current) => ({ ...current, name: 'New', version: nextVersion(current) }));
    expect(await cached.rulesOf('a')).toMatchObject({ name: 'New' });
    await cached.disableOfTeam('team-1');
    expect(await cached.rulesOf('a')).toMatchObject({ name: 'New', enabled: false });
    await cached.remove('a');
    expect(await cached.rulesOf('a')).toBeUndefined();
    expect(shared.reads).toBe(1);
  });

  it('follow a write of another replica once they are marked stale', async () => {
    const shared = await openShared(SharedStore);
    const cached = new CachedIntegrations(shared);
    await shared.insert(integrationOf('a'));
    expect(await cached.rulesOf('a')).toMatchObject({ suppressNotifications: false });
    await turnOff(shared);
    cached.markStale('a');
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await cached.rulesOf('a')).toMatchObject({ suppressNotifications: true });
  });

  it('stay as they were while the database is unavailable, and follow when it is back', async () => {
    const shared = await openShared(SharedStore);
    await shared.insert(integrationOf('a'));
    const cached = new CachedIntegrations(shared);
    await cached.load();
    await turnOff(shared);
    shared.isUnavailable = true;
    cached.markStale('a');
    expect(await cached.rulesOf('a')).toMatchObject({ suppressNotifications: false });
    expect(await cached.rulesOf('unknown')).toBeUndefined();
    shared.isUnavailable = false;
    await cached.rulesOf('a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(await cached.rulesOf('a')).toMatchObject({ suppressNotifications: true });
  });
});

describe('the rules for the first alert in hours (E13)', () => {
  /** A store whose answers arrive when the test says. */
  class FarStore extends SharedStore {
    readonly #answers: (() => void)[] = [];

    override async find(id: string) {
      const found = await super.find(id);
      await new Promise<void>((resolve) => this.#answers.push(resolve));
      return found;
    }

    async answer(): Promise<void> {
      const answer = await eventually(() => {
        const oldest = this.#answers.shift();
        if (oldest === undefined) throw new Error('No read is under way.');
        return oldest;
      });
      answer();
    }
  }

  const suppressing = (shared: SharedStore, suppressNotifications: boolean) =>
    shared.update('a', (current) => ({ ...current, suppressNotifications, version: nextVersion(current) }));

  it('are those of the last of two writes of another replica, though the second came during the read of the first', async () => {
    const shared = await openShared(FarStore);
    await shared.insert(integrationOf('a'));
    const cached = new CachedIntegrations(shared);
    await cached.load();
    await suppressing(shared, true);
    cached.markStale('a');
    await suppressing(shared, false);
    cached.markStale('a');
    await shared.answer();
    await shared.answer();
    await eventually(async () => {
      expect(await cached.rulesOf('a')).toMatchObject({ suppressNotifications: false });
    });
    expect(shared.reads).toBe(2);
  });

  it('are waited for once, not by every alert while the database does not answer', async () => {
    const shared = await openShared(SharedStore);
    await shared.insert(integrationOf('a'));
    const cached = new CachedIntegrations(shared);
    await cached.load();
    shared.find = () => new Promise(() => undefined);
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    cached.markStale('a');
    const isAnsweredAfter = async (ms: number): Promise<boolean> => {
      jest.advanceTimersByTime(ms);
      let isAnswered = false;
      void cached.rulesOf('a').then(() => (isAnswered = true));
      await new Promise((resolve) => setImmediate(resolve));
      return isAnswered;
    };
    expect([await isAnsweredAfter(0), await isAnsweredAfter(499), await isAnsweredAfter(1)]).toEqual([
      false,
      false,
      true,
    ]);
    jest.useRealTimers();
  });

  it('are read again by themselves after the database was unavailable', async () => {
    const shared = await openShared(FarStore);
    await shared.insert(integrationOf('a'));
    const cached = new CachedIntegrations(shared);
    await cached.load();
    await suppressing(shared, true);
    shared.isUnavailable = true;
    cached.markStale('a');
    shared.isUnavailable = false;
    await shared.answer();
    await eventually(async () => {
      expect(await cached.rulesOf('a')).toMatchObject({ suppressNotifications: true });
    });
    expect(shared.reads).toBe(2);
  });
});

describe('the mailbox of an address', () => {
  const mail = { ...integrationOf('a'), type: 'Email', emailUsername: 'Ops' };

  it('is found in any case, without a read', async () => {
    const shared = await openShared(SharedStore);
    const cached = new CachedIntegrations(shared);
    await cached.insert(mail);
    expect(await cached.findMailbox('oPS')).toEqual(mail);
    expect(await cached.findMailbox('other')).toBeUndefined();
    expect(shared.reads).toBe(0);
  });

  it('that another replica has just made, or enabled, is found once it is marked stale', async () => {
    const shared = await openShared(SharedStore);
    const cached = new CachedIntegrations(shared);
    await shared.insert({ ...mail, enabled: false });
    cached.markStale('a');
    expect(await cached.findMailbox('ops')).toMatchObject({ enabled: false });
    await shared.update('a', (current) => ({ ...current, enabled: true, version: nextVersion(current) }));
    cached.markStale('a');
    expect(await cached.findMailbox('ops')).toMatchObject({ enabled: true });
  });

  it('is neither there nor not there while an integration that has changed cannot be read; one that is cached stays', async () => {
    const shared = await openShared(SharedStore);
    const cached = new CachedIntegrations(shared);
    await shared.insert(mail);
    shared.isUnavailable = true;
    cached.markStale('a');
    await expect(cached.findMailbox('ops')).rejects.toThrow(UnavailableError);
    shared.isUnavailable = false;
    expect(await cached.findMailbox('ops')).toEqual(mail);
    shared.isUnavailable = true;
    cached.markStale('a');
    expect(await cached.findMailbox('ops')).toEqual(mail);
    await expect(cached.findMailbox('other')).rejects.toThrow(UnavailableError);
  });
});
