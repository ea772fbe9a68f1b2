import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, SLACK_APP, slackPress, type SlackDouble, startSlack } from '@tocsin/testkit';
import type { ActStore } from '../../answers/store.ts';
import { useStores } from '../../testing/mongo-fixture.ts';
import { ada } from '../../testing/page-samples.ts';
import { SocketInstallation, socketProcess, type SocketProcessOptions } from '../../testing/slack-sockets-fixture.ts';

const OTHER_TOKEN = 'xapp-of-another-app';
const MINUTE_MS = 60_000;

const open = useStores();
let slack: SlackDouble;
let installation: SocketInstallation;
let stores: Awaited<ReturnType<typeof open>>;
const closings: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  stores = await open();
  slack = await startSlack();
  installation = new SocketInstallation(slack);
  installation.put('hook');
});
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
  await slack.stop();
});

function process(options: Partial<SocketProcessOptions> = {}) {
  const { acts, connection } = stores;
  const started = socketProcess(slack, installation, { acts, connection, ...options });
  closings.push(() => started.stop());
  return started;
}

const connections = (count: number): Promise<void> =>
  eventually(() => {
    expect(slack.sockets.count).toBe(count);
  });

/** A process that has the connection. */
async function connected(options: Partial<SocketProcessOptions> = {}) {
  const started = process(options);
  await started.look();
  await connections(1);
  return started;
}

const press = (token: string, fields: object = {}): string =>
  slack.sockets.report('interactive', slackPress(token, { response_url: `${slack.url}/answer`, ...fields }));

const command = (text: string, fields: object = {}): string =>
  slack.sockets.report('slash_commands', {
    command: '/tocsin',
    text,
    user_id: 'U0ADA',
    team_id: SLACK_APP.workspace,
    trigger_id: `trigger of ${text}`,
    response_url: `${slack.url}/answer`,
    ...fields,
  });

const acknowledgementOf = (id: string) =>
  eventually(() => {
    const found = slack.sockets.acknowledged.find((each) => each.id === id);
    if (found === undefined) throw new Error('It is not acknowledged.');
    return found;
  });

const answers = (): readonly string[] =>
  slack.requests
    .filter(({ path }) => path === '/answer')
    .map(({ body }) => (JSON.parse(body) as { text: string }).text);

const isAnswered = (...texts: readonly string[]): Promise<void> =>
  eventually(() => {
    expect(answers()).toEqual(texts.map((text): unknown => expect.stringContaining(text)));
  });

/** Acts that wait until they are let through, so that an envelope is under way. */
function held(): { acts: Pick<ActStore, 'take' | 'isKnown'>; begun: () => Promise<void>; letThrough: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let count = 0;
  const acts: Pick<ActStore, 'take' | 'isKnown'> = {
    take: async (act, at) => {
      count += 1;
      await promise;
      return stores.acts.take(act, at);
    },
    isKnown: (id) => stores.acts.isKnown(id),
  };
  const begun = () =>
    eventually(() => {
      expect(count).toBeGreaterThan(0);
    });
  return {
    acts,
    begun,
    letThrough: () => {
      resolve(undefined);
    },
  };
}

describe('a press that comes by a connection (C7)', () => {
  it('acts once as the user of the account, also where it comes again, and is answered in private', async () => {
    await connected();
    const button = installation.button('acknowledge');
    expect(await acknowledgementOf(press(button))).not.toHaveProperty('payload.text');
    await isAnswered('Alert #7: your acknowledgement is accepted.');
    await acknowledgementOf(press(button));
    await isAnswered('is accepted', 'was pressed already');
    expect(await stores.commands()).toMatchObject([{ kind: 'acknowledge', actor: 'ada@example.com', source: 'slack' }]);
    expect((await stores.decisions())[0]?.findings[0]?.text).toBe(
      'ada@example.com acknowledges the alert by the button of a post in Slack of integration [Channel hook].',
    );
  });

  it('is acknowledged once its act is stored, and where that fails comes again', async () => {
    const { acts, begun, letThrough } = held();
    await connected({ acts });
    const id = press(installation.button('close'));
    await begun();
    expect(slack.sockets.acknowledged).toEqual([]);
    // The connection breaks before the acknowledgement: Slack gives the envelope to the next one.
    slack.sockets.cut();
    await eventually(() => {
      expect(slack.sockets.waiting).toEqual([id]);
    });
    letThrough();
    await acknowledgementOf(id);
    expect(await stores.commands()).toMatchObject([{ kind: 'close' }]);
  });

  it('is not acknowledged where its act cannot be stored, and is one act at the next process', async () => {
    const isKnown = () => Promise.resolve(false);
    const broken = await connected({ acts: { isKnown, take: () => Promise.reject(new Error('no database')) } });
    const id = press(installation.button('close'));
    await eventually(() => {
      expect(broken.failed).toHaveLength(1);
    });
    expect(slack.sockets.waiting).toEqual([id]);
    await broken.stop();
    await connected();
    await acknowledgementOf(id);
    expect(await stores.commands()).toMatchObject([{ kind: 'close' }]);
  });

  it('changes nothing with a button of another app, of no integration, or that Tocsin has not signed', async () => {
    installation.put('other', {}, OTHER_TOKEN);
    const { outcomes } = await connected();
    const tokens = [installation.button('close', 'other'), installation.button('close', 'gone'), 'forged'];
    for (const token of tokens) await acknowledgementOf(press(token));
    await acknowledgementOf(slack.sockets.report('interactive', { type: 'view_closed' }));
    expect([outcomes, await stores.commands(), answers()]).toEqual([Array(4).fill('refused'), [], []]);
  });

  it('changes nothing after 7 days, for an account without a user, and for a user who may only read', async () => {
    await connected();
    const button = installation.button('close');
    await acknowledgementOf(press(button, { user: { id: 'U0GUEST' } }));
    await isAnswered('no user of Tocsin');
    installation.user = ada({ role: 'observer' });
    await acknowledgementOf(press(button));
    await isAnswered('no user', 'may not change alerts');
    installation.clock.advance(7 * 24 * 60 * MINUTE_MS);
    await acknowledgementOf(press(button));
    await isAnswered('no user', 'may not', 'this button has expired');
    expect(await stores.commands()).toEqual([]);
  });
});

describe('a command that comes by a connection (C9)', () => {
  it('is answered in its acknowledgement, through the integration without owner team that has the token', async () => {
    installation.put('a', { ownerTeamId: 't1' });
    await connected();
    const { payload } = await acknowledgementOf(command('help'));
    expect(payload).toMatchObject({ response_type: 'ephemeral', text: expect.stringContaining('Commands:') });
  });

  it('changes nothing where a team alone has the token, and is none without its fields', async () => {
    installation.put('hook', { ownerTeamId: 't1' });
    await connected();
    expect((await acknowledgementOf(command('ack 12'))).payload).toMatchObject({
      text: expect.stringContaining('this integration is one of a team'),
    });
    expect((await acknowledgementOf(command('ack 12', { user_id: '../x' }))).payload).toBeUndefined();
  });
});

describe('the connection of an app', () => {
  it('is one for all integrations with its token, and one for each app', async () => {
    installation.put('second', { ownerTeamId: 't1' });
    await connected();
    await acknowledgementOf(press(installation.button('acknowledge', 'second')));
    await acknowledgementOf(press(installation.button('close', 'hook')));
    // The alert is none of the team of the second integration.
    expect(await stores.commands()).toMatchObject([{ kind: 'close' }]);
    expect(slack.requests.filter(({ path }) => path === '/apps.connections.open')).toHaveLength(1);
  });

  it('is one also for an integration whose URL ends with a slash, and takes its presses', async () => {
    installation.put('second');
    const settings = installation.settings.get('second');
    if (settings === undefined) throw new Error('It was put.');
    installation.settings.set('second', { ...settings, url: `${slack.url}/` });
    await connected();
    await acknowledgementOf(press(installation.button('close', 'second')));
    expect(await stores.commands()).toMatchObject([{ kind: 'close' }]);
    expect(slack.requests.filter(({ path }) => path === '/apps.connections.open')).toHaveLength(1);
  });

  it.each([
    [
      'it is disabled',
      () => {
        installation.put('hook', { enabled: false });
      },
    ],
    [
      'it is deleted',
      () => {
        installation.integrations.remove('hook');
      },
    ],
    [
      'its token is removed',
      () => {
        installation.put('hook', {}, '');
      },
    ],
    [
      'its token is replaced',
      () => {
        installation.put('hook', {}, OTHER_TOKEN);
      },
    ],
  ])('is closed where %s', async (_, change) => {
    const { look } = await connected();
    change();
    await look();
    await connections(0);
    expect(slack.sockets.count).toBe(0);
  });

  it.each([[[]], [[SLACK_APP.workspace]], [['https://slack.com/api']]])(
    'is not opened where the operator trusts %j',
    async (trusted) => {
      const { failures, look } = process({ trusted });
      await look();
      expect(slack.requests).toEqual([]);
      expect(await failures.all(installation.clock.now())).toEqual([]);
    },
  );

  it.each(['warning', 'refresh_requested'])(
    'is replaced before it ends where Slack says %s, and acknowledges what came by it',
    async (reason) => {
      const { acts, begun, letThrough } = held();
      await connected({ acts });
      const id = press(installation.button('close'));
      await begun();
      slack.sockets.disconnect(reason);
      await connections(2);
      letThrough();
      await acknowledgementOf(id);
      await connections(1);
      await acknowledgementOf(press(installation.button('close')));
      expect(await stores.commands()).toHaveLength(1);
    },
  );

  it('is opened again where it breaks, and where Slack falls silent', async () => {
    await connected({ pingEveryMs: 20 });
    slack.sockets.cut();
    await eventually(() => {
      expect(slack.requests.filter(({ path }) => path === '/apps.connections.open')).toHaveLength(2);
    });
    await connections(1);
    slack.sockets.fallSilent();
    await eventually(() => {
      expect(slack.requests.length).toBeGreaterThan(2);
    });
  });

  it('goes on after messages that it does not know', async () => {
    await connected();
    const unknown = slack.sockets.report('events_api', { event: { type: 'message' } });
    for (const text of ['', '{', 'null', '[]', '{"type":1}', '{"type":"interactive","envelope_id":""}'])
      slack.sockets.send(text);
    slack.sockets.send('{"type":"interactive","payload":null,"envelope_id":"x"}');
    slack.sockets.send(Buffer.from([0x82, 1, 7]));
    expect(await acknowledgementOf(unknown)).toEqual({ id: unknown, payload: undefined });
    await acknowledgementOf(press(installation.button('close')));
    expect(await stores.commands()).toHaveLength(1);
  });

  it('ends with a message that is too long, and is opened again', async () => {
    await connected();
    slack.sockets.send('x'.repeat(300 * 1024));
    await eventually(() => {
      expect(slack.requests.filter(({ path }) => path === '/apps.connections.open')).toHaveLength(2);
    });
    await acknowledgementOf(press(installation.button('close')));
  });
});

describe('of two processes', () => {
  it('one holds the connection, and the other takes it over when the first stops', async () => {
    const first = await connected();
    const second = process();
    await second.look();
    await first.look();
    expect(slack.requests).toHaveLength(1);
    await first.stop();
    await connections(0);
    await second.look();
    await connections(1);
    await acknowledgementOf(press(installation.button('close')));
    expect([first.outcomes, second.outcomes]).toEqual([[], ['acted']]);
  });

  it('the one that lost its lease, such as one that was frozen, ends what is under way and closes its connection', async () => {
    const { acts, begun, letThrough } = held();
    const leaseMs = 2_000;
    const first = await connected({ acts, leaseMs });
    const id = press(installation.button('close'));
    await begun();
    const second = process({ leaseMs });
    await eventually(async () => {
      await second.look();
      expect(slack.sockets.count).toBe(2);
    });
    await first.look();
    letThrough();
    await acknowledgementOf(id);
    await connections(1);
    await acknowledgementOf(press(installation.button('close')));
    expect([first.outcomes, second.outcomes]).toEqual([['acted'], ['repeated']]);
    expect(await stores.commands()).toHaveLength(1);
  });

  it('the second one takes again what the first has done, and did not acknowledge before it was killed', async () => {
    const first = await connected({ leaseMs: 1 });
    slack.sockets.loseAcknowledgements(1);
    const id = press(installation.button('close'));
    await isAnswered('is accepted');
    expect(slack.sockets.waiting).toEqual([id]);
    slack.sockets.cut();
    await first.stop();
    const second = process();
    await second.look();
    await acknowledgementOf(id);
    expect(second.outcomes).toEqual(['repeated']);
    expect(await stores.commands()).toHaveLength(1);
  });
});

describe('where no connection can be opened (S17)', () => {
  const reason = (process: Awaited<ReturnType<typeof connected>>) =>
    eventually(async () => {
      const [failure] = await process.failures.all(installation.clock.now());
      if (failure === undefined) throw new Error('There is no failure.');
      return failure;
    });

  it.each([
    ['invalid_auth', 'it answered invalid_auth (the app-level token is wrong)'],
    ['missing_scope', 'it answered missing_scope (the app-level token needs the scope connections:write)'],
    ['internal_error', 'it answered internal_error'],
    [`<b>${SLACK_APP.appToken}`, 'it answered <b>[secret]'],
  ])('as Slack says %s, the reason is known without the token', async (error, expected) => {
    slack.refuseSockets(error);
    const started = process();
    await started.look();
    expect(await reason(started)).toEqual({
      since: installation.clock.now(),
      reason: expected,
      integrationIds: ['hook'],
    });
  });

  it.each([
    ['link_disabled', 'Socket Mode is off in the settings of the app'],
    ['too_many_websockets', 'the app has too many connections: another program uses its token'],
  ])('as Slack ends it by %s, the reason is known', async (said, expected) => {
    const started = await connected();
    slack.sockets.disconnect(said);
    expect(await reason(started)).toMatchObject({ reason: expected });
  });

  it('the failure ends with a connection, also of another process', async () => {
    slack.refuseSockets('internal_error');
    const started = process();
    await started.look();
    await reason(started);
    slack.refuseSockets(undefined);
    await connections(1);
    await eventually(async () => {
      expect(await started.failures.all(installation.clock.now())).toEqual([]);
    });
  });

  it('apps for which there is no place are known', async () => {
    installation.put('own', { ownerTeamId: 't1' }, 'xapp-1');
    const started = process({ limits: { inAll: 1, each: 1 } });
    await started.look();
    // The app that has the place may be the one whose token the double refuses.
    const reasons = (await started.failures.all(installation.clock.now())).map(({ reason: each }) => each);
    expect(reasons).toContainEqual(expect.stringContaining('there is no place: a team has 1 connections at most'));
  });
});
