import { expect, it } from '@jest/globals';
import { accountKey } from '@tocsin/testkit';
import request from 'supertest';
import { byAlias, create } from '../testing/commands-samples.ts';
import { setUp, team } from '../testing/component-fixture.ts';

it('answers another service with the message of any alert by its id, and with 404 for an unknown one', async () => {
  const { app, apply, replicas, store, vouched } = await setUp();
  replicas.team.put('t1', team('t1', 'Ops'));
  const responders = [{ type: 'team', id: 't1' } as const];
  await apply(create('disk', { alert: { message: 'Disk full', responders } }));
  const alert = await store.alerts.find(byAlias('disk'));
  const ask = async (id = '', caller: Parameters<typeof vouched>[0] = { service: 'notifier' }) =>
    request(app)
      .get(`/internal/alerts/${id}`)
      .set(await vouched(caller));
  expect(await ask(alert?.id)).toMatchObject({
    status: 200,
    body: { data: { message: 'Disk full', status: 'open', acknowledged: false, snoozed: false, teamIds: ['t1'] } },
  });
  expect((await ask('another')).status).toBe(404);
  expect((await ask(alert?.id, accountKey)).status).toBe(403);
  expect(await store.alerts.find(byAlias('disk'))).toEqual(alert);
});
