import { describe, expect, it, jest } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { collectionOf, connectMongo } from '@tocsin/mongo';
import { eventually, startMongo } from '@tocsin/testkit';
import { testTasks } from '../testing/test-tasks.ts';

jest.setTimeout(120_000);

const WAIT = { timeoutMs: 60_000, everyMs: 100 };

describe('a task on MongoDB', () => {
  it('fails while the server is unavailable, and goes on by itself when it is back', async () => {
    const mongo = await startMongo();
    const connection = await connectMongo({ uri: mongo.uri, database: 'tasks' });
    const tasks = testTasks(systemClock);
    try {
      let running = 0;
      let overlaps = 0;
      const activate = async (): Promise<void> => {
        running += 1;
        if (running > 1) overlaps += 1;
        try {
          await collectionOf<{ _id: string; count: number }>(connection, 'runs').updateOne(
            { _id: 'one' },
            { $inc: { count: 1 } },
            { upsert: true },
          );
        } finally {
          running -= 1;
        }
      };
      tasks.add({ name: 'work', everyMs: 20, activate });
      const status = async () => (await tasks.statuses())[0];
      await eventually(async () => {
        expect((await status())?.succeededAt).toBeDefined();
      }, WAIT);
      await mongo.kill();
      await eventually(async () => {
        expect((await status())?.failures).toBeGreaterThan(1);
      }, WAIT);
      await mongo.restart();
      await eventually(async () => {
        expect((await status())?.failures).toBe(0);
      }, WAIT);
      expect(overlaps).toBe(0);
    } finally {
      await tasks.stop();
      await connection.close();
      await mongo.stop();
    }
  });
});
