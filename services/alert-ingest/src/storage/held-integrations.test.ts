import { describe, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import { eventually } from '@tocsin/testing';
import { nextVersion } from '../domain/integration.ts';
import { HeldIntegrations } from './held-integrations.ts';
import { describeIntegrationStore, integrationOf } from './integration-store.contract.ts';
import { MemoryIntegrationStore } from '../testing/memory-integration-store.ts';

describeIntegrationStore('HeldIntegrations', () => Promise.resolve(new HeldIntegrations(new MemoryIntegrationStore())));

/** A store that another replica writes to as well, and that can be away. */
class SharedStore extends MemoryIntegrationStore {
  away = false;
  reads = 0;

  override find(id: string) {
    this.reads += 1;
    return this.away ? Promise.reject(new UnavailableError('The database is away.')) : super.find(id);
  }
}

const turnOff = (shared: SharedStore) =>
  shared.update('a', (current) => ({ ...current, suppressNotifications: true, version: nextVersion(current) }));

describe('the rules that are held', () => {
  it('are read once, and follow a write through the store at once (E13)', async () => {
    const shared = new SharedStore();
    await shared.insert(integrationOf('a'));
    const held = new HeldIntegrations(shared);
    await held.load();
    expect(await held.of('a')).toEqual(integrationOf('a'));
    await held.update('a', (current) => ({ ...current, name: 'New', version: nextVersion(current) }));
    expect(await held.of('a')).toMatchObject({ name: 'New' });
    await held.disableOfTeam('team-1');
    expect(await held.of('a')).toMatchObject({ name: 'New', enabled: false });
    await held.remove('a');
    expect(await held.of('a')).toBeUndefined();
    expect(shared.reads).toBe(1);
  });

  it('follow a write of another replica when they are told of it', async () => {
    const shared = new SharedStore();
    const held = new HeldIntegrations(shared);
    await shared.insert(integrationOf('a'));
    expect(await held.of('a')).toMatchObject({ suppressNotifications: false });
    await turnOff(shared);
    held.changed('a');
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await held.of('a')).toMatchObject({ suppressNotifications: true });
  });

  it('stay as they were while the database is away, and follow when it is back', async () => {
    const shared = new SharedStore();
    await shared.insert(integrationOf('a'));
    const held = new HeldIntegrations(shared);
    await held.load();
    await turnOff(shared);
    shared.away = true;
    held.changed('a');
    expect(await held.of('a')).toMatchObject({ suppressNotifications: false });
    expect(await held.of('unknown')).toBeUndefined();
    shared.away = false;
    await held.of('a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(await held.of('a')).toMatchObject({ suppressNotifications: true });
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
    const shared = new FarStore();
    await shared.insert(integrationOf('a'));
    const held = new HeldIntegrations(shared);
    await held.load();
    await suppressing(shared, true);
    held.changed('a');
    await suppressing(shared, false);
    held.changed('a');
    await shared.answer();
    await shared.answer();
    await eventually(async () => {
      expect(await held.of('a')).toMatchObject({ suppressNotifications: false });
    });
    expect(shared.reads).toBe(2);
  });

  it('are waited for once, not by every alert while the database does not answer', async () => {
    const shared = new SharedStore();
    await shared.insert(integrationOf('a'));
    const held = new HeldIntegrations(shared);
    await held.load();
    shared.find = () => new Promise(() => undefined);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    held.changed('a');
    const isAnsweredAt = async (ms: number): Promise<boolean> => {
      clock.mockReturnValue(ms);
      let isAnswered = false;
      void held.of('a').then(() => (isAnswered = true));
      await new Promise((resolve) => setImmediate(resolve));
      return isAnswered;
    };
    expect([await isAnsweredAt(0), await isAnsweredAt(499), await isAnsweredAt(500)]).toEqual([false, false, true]);
    clock.mockRestore();
  });

  it('are read again by themselves after the database was away', async () => {
    const shared = new FarStore();
    await shared.insert(integrationOf('a'));
    const held = new HeldIntegrations(shared);
    await held.load();
    await suppressing(shared, true);
    shared.away = true;
    held.changed('a');
    shared.away = false;
    await shared.answer();
    await eventually(async () => {
      expect(await held.of('a')).toMatchObject({ suppressNotifications: true });
    });
    expect(shared.reads).toBe(2);
  });
});

describe('the mailbox of an address', () => {
  const mail = { ...integrationOf('a'), type: 'Email', emailUsername: 'Ops' };

  it('is found in any case, without a read', async () => {
    const shared = new SharedStore();
    const held = new HeldIntegrations(shared);
    await held.insert(mail);
    expect(await held.mailbox('oPS')).toEqual(mail);
    expect(await held.mailbox('other')).toBeUndefined();
    expect(shared.reads).toBe(0);
  });

  it('that another replica has just made, or enabled, is found when there is news of it', async () => {
    const shared = new SharedStore();
    const held = new HeldIntegrations(shared);
    await shared.insert({ ...mail, enabled: false });
    held.changed('a');
    expect(await held.mailbox('ops')).toMatchObject({ enabled: false });
    await shared.update('a', (current) => ({ ...current, enabled: true, version: nextVersion(current) }));
    held.changed('a');
    expect(await held.mailbox('ops')).toMatchObject({ enabled: true });
  });

  it('is neither there nor not there while news cannot be read; one that is known stays', async () => {
    const shared = new SharedStore();
    const held = new HeldIntegrations(shared);
    await shared.insert(mail);
    shared.away = true;
    held.changed('a');
    await expect(held.mailbox('ops')).rejects.toThrow(UnavailableError);
    shared.away = false;
    expect(await held.mailbox('ops')).toEqual(mail);
    shared.away = true;
    held.changed('a');
    expect(await held.mailbox('ops')).toEqual(mail);
    await expect(held.mailbox('other')).rejects.toThrow(UnavailableError);
  });
});
