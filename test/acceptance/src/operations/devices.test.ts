import { expect, it } from '@jest/globals';
import { useSystem } from '../system/system.ts';

const system = useSystem({ PUSH_URL: 'https://push.example.com' });

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
    device: { name: 'Phone', verified: false },
  });
  await system.api.expect(201, 'POST', `${user}/devices`, { name: 'Tablet' });
  expect((await system.api.request('POST', `${user}/devices`, { name: 'Watch' })).status).toBe(422);
  expect((await system.api.request('POST', `${user}/devices`, {})).status).toBe(422);
});
