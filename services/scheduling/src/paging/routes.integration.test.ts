import { expect, it } from '@jest/globals';
import { testApp } from '../testing/app-fixture.ts';

it('answers only services with the numbers of runs and of overdue runs', async () => {
  const app = await testApp();
  expect(await app.get('/internal/ledger', { service: 'gateway' })).toMatchObject({
    status: 200,
    data: { runs: 7, overdue: 0 },
  });
  app.overdue.push({ alertId: 'a1', dueAt: app.clock.now() });
  expect((await app.get('/internal/ledger', { service: 'gateway' })).data).toEqual({ runs: 7, overdue: 1 });
  expect((await app.get('/internal/ledger')).status).toBe(403);
});
