import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { collectionOf } from '@tocsin/mongo';
import { deathOf, eventually, type PointOfDeath, testMongo } from '@tocsin/testkit';
import { appOn } from '../testing/app-fixture.ts';
import { type CopyWork, copyWorkOf } from '../testing/copy-work.ts';
import type { KilledCopier } from '../testing/killed-copier.ts';
import { emptyStores, type MongoDirectory, storedUsers, storeUsers } from '../testing/mongo-fixture.ts';
import { sampleUser } from '../testing/stored-samples.ts';
import { USERS } from '../users/store.ts';
import type { User } from '../users/user.ts';
import type { CopyNotificationRules } from './copy-operations.ts';
import { PENDING_COPIES, type PendingCopyDocument } from './copy-store.ts';
import { type PendingCopy, USERS_PER_WRITE } from './copy.ts';

const COPIER = fileURLToPath(new URL('../testing/killed-copier.ts', import.meta.url));
/** Two transactions, and a part of one. */
const NAMES = Array.from({ length: 2 * USERS_PER_WRITE + 10 }, (_, n) => `n${String(n).padStart(3, '0')}`);
const idOf = (name = ''): string => `user-${name}`;

let mongo: MongoDirectory;

beforeEach(async () => {
  mongo = await emptyStores();
  await storeUsers(
    mongo.connection,
    NAMES.map((name) => ({ ...sampleUser(name), notificationRules: [] })),
  );
});

const pending = (change: Partial<PendingCopy> = {}): PendingCopy => ({
  id: 'copy',
  sourceId: idOf('source'),
  rules: sampleUser('source').notificationRules,
  actionTypes: ['schedule-start'],
  among: undefined,
  after: undefined,
  ...change,
});

type Prepare = CopyNotificationRules['prepare'];
/** The copy of a process before it writes. */
const prepared: Prepare = (copy) => appOn(mongo).directory.copyNotificationRules.prepare(copy);

const processOf = (prepare = prepared): CopyWork => copyWorkOf(mongo, () => ({ prepare }));

const stored = (): Promise<readonly User[]> => storedUsers(mongo.connection);

/** The users with the copies, by id. */
const copied = async () =>
  (await stored()).flatMap(({ id, notificationRules }) => (notificationRules.length > 0 ? [id] : []));

const left = () => collectionOf<PendingCopyDocument>(mongo.connection, PENDING_COPIES).find().toArray();

describe('copies of notification rules that are pending', () => {
  it('go on, some users in each transaction, until all have them', async () => {
    const { copies, dueWork, goOn, logged } = processOf();
    await copies.keep(pending());
    expect(await dueWork.countDue()).toBe(1);
    await goOn();
    expect(await copied()).toEqual(NAMES.map(idOf));
    expect(await left()).toEqual([]);
    expect(logged).toEqual([{ userId: idOf('source'), message: 'notification rules are copied' }]);
  });

  it('reach the named users who exist, from the last position on, and not their source', async () => {
    const { copies, goOn } = processOf();
    const among = ['unknown', ...NAMES.slice(3, 9).map(idOf)];
    await copies.keep(pending({ among, after: idOf(NAMES[4]), sourceId: idOf(NAMES[6]) }));
    await goOn();
    expect(await copied()).toEqual([5, 7, 8].map((index) => idOf(NAMES[index])));
  });

  it.each<PointOfDeath>([
    { when: 'after', command: 'update', collection: USERS },
    { when: 'after', command: 'update', collection: PENDING_COPIES },
    { when: 'before', command: 'commitTransaction' },
    { when: 'after', command: 'commitTransaction' },
    { when: 'after', command: 'delete', collection: PENDING_COPIES },
  ])(
    'are whole for each user, and are finished by another process, where one is killed $when $command',
    async (point) => {
      const { copies, goOn } = processOf();
      await copies.keep(pending());
      const { uri: mongoUri } = await testMongo();
      const options: KilledCopier = { mongoUri, database: mongo.connection.name, dieAt: point };
      const child = spawn(process.execPath, ['--conditions=source', COPIER, JSON.stringify(options)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      expect((await deathOf(child, mongo.connection)).signal).toBe('SIGKILL');
      const after = (await left())[0]?.after ?? null;
      expect(await copied()).toEqual(NAMES.map(idOf).filter((id) => after !== null && id <= after));
      await goOn();
      expect(await copied()).toEqual(NAMES.map(idOf));
      expect((await stored()).every(({ version }) => version.n === 2)).toBe(true);
      expect(await left()).toEqual([]);
    },
  );

  it('are not repeated by a process that was frozen, for users who have changed their rules since', async () => {
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<undefined>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<undefined>();
    const frozen = processOf(async (copy) => {
      reach(undefined);
      await thawed;
      return prepared(copy);
    });
    await frozen.copies.keep(pending());
    const froze = frozen.goOn();
    await reached;
    await processOf().goOn();
    const id = idOf(NAMES[0]);
    await mongo.users.change({ id }, (user) => ({ user: { ...user, notificationRules: [] }, answer: undefined }));
    thaw(undefined);
    await froze;
    expect(await copied()).toEqual(NAMES.slice(1).map(idOf));
  });

  it('are made once where two processes go on with them', async () => {
    const processes = [processOf(), processOf()];
    await processes[0]?.copies.keep(pending());
    await eventually(async () => {
      await Promise.all(processes.map(({ goOn }) => goOn()));
      expect(await left()).toEqual([]);
    });
    expect(await copied()).toEqual(NAMES.map(idOf));
    expect((await stored()).every(({ version }) => version.n === 2)).toBe(true);
  });

  it('let another change of configuration go between two of their transactions', async () => {
    const order: string[] = [];
    let change: Promise<unknown> | undefined;
    const { copies, goOn } = processOf(async (copy) => {
      const rules = await prepared(copy);
      return (user) => {
        change ??= mongo.users.change({ id: user.id }, (changed) => {
          order.push('change');
          return { user: { ...changed, fullName: 'Changed' }, answer: undefined };
        });
        order.push(user.id);
        return rules(user);
      };
    });
    await copies.keep(pending());
    await goOn();
    await change;
    expect(order.indexOf('change')).toBe(USERS_PER_WRITE);
    expect(await copied()).toEqual(NAMES.map(idOf));
  });

  it('skip a user whose change always fails, and no other', async () => {
    const bad = idOf(NAMES[7]);
    const { copies, goOn } = processOf(async (copy) => {
      const rules = await prepared(copy);
      return (user) => {
        if (user.id === bad) throw new TypeError('odd');
        return rules(user);
      };
    });
    await copies.keep(pending());
    await goOn();
    // The user is tried again, and another copy that is made meanwhile shows that the error is that of the user.
    await copies.keep(pending({ id: 'other', among: [idOf(NAMES[0])] }));
    await eventually(async () => {
      await goOn();
      expect(await left()).toEqual([]);
    });
    expect(await copied()).toEqual(NAMES.map(idOf).filter((id) => id !== bad));
  });

  it('wait, and go on from where they were, where scheduling cannot be asked', async () => {
    let tries = 0;
    const { copies, dueWork, goOn } = processOf(async (copy) => {
      tries += 1;
      if (tries === 2) throw new Error('scheduling is unavailable');
      return prepared(copy);
    });
    await copies.keep(pending());
    await goOn();
    expect(await copied()).toHaveLength(USERS_PER_WRITE);
    expect(await dueWork.countDue()).toBe(1);
    await eventually(async () => {
      await goOn();
      expect(await left()).toEqual([]);
    });
    expect(await copied()).toEqual(NAMES.map(idOf));
  });
});
