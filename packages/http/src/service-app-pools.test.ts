import { describe, expect, it } from '@jest/globals';
import { Admission, defineRoute, type ReplyOf } from './index.ts';
import { otherKey, service } from './testing/service-app-samples.ts';

describe('the pool of routes', () => {
  it('leaves room to other keys, and is free again once its requests are answered', async () => {
    const pool = new Admission({ inAll: 2, each: 1 });
    const answers: (() => void)[] = [];
    const begun = Promise.withResolvers<undefined>();
    const { send } = await service([
      defineRoute({
        operation: 'list-alerts',
        pool,
        handle: () =>
          new Promise<ReplyOf<'list-alerts'>>((resolve) => {
            answers.push(() => {
              resolve({ body: { data: [], paging: { first: '', last: '' } } });
            });
            if (answers.length === 2) begun.resolve(undefined);
          }),
      }),
      defineRoute({ operation: 'count-alerts', pool, handle: () => Promise.resolve({ body: { data: { count: 0 } } }) }),
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
    const pool = new Admission({ inAll: 2, each: 1 });
    const { send } = await service([
      defineRoute({ operation: 'count-alerts', pool, handle: () => Promise.resolve({ body: { data: { count: 0 } } }) }),
    ]);
    await pool.acquire('another');
    const refused = await send('get', '/v2/alerts/count', otherKey).expect(503);
    expect(refused.body).toMatchObject({
      message: 'Too many requests of this caller are under way. Please try again.',
    });
    await send('get', '/v2/alerts/count').expect(200);
  });
});
