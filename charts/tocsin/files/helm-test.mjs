// Creates an alert through the gateway, waits until it is settled and, where RESPONDER names a responder, until a provider took
// a message about it. Then closes it. Each wait ends WITHIN_SECONDS after the start.
import { randomUUID } from 'node:crypto';
import { call, eventually } from './api.mjs';

const responder = process.env.RESPONDER === undefined ? undefined : JSON.parse(process.env.RESPONDER);
const started = performance.now();
const say = (text) => console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(5)} s  ${text}`);

const alias = `helm-test-${randomUUID()}`;
const alertId = await settled('created', '/v2/alerts', {
  message: 'helm test',
  alias,
  source: 'helm test',
  description: 'Made by helm test, and closed by it.',
  priority: 'P5',
  responders: responder === undefined ? [] : [responder],
});
try {
  if (responder === undefined) say('no person is paged: helmTest.responder is empty');
  else await handedOver();
} finally {
  await settled('closed', `/v2/alerts/${alertId}/close`, {});
}

/** Resolves when the request of a write is settled, with the alert's id. */
async function settled(done, path, body) {
  const { status, text, json } = await call('POST', path, body);
  if (status !== 202) throw new Error(`POST ${path} was answered ${status}: ${text}`);
  const { requestId } = json();
  say(`accepted: POST ${path}, request ${requestId}`);
  const { data } = await eventually(`the request ${requestId} is settled`, () =>
    found(`/v2/alerts/requests/${requestId}`),
  );
  if (!data.success) throw new Error(`the request ${requestId} failed: ${data.status}`);
  say(`settled: alert ${data.alertId} is ${done}`);
  return data.alertId;
}

async function handedOver() {
  const recipient = await eventually('a provider took the message', async () => {
    const recipients = (await found(`/v2/alerts/${alertId}/recipients`))?.data ?? [];
    return recipients.find(({ state }) => state === 'active');
  });
  say(`handed over: a message to ${recipient.user.username} by ${recipient.method}`);
  const { data } = await found(`/v2/alerts/${alertId}/logs?order=asc&limit=100`);
  for (const { log } of data) console.log(`         ${log}`);
}

/** What a GET answers, or undefined while it answers 404. */
async function found(path) {
  const { status, text, json } = await call('GET', path);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${text}`);
  return json();
}
