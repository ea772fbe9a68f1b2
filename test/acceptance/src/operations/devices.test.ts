import { expect, it } from '@jest/globals';
import { useSystem } from '../system/system.ts';

const system = useSystem({
  PUSH_URL: 'https://push.example.com',
  VAPID_PRIVATE_KEY: Buffer.alloc(32, 7).toString('base64'),
});

it('register-device answers 201 Created with a topic to subscribe to, which is a contact of method mobile (U13)', async () => {
  const scenario = system.scenario();
  await scenario.users('ada');
  const user = `/v2/users/${scenario.address('ada')}`;
  const { body } = await system.api.expect(201, 'POST', `${user}/devices`, { name: 'Phone' });
  const { id, topic } = (body as { data: { id: string; topic: string } }).data;
  expect(body).toMatchObject({
    result: 'Created',
    data: { url: `https://push.example.com/${topic}`, qrText: `ntfy://push.example.com/${topic}` },
  });
  expect(await system.api.read(`${user}/contacts/${id}`)).toEqual({
    id,
    method: 'mobile',
    to: topic,
    status: { enabled: true },
    device: { name: 'Phone', kind: 'ntfy', verified: false },
  });
  for (const name of ['Tablet', 'Laptop', 'Desk', 'Old phone'])
    await system.api.expect(201, 'POST', `${user}/devices`, { name });
  expect((await system.api.request('POST', `${user}/devices`, { name: 'Watch' })).status).toBe(422);
  expect((await system.api.request('POST', `${user}/devices`, {})).status).toBe(422);
});

it('register-browser answers 201 Created with a contact of method mobile, and get-web-push has the key for it (U22)', async () => {
  const scenario = system.scenario();
  await scenario.users('ada');
  const user = `/v2/users/${scenario.address('ada')}`;
  const { publicKey = '' } = await system.api.read<{ publicKey?: string }>('/v2/web-push');
  expect(publicKey).toMatch(/^B[\w-]{86}$/);
  const keys = { p256dh: publicKey, auth: 'a1B2c3D4e5F6g7H8i9J0kQ' };
  const subscription = { endpoint: 'https://push.example.net/1', keys };
  const { body } = await system.api.expect(201, 'POST', `${user}/browsers`, { name: 'Firefox', subscription });
  const { id, to } = (body as { data: { id: string; to: string } }).data;
  expect(await system.api.read(`${user}/contacts/${id}`)).toEqual({
    id,
    method: 'mobile',
    to,
    status: { enabled: true },
    device: { name: 'Firefox', kind: 'web-push', verified: false },
  });
  expect((await system.api.request('POST', `${user}/browsers`, { name: 'Firefox' })).status).toBe(422);
});
