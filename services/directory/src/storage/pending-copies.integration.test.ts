import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { collectionOf } from '@tocsin/persistence';
import { deathOf, emptiedDatabase, eventually, testMongo, type PointOfDeath } from '@tocsin/testing';
import { USERS_PER_WRITE, type CopyNotificationRules } from '../application/copy-notification-rules.ts';
import type { User } from '../domain/user.ts';
import type { PendingCopy } from '../ports/pending-copies.ts';
import { testApp } from '../testing/app-fixture.ts';
import { copyWorkOf, type CopyWork } from '../testing/copy-work.ts';
import type { KilledCopier } from '../testing/killed-copier.ts';
import { mongoDirectory, openMigrated, type MongoDirectory } from '../testing/mongo-fixture.ts';
import { sampleUser } from '../testing/stored-samples.ts';
import { PENDING_COPIES, USERS } from './index-plans.ts';
import type { PendingCopyDocument } from './mongo-pending-copies.ts';
import { userDocument, userFrom, type UserDocument } from './user-documents.ts';

const COPIER = fileURLToPath(new URL('../testing/killed-copier.ts', import.meta.url));
/** Two transactions, and a part of one. */
const NAMES = Array.from({ length: 2 * USERS_PER_WRITE + 10 }, (_, n) => `n${String(n).padStart(3, '0')}`);
const idOf = (name = ''): string => `user-${name}`;

const openEmptied = emptiedDatabase(openMigrated);
let mongo: MongoDirectory;

beforeEach(async () => {
  mongo = mongoDirectory(await openEmptied());
  const users = NAMES.map((name) => userDocument({ ...sampleUser(name), notificationRules: [] }));
  await collectionOf<UserDocument>(mongo.connection, USERS).insertMany(users);
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

const { copyNotificationRules } = testApp().directory;
type Prepare = CopyNotificationRules['prepare'];

const processOf = (prepare: Prepare = (copy) => copyNotificationRules.prepare(copy)): CopyWork =>
  copyWorkOf(mongo, () => ({ prepare }));

const stored = async (): Promise<readonly User[]> => {
  const found = await collectionOf<UserDocument>(mongo.connection, USERS).find().sort({ _id: 1 }).toArray();
  return found.map(userFrom);
};

/** Who has the copies, by id. */
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

  it('reach those who are named and exist, from where they were left, and not their source', async () => {
    const { copies, goOn } = processOf();
    const among = ['nobody', ...NAMES.slice(3, 9).map(idOf)];
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
      const told: KilledCopier = { mongoUri, database: mongo.connection.name, dieAt: point };
      const child = spawn(process.execPath, ['--conditions=source', COPIER, JSON.stringify(told)], {
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

  it('are not made again by a process that stood still, for users who have changed their rules since', async () => {
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<undefined>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<undefined>();
    const frozen = processOf(async (copy) => {
      reach(undefined);
      await thawed;
      return copyNotificationRules.prepare(copy);
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
      const rules = await copyNotificationRules.prepare(copy);
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

  it('pass over a user who can never be changed, and no other', async () => {
    const bad = idOf(NAMES[7]);
    const { copies, goOn } = processOf(async (copy) => {
      const rules = await copyNotificationRules.prepare(copy);
      return (user) => {
        if (user.id === bad) throw new TypeError('odd');
        return rules(user);
      };
    });
    await copies.keep(pending());
    await goOn();
    expect(await copied()).toEqual(NAMES.map(idOf).filter((id) => id !== bad));
    expect(await left()).toEqual([]);
  });

  it('wait, and go on from where they were, where scheduling cannot be asked', async () => {
    let tries = 0;
    const { copies, dueWork, goOn } = processOf(async (copy) => {
      tries += 1;
      if (tries === 2) throw new Error('scheduling is away');
      return copyNotificationRules.prepare(copy);
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
