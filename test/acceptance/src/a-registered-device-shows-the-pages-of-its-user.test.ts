import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { type PushedMessage, startNtfy, stepTo, type Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const TOKEN = 'a token of the push server';
const ntfy = await startNtfy(TOKEN);
const PUBLIC_URL = 'https://tocsin.example.com';
const system = useSystem({ PUSH_URL: ntfy.url, PUSH_TOKEN: TOKEN, PUBLIC_URL, OUTGOING_ALLOWED_RANGES: '127.0.0.1' });
afterAll(() => ntfy.stop());

let scenario: Scenario;
let ada: string;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  ada = `/v2/users/${scenario.address('ada')}`;
});

interface Device {
  readonly id: string;
  readonly topic: string;
}

const register = (name: string): Promise<Device> => system.api.create<Device>(`${ada}/devices`, { name });

/** Has new alerts pushed to the topic, after so many minutes, and sent in no other way. */
async function pushTo(...steps: readonly (readonly [topic: string, minutes: number])[]): Promise<void> {
  await scenario.changeRule('ada', 'create-alert', {
    steps: steps.map(([to, minutes]) => stepTo(to, minutes, 'mobile')),
  });
  await system.settle();
}

const alertAda = (of: string) =>
  scenario.alert({
    message: `Disk of ${of}`,
    alias: scenario.name(of),
    priority: 'P1',
    responders: [scenario.user('ada')],
  });

const isVerified = async ({ id }: Device) =>
  (await system.api.read<{ device: { verified: boolean } }>(`${ada}/contacts/${id}`)).device.verified;

it('a device that is registered shows the pages of its user, and the first one verifies it', async () => {
  const device = await register('Phone');
  await pushTo([device.topic, 0]);
  expect(await isVerified(device)).toBe(false);
  await alertAda('db');
  await system.settle();
  const push = await ntfy.received(({ topic }) => topic === device.topic);
  expect(push).toMatchObject({ priority: 5, title: expect.stringContaining('Disk of db') });
  expect(await isVerified(device)).toBe(true);
  expect(ntfy.unexpected()).toEqual([]);
});

it('a device receives no more once a user acknowledged, and nothing goes to a topic that is no registered device', async () => {
  const [first, second] = [await register('Phone'), await register('Tablet')];
  await pushTo([first.topic, 0], ['topic-of-a-stranger', 0], [second.topic, 5]);
  await alertAda('web');
  await system.settle();
  await ntfy.received(({ topic }) => topic === first.topic);
  await scenario.act(scenario.name('web'), 'acknowledge');
  await system.pass(6);
  expect(ntfy.unexpected()).toEqual([]);
  expect(await isVerified(second)).toBe(false);
  expect(await scenario.logOf(scenario.name('web'))).toContain('is skipped: no such device is registered.');
});

/** What the devices of ntfy do with the button of a message: a request without a key and without a body. */
async function press({ actions = [] }: PushedMessage): Promise<number> {
  const [action] = actions;
  if (action?.action !== 'http') throw new Error('there is no button that acts');
  const url = system.api.url + action.url.slice(PUBLIC_URL.length);
  const { status } = await fetch(url, { method: action.method ?? 'POST' });
  return status;
}

it('the button of a push acknowledges with one tap, and once (U14)', async () => {
  const device = await register('Phone');
  await pushTo([device.topic, 0]);
  await alertAda('one-tap');
  await system.settle();
  const push = await ntfy.received(({ topic }) => topic === device.topic);
  expect(await press(push)).toBe(202);
  await system.settle();
  expect(await press(push)).toBe(200);
  expect(await scenario.logOf(scenario.name('one-tap'))).toContain('acknowledged');
});

it('a device shows in place of the page that another user has acknowledged or closed the alert', async () => {
  const device = await register('Phone');
  await pushTo([device.topic, 0]);
  for (const actionType of ['acknowledged-alert', 'closed-alert'] as const)
    await scenario.changeRule('ada', actionType, { enabled: true, steps: [stepTo(device.topic, 0, 'mobile')] });
  await alertAda('shown');
  await system.settle();
  const received = async (title: string) =>
    ntfy.received((push) => push.topic === device.topic && push.title?.includes(title) === true);
  const page = await received('Disk of shown');
  await scenario.act(scenario.name('shown'), 'acknowledge');
  await system.settle();
  const acknowledged = await received('acknowledged by');
  await scenario.act(scenario.name('shown'), 'close');
  await system.settle();
  const closed = await received('closed by');
  expect(page.sequence_id).toMatch(/^[\w-]{32}$/);
  expect([acknowledged.sequence_id, closed.sequence_id]).toEqual([page.sequence_id, page.sequence_id]);
  expect(acknowledged).not.toHaveProperty('actions');
});
