import { describe, expect, it } from '@jest/globals';
import { Admission, defineRoute } from './index.ts';
import { otherKey, service } from './testing/service-app-samples.ts';

const NONE = { inAll: 0, each: 0 };

describe('the pool of routes', () => {
  it('leaves room to other keys, and is free again once its requests are answered', async () => {
    const pool = new Admission({ atOnce: { inAll: 2, each: 1 }, waiting: NONE, waitMs: 0 });
    const answers: (() => void)[] = [];
    const begun = Promise.withResolvers<undefined>();
    const { send } = await service([
      defineRoute({
        operation: 'list-alerts',
        pool,
        handle: () =>
          new Promise((resolve) => {
            answers.push(() => {
              resolve({ body: { data: [] } });
            });
            if (answers.length === 2) begun.resolve(undefined);
          }),
      }),
      defineRoute({ operation: 'count-alerts', pool, handle: () => Promise.resolve({ body: { data: {} } }) }),
    ]);
    const held = [send('get', '/v2/alerts'), send('get', '/v2/alerts', otherKey)].map(
      async (test) => (await test).status,
    );
    await begun.promise;
    const refused = await send('get', '/v2/alerts/count').expect(503);
    expect(refused.body).toMatchObject({ message: expect.stringContaining('requests') });
    for (const answer of answers) answer();
    expect(await Promise.all(held)).toEqual([200, 200]);
    await send('get', '/v2/alerts/count').expect(200);
  });

  it('refuses a key beyond its share while others find room', async () => {
    const pool = new Admission({ atOnce: { inAll: 2, each: 1 }, waiting: NONE, waitMs: 0 });
    const { send } = await service([
      defineRoute({ operation: 'count-alerts', pool, handle: () => Promise.resolve({ body: { data: {} } }) }),
    ]);
    await pool.enter('another');
    const refused = await send('get', '/v2/alerts/count', otherKey).expect(503);
    expect(refused.body).toMatchObject({
      message: 'Too many requests of this caller are under way. Please try again.',
    });
    await send('get', '/v2/alerts/count').expect(200);
  });
});
