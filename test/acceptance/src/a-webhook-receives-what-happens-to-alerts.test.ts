import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { byAlias, startMessageGateway, type Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const receiver = await startMessageGateway();
const slow = await startMessageGateway();
const system = useSystem({ WEBHOOK_ALLOWED_RANGES: '127.0.0.1' });
let scenario: Scenario;

interface Made {
  readonly id: string;
  readonly apiKey: string;
}
interface ReceivedCall {
  readonly action: string;
  readonly integrationName: string;
  readonly alert: Readonly<Record<string, unknown>>;
}

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
});

afterEach(async () => {
  const { data = [] } = (await system.api.expect(200, 'GET', '/v2/integrations?type=Webhook')).body as {
    data?: readonly { readonly id: string }[];
  };
  for (const { id } of data) await system.api.expect(200, 'DELETE', `/v2/integrations/${id}`);
  for (const double of [receiver, slow]) double.always(undefined);
  await system.settle();
  const unexpected = [...receiver.unexpected(), ...slow.unexpected()].map(({ body }) => body);
  if (unexpected.length > 0) throw new Error(`No test asked for ${unexpected.join(', ')}.`);
});

afterAll(async () => {
  await Promise.all([receiver.stop(), slow.stop()]);
});

/** A webhook that selects everything named, and calls the receiver by default. */
async function webhook(alertActions: readonly string[], more: object = {}): Promise<Made> {
  const body = {
    type: 'Webhook',
    name: scenario.name('Hook'),
    url: `${receiver.url}/hook`,
    sendAlertActions: true,
    alertActions,
  };
  const made = await system.api.create<Made>('/v2/integrations', { ...body, ...more });
  await system.settle();
  return made;
}

/** The calls that the receiver accepted and the test did not request yet, in order. */
async function received(of = receiver): Promise<readonly ReceivedCall[]> {
  await system.settle();
  const came = of.unexpected().map(({ body }) => JSON.parse(body) as ReceivedCall);
  while (of.unexpected().length > 0) await of.received(() => true, { timeoutMs: 0 });
  return came;
}
const actionsOf = (all: readonly ReceivedCall[]) => all.map(({ action }) => action);

/** The log of the alert, which is closed. */
async function logOf(alertId: string): Promise<string> {
  await system.settle();
  const logs = await system.api.read<readonly { readonly log: string }[]>(`/v2/alerts/${alertId}/logs?limit=100`);
  return logs.map(({ log }) => log).join('\n');
}

const open = (of: string, more: object = {}) =>
  scenario.alert({ message: `Disk of ${of}`, alias: scenario.name(of), ...more });

describe('an alert without responders', () => {
  it('is sent, signed with the key of the integration, as long as the integration lists the action', async () => {
    const { apiKey } = await webhook(['Create', 'Acknowledge', 'Close']);
    await open('db', { description: 'No space left', details: { rack: 'b2' }, tags: ['disk'] });
    await scenario.act(scenario.name('db'), 'notes', { note: 'not selected' });
    await scenario.act(scenario.name('db'), 'acknowledge', { user: 'ada', note: 'mine' });
    await scenario.act(scenario.name('db'), 'close');
    const all = await received();
    expect(all).toMatchObject([
      {
        action: 'Create',
        integrationName: scenario.name('Hook'),
        alert: { message: 'Disk of db', alias: scenario.name('db'), tags: ['disk'] },
      },
      { action: 'Acknowledge', alert: { username: 'ada', note: 'mine' } },
      { action: 'Close' },
    ]);
    for (const { alert } of all) {
      expect(alert).not.toHaveProperty('details');
      expect(alert).not.toHaveProperty('description');
    }
    const { body = '', headers = {} } = receiver.requests[0] ?? {};
    const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-tocsin-signature'])) ?? [];
    const secret = createHmac('sha256', apiKey).update('tocsin-webhook-v1').digest('hex');
    expect(createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')).toBe(signature);
    expect(Number(at)).toBe(Math.floor(system.clock.now().getTime() / 1_000));
    expect(await logOf(String(all[0]?.alert['alertId']))).toContain(
      `The webhook [${scenario.name('Hook')}] accepted Close: it answered 200.`,
    );
  });

  it('is sent with details, description and headers where the integration says so, and only where its filter holds', async () => {
    await webhook(['Create', 'AddTeam', 'AddRecipient', 'AssignOwnership', 'TakeOwnership', 'Delete'], {
      headers: { 'X-Token': 'abc' },
      addAlertDetails: true,
      addAlertDescription: true,
      alertFilter: {
        conditionMatchType: 'match-all-conditions',
        conditions: [{ field: 'message', operation: 'contains', expectedValue: 'web' }],
      },
    });
    const user = scenario.address('ada');
    await open('db');
    await open('web', { description: 'No space left', details: { rack: 'b2' } });
    await scenario.act(scenario.name('web'), 'assign', { owner: { username: user } });
    await scenario.act(scenario.name('web'), 'assign', { owner: { username: user }, user });
    const all = await received();
    expect(all).toMatchObject([
      { action: 'Create', alert: { details: { rack: 'b2' }, description: 'No space left' } },
      { action: 'AssignOwnership', alert: { owner: user, username: 'Alert API' } },
      { action: 'TakeOwnership', alert: { owner: user, username: user } },
    ]);
    expect(receiver.requests.at(-1)?.headers).toMatchObject({ 'x-token': 'abc' });
    await system.api.expect(202, 'DELETE', byAlias(scenario.name('web')));
    expect(actionsOf(await received())).toEqual(['Delete']);
  });
});

describe('a receiver that refuses for now', () => {
  it('is sent again a little later, in order, and the log says so', async () => {
    await webhook(['Create', 'Close']);
    receiver.next({ refuse: 503 });
    await open('queue');
    await scenario.act(scenario.name('queue'), 'close');
    expect(await received()).toEqual([]);
    await system.pass(1);
    const [create, close] = await received();
    expect([create?.action, close?.action]).toEqual(['Create', 'Close']);
    expect(await logOf(String(create?.alert['alertId']))).toContain(
      'has not accepted Create yet and is called again for up to 15 minutes: it answered 503',
    );
    expect(new Set(receiver.requests.slice(-3).map(({ headers }) => headers['x-tocsin-delivery'])).size).toBe(2);
  });
});

describe('an alert that is deleted while a receiver refuses', () => {
  it('leaves no data behind, and is sent as deleted (A6)', async () => {
    await webhook(['Create', 'Delete']);
    receiver.next({ refuse: 503 });
    // So unlike any other word that nothing else has it.
    const stem = `q${randomBytes(5).toString('hex')}`;
    const alias = `${stem}alias`;
    const message = `${stem}message`;
    await scenario.alert({ message, alias, details: { [`${stem}key`]: `${stem}value` } });
    await system.settle();
    const waiting = await system.stored().wordsOf(stem);
    expect(waiting['notifier.deliveries']).toContain(message);
    await system.api.expect(202, 'DELETE', byAlias(alias));
    expect(actionsOf(await received())).toEqual(['Delete']);
    expect(await system.stored().wordsOf(stem)).toEqual({ 'alert_processor.request_statuses': [alias] });
    await system.pass(20);
    expect(await received()).toEqual([]);
  });
});

/** How long a page takes without a webhook. */
async function usualPageMs(): Promise<number> {
  const beganAt = performance.now();
  await open('usual', { responders: [scenario.user('ada')] });
  await system.mailbox.received(scenario.address('ada'), 'Disk of usual');
  return performance.now() - beganAt;
}

describe('a receiver that hangs', () => {
  /** A call is given up after ten seconds; a loaded machine takes long for every page. */
  it('keeps neither a page nor another integration waiting', async () => {
    const limit = { timeoutMs: Math.max(8_000, 5 * (await usualPageMs())) };
    slow.always({ hang: 'before' });
    await webhook(['Create'], { name: scenario.name('Slow'), url: slow.url });
    await webhook(['Create']);
    const before = slow.requests.length;
    await open('mail', { responders: [scenario.user('ada')] });
    await system.mailbox.received(scenario.address('ada'), 'Disk of mail', limit);
    const { body } = await receiver.received(() => true, limit);
    expect(JSON.parse(body)).toMatchObject({ action: 'Create', alert: { message: 'Disk of mail' } });
    expect(slow.requests).toHaveLength(before + 1);
    slow.always(undefined);
    await system.settle();
    await system.pass(1);
    expect(actionsOf(await received(slow))).toEqual(['Create']);
  });
});

describe('an address that no setting allows', () => {
  it('is not called, and the log and readiness say so', async () => {
    const { id } = await webhook(['Create'], { url: receiver.url.replace('127.0.0.1', '127.0.0.2') });
    await open('guard');
    expect(await received()).toEqual([]);
    expect(await scenario.logOf(scenario.name('guard'))).toContain('did not accept Create: it may not be called');
    await system.pass(60);
    const { body } = await system.api.expect(200, 'GET', '/v2/readiness?kind=post-refused');
    expect(body).toMatchObject({
      incompleteServices: [],
      data: [{ entity: { type: 'integration', id }, message: expect.stringContaining('it may not be called') }],
    });
  });
});

describe('an address that is allowed for webhooks', () => {
  it('is refused as the push service of a browser, which any user can name (U22)', async () => {
    const subscription = { endpoint: `${receiver.url}/push`, keys: { p256dh: 'x'.repeat(87), auth: 'x'.repeat(22) } };
    const browsers = `/v2/users/${scenario.address('ada')}/browsers`;
    const { body } = await system.api.expect(422, 'POST', browsers, { name: 'Phone', subscription });
    expect(body).toMatchObject({ errors: { 'subscription.endpoint': expect.stringContaining('is refused') } });
  });
});

describe('an integration that is disabled', () => {
  it('receives nothing any more', async () => {
    const { id } = await webhook(['Create']);
    await system.api.expect(200, 'POST', `/v2/integrations/${id}/disable`);
    await system.settle();
    await open('off');
    expect(await received()).toEqual([]);
    await system.api.expect(200, 'POST', `/v2/integrations/${id}/enable`);
    await system.settle();
    await open('on');
    expect(actionsOf(await received())).toEqual(['Create']);
  });
});
