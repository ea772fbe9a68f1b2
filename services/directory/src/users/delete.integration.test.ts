import { describe, expect, it } from '@jest/globals';
import { Users } from '@tocsin/events';
import { eventually } from '@tocsin/testkit';
import { accountKey, testApp } from '../testing/app-fixture.ts';
import { anotherProcess } from '../testing/mongo-fixture.ts';

const teamKey = { ...accountKey, teamId: 'team' };

describe('DELETE /v2/users/{identifier}', () => {
  it('removes the user at once', async () => {
    const { user, get, remove } = await testApp();
    await user('ada@example.com');
    const { status, body } = await remove('/v2/users/ada@example.com');
    expect([status, (body as { result: string }).result]).toEqual([200, 'Deleted']);
    expect((await get('/v2/users/ada@example.com')).status).toBe(404);
  });

  it('answers 404 when there is no such user', async () => {
    const { remove } = await testApp();
    expect((await remove('/v2/users/unknown@example.com')).status).toBe(404);
  });

  it('answers 428 that names the team of which they are a member, whichever service can be asked', async () => {
    const { user, team, scheduling, get, remove } = await testApp();
    await user('ada@example.com');
    await team('Ops', [{ user: { username: 'ada@example.com' } }]);
    scheduling.isUnavailable = true;
    const { status, body } = await remove('/v2/users/ada@example.com');
    expect(status).toBe(428);
    expect(body).toMatchObject({ message: 'User [ada@example.com] is still a member of: Ops.' });
    expect((await get('/v2/users/ada@example.com')).status).toBe(200);
  });

  it('answers 428 that names the rotation in which they are', async () => {
    const { user, scheduling, remove } = await testApp();
    const id = await user('ada@example.com');
    scheduling.uses.set(`user:${id}`, ['Rotation [Rot1] of schedule [Ops] names it.']);
    const { status, body } = await remove(`/v2/users/${id}`);
    expect(status).toBe(428);
    expect(body).toMatchObject({
      message: 'User [ada@example.com] is still in use: Rotation [Rot1] of schedule [Ops] names it.',
    });
  });

  it('answers 503 and keeps the user when scheduling can not be asked', async () => {
    const { user, scheduling, get, remove } = await testApp();
    await user('ada@example.com');
    scheduling.isUnavailable = true;
    const { status, headers } = await remove('/v2/users/ada@example.com');
    expect(status).toBe(503);
    expect(headers).toHaveProperty('retry-after');
    expect((await get('/v2/users/ada@example.com')).status).toBe(200);
  });

  it('answers 422 for the last owner of the account', async () => {
    const { user, remove } = await testApp();
    await user('ada@example.com', 'Owner');
    const { status, body } = await remove('/v2/users/ada@example.com');
    expect(status).toBe(422);
    const message = 'User [ada@example.com] is the last owner of the account and can not be deleted.';
    expect(body).toMatchObject({ message, errors: { identifier: message } });
  });

  it('answers 403 to the key of a team', async () => {
    const { user, remove } = await testApp();
    await user('ada@example.com');
    expect((await remove('/v2/users/ada@example.com', teamKey)).status).toBe(403);
  });

  it('is answered once the removal is on the topic, so that sessions of the user end (K21)', async () => {
    const { user, remove, stores } = await testApp();
    const id = await user('ada@example.com');
    expect((await remove(`/v2/users/${id}`)).status).toBe(200);
    const states = stores.publisher.published.filter(({ topic }) => topic === Users.name);
    expect(states.at(-1)).toMatchObject({ key: id, message: { deleted: true } });
  });

  it.each(['id', 'username'] as const)(
    'is 503 by %s also when it is repeated, until the topic has it, and then 404 (K21)',
    async (by) => {
      const { user, remove, stores } = await testApp();
      const id = await user('ada@example.com');
      const path = `/v2/users/${by === 'id' ? id : 'ada@example.com'}`;
      stores.publisher.refuseWith(new Error('Kafka is unavailable'));
      expect([(await remove(path)).status, (await remove(path)).status]).toEqual([503, 503]);
      stores.publisher.refuseWith(undefined);
      expect((await remove(path)).status).toBe(404);
      const states = stores.publisher.published.filter(({ topic }) => topic === Users.name);
      expect(states.at(-1)).toMatchObject({ key: id, message: { deleted: true } });
    },
  );

  it('is 503 where the topic does not have it yet, which another process publishes where this one dies (K21)', async () => {
    const { user, remove, stores } = await testApp();
    const id = await user('ada@example.com');
    stores.publisher.refuseWith(new Error('the process is dead'));
    expect((await remove(`/v2/users/${id}`)).status).toBe(503);
    const { outbox, publisher } = await anotherProcess(stores);
    outbox.start();
    try {
      await eventually(() => {
        const states = publisher.published.filter(({ topic }) => topic === Users.name);
        expect(states.at(-1)).toMatchObject({ key: id, message: { deleted: true } });
      });
    } finally {
      await outbox.stop();
    }
  });
});
