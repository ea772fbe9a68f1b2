import { afterAll, expect, it } from '@jest/globals';
import { startGotify, startPushover, stepTo } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const APP = 'AbCdEf123456789';
const [ADA, BOB] = ['u'.repeat(30), 'v'.repeat(30)];
const TOKEN = 'a'.repeat(30);
const PUBLIC_URL = 'https://tocsin.example.com';
const [gotify, pushover] = await Promise.all([startGotify(APP), startPushover(TOKEN, ADA, BOB)]);
const system = useSystem({
  GOTIFY_URL: gotify.url,
  PUSHOVER_URL: pushover.url,
  PUSHOVER_TOKEN: TOKEN,
  PUBLIC_URL,
  OUTGOING_ALLOWED_RANGES: '127.0.0.1',
});
afterAll(() => Promise.all([gotify.stop(), pushover.stop()]));

it('a user is paged by Gotify and by Pushover, acknowledges in the app of Pushover, and it rings no more', async () => {
  const scenario = system.scenario();
  await scenario.users('ada', 'bob');
  const register = (name: string, kind: string, key: string) =>
    system.api.create<{ topic: string }>(`/v2/users/${scenario.address(name)}/devices`, { name: kind, kind, key });
  const [own, other] = [await register('ada', 'gotify', APP), await register('ada', 'pushover', ADA)];
  const ofBob = await register('bob', 'pushover', BOB);
  await scenario.changeRule('ada', 'create-alert', {
    steps: [own, other].map(({ topic }) => stepTo(topic, 0, 'mobile')),
  });
  await scenario.changeRule('bob', 'create-alert', { steps: [stepTo(ofBob.topic, 0, 'mobile')] });
  await scenario.changeRule('bob', 'acknowledged-alert', {
    enabled: true,
    steps: [stepTo(ofBob.topic, 0, 'mobile')],
  });
  await system.settle();
  await scenario.alert({
    message: 'Disk full',
    alias: scenario.name('disk'),
    priority: 'P1',
    responders: [scenario.user('ada'), scenario.user('bob')],
  });
  await system.settle();
  await gotify.received(({ priority, token }) => priority === 10 && token === APP);
  const page = await pushover.received(({ priority, user }) => priority === 2 && user === ADA);
  await pushover.received(({ priority, user }) => priority === 2 && user === BOB);
  // What Pushover does once its user has acknowledged the message in the app.
  const callback = system.api.url + (page.callback ?? '').slice(PUBLIC_URL.length);
  const form = new URLSearchParams({ receipt: 'r'.repeat(30), acknowledged: '1', acknowledged_by: ADA });
  expect((await fetch(callback, { method: 'POST', body: form })).status).toBe(202);
  await system.settle();
  expect(await scenario.logOf(scenario.name('disk'))).toContain('acknowledged');
  expect(await pushover.received(({ cancelled }) => cancelled !== undefined)).toEqual({ cancelled: page.tags });
  await pushover.received(({ title, user }) => user === BOB && title?.includes('acknowledged by') === true);
  expect([gotify.unexpected(), pushover.unexpected()]).toEqual([[], []]);
});
