import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  sendText,
  startMessageGateway,
  startNtfy,
  startPushService,
  startTwilio,
  stepTo,
  twilioSettings,
  type Scenario,
} from '@tocsin/testkit';
import type { Api } from './system/api.ts';
import { useSystem } from './system/system.ts';

const TOKEN = 'a token of the push server';
const twilio = await startTwilio();
const ntfy = await startNtfy(TOKEN);
const receiver = await startMessageGateway();
const pushService = await startPushService();
const system = useSystem({
  LOG_LEVEL: 'trace',
  SMS_PROVIDERS: 'twilio',
  VOICE_PROVIDERS: 'twilio',
  ...twilioSettings(twilio.url),
  CALLBACK_URL: 'https://tocsin.example.com',
  PUSH_URL: ntfy.url,
  PUSH_TOKEN: TOKEN,
  OUTGOING_ALLOWED_RANGES: '127.0.0.1',
  WEBHOOK_ALLOWED_RANGES: '127.0.0.1',
  WEB_PUSH_ALLOWED_RANGES: '127.0.0.1',
  VAPID_PRIVATE_KEY: Buffer.alloc(32, 6).toString('base64'),
});
afterAll(() => Promise.all([twilio.stop(), ntfy.stop(), receiver.stop(), pushService.stop()]));

const PHONE = '1-5559876543';
const MAIL = 'jürgen.private@müller.example';
const HEADER = 'canary-of-a-header';
const URL_PART = 'canary-of-a-path';
const ENDPOINT_PART = 'canary-of-an-endpoint';

/** The private texts, by their kinds. */
const canaries = new Map<string, RegExp>([
  ['phone', /5\D{0,3}5\D{0,3}5\D{0,3}9\D{0,3}8\D{0,3}7\D{0,3}6\D{0,3}5\D{0,3}4\D{0,3}3/],
  ['mail', /private(?:@|%40)|gen\.private/],
  ['header', /canary-of-a-header/],
  ['url', /canary-of-a-path/],
  ['endpoint', /canary-of-an-endpoint/],
]);

const leaked = (texts: readonly string[]): readonly string[] =>
  [...canaries].flatMap(([kind, canary]) =>
    texts.filter((text) => canary.test(text)).map((text) => `${kind}: ${text.slice(0, 500)}`),
  );

let scenario: Scenario;
let reader: Api;
let alertId: string;
let webhookId: string;

/**
 * Ada is notified by every channel. All of them fail first, and what they answer repeats all that they were called with. She
 * acknowledges by her phone.
 */
beforeAll(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  const ada = scenario.address('ada');
  await system.api.create(`/v2/users/${ada}/contacts`, { method: 'sms', to: PHONE });
  await system.api.create(`/v2/users/${ada}/contacts`, { method: 'email', to: MAIL });
  const { topic } = await system.api.create<{ topic: string }>(`/v2/users/${ada}/devices`, { name: 'Phone' });
  canaries.set('topic', new RegExp(topic));
  const { publicKey = '' } = await system.api.read<{ publicKey?: string }>('/v2/web-push');
  const subscription = pushService.subscribe(publicKey, `/${ENDPOINT_PART}`);
  canaries.set('key of a browser', new RegExp(subscription.keys.p256dh));
  const { to: browser } = await system.api.create<{ to: string }>(`/v2/users/${ada}/browsers`, {
    name: 'Firefox',
    subscription,
  });
  await scenario.changeRule('ada', 'create-alert', {
    steps: [
      stepTo(PHONE, 0, 'sms'),
      stepTo(MAIL, 0, 'email'),
      stepTo(topic, 0, 'mobile'),
      stepTo(browser, 0, 'mobile'),
      stepTo(PHONE, 1, 'sms'),
    ],
  });
  const hook = {
    type: 'Webhook',
    name: scenario.name('Hook'),
    url: `${receiver.url}/${URL_PART}?key=${URL_PART}`,
    headers: { 'X-Token': HEADER },
    sendAlertActions: true,
    alertActions: ['Create', 'Acknowledge'],
  };
  webhookId = (await system.api.create<{ id: string }>('/v2/integrations', hook)).id;
  const readOnly = {
    type: 'API',
    name: scenario.name('Reader'),
    allowWriteAccess: false,
    allowConfigurationAccess: true,
  };
  reader = system.api.as((await system.api.create<{ apiKey: string }>('/v2/integrations', readOnly)).apiKey);
  await system.settle();

  const people = `+15559876543, +1 (555) 987-6543, 15559876543, ${MAIL}`;
  const saying = (message: string) => ({ refuse: 400, body: JSON.stringify({ message }) });
  twilio.next(saying(`${people} 1 (555) 987-6543`));
  ntfy.next(saying(`${people} ${topic} ${TOKEN}`));
  pushService.next(saying(`${subscription.endpoint} /${ENDPOINT_PART} ${subscription.keys.p256dh}`));
  receiver.next(saying(`${people} X-Token: ${HEADER} at /${URL_PART}?key=${URL_PART}`));
  await scenario.alert({ message: 'Disk full', alias: scenario.name('db'), responders: [scenario.user('ada')] });
  await system.pass(2);
  const { content } = await twilio.received(({ kind }) => kind === 'message', { timeoutMs: 0 });
  const [, code = ''] = /(\w+)\W*$/.exec(content) ?? [];
  const reply = { from: '+15559876543', text: `ack ${code}` };
  await sendText('https://tocsin.example.com/callbacks/twilio', reply, { at: system.api.url });
  // A contact that is sent twice, and a user who does not exist: their names are in requests and refusals.
  await system.api.request('POST', `/v2/users/${ada}/contacts`, { method: 'sms', to: PHONE });
  await system.api.request('GET', `/v2/users/${encodeURIComponent(MAIL)}`);
  await system.settle();
  system.mailbox.clear();
  ({ id: alertId } = await scenario.alertOf<{ id: string }>(scenario.name('db')));
});

it('keeps it out of every text of an alert', async () => {
  const texts = await Promise.all(
    ['', '/logs?limit=100', '/explanation', '/notes', '/recipients'].map(async (part) =>
      JSON.stringify(await reader.read(`/v2/alerts/${alertId}${part}`)),
    ),
  );
  expect(leaked(texts)).toEqual([]);
  const log = texts[1] ?? '';
  for (const said of [
    'The text message to',
    'The push to',
    'The webhook [',
    'acknowledges the alert by the reply of a text',
  ])
    expect(log).toContain(said);
});

it('keeps the path and the headers of a webhook from keys that may not write (K10)', async () => {
  const paths = ['/v2/integrations', `/v2/integrations/${webhookId}`, `/v2/integrations/${webhookId}/actions`];
  const texts = await Promise.all(paths.map(async (path) => JSON.stringify((await reader.request('GET', path)).body)));
  expect(texts[1]).toContain('X-Token');
  expect(leaked(texts)).toEqual([]);
});

it('keeps it out of every line of every log', () => {
  expect(system.logged().length).toBeGreaterThan(20);
  expect(leaked(system.logged())).toEqual([]);
});
