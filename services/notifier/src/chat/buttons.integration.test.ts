import { afterEach, describe, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import type { ButtonProvider, IntegrationState, RoleState, UserState, WebhookSettings } from '@tocsin/events';
import { LinkSigner, OutgoingCaller, PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import {
  eventually,
  MATTERMOST_BOT,
  SLACK_APP,
  slackSignature,
  startMattermost,
  startMessageGateway,
  startSlack,
} from '@tocsin/testkit';
import request from 'supertest';
import { AnswerAlerts } from '../answers/operations.ts';
import { ButtonLinks } from '../channels/callbacks/links.ts';
import { setUpApp, SIGNING_KEY } from '../testing/app-fixture.ts';
import { KnownAlerts } from '../testing/known-alerts.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { ada } from '../testing/page-samples.ts';
import { webhookSettings } from '../testing/webhook-samples.ts';
import { AccountUsers } from './account-operations.ts';
import { TakeButtons } from './button-operations.ts';
import type { ButtonSubject } from './button.ts';
import { MattermostClient } from './mattermost/client.ts';
import { SlackClient } from './slack/client.ts';
import { TrustedAccounts } from './trusted-accounts.ts';

const NOW = new Date('2026-01-05T08:00:00Z');
const SECONDS = NOW.getTime() / 1_000;
const DAY_MS = 86_400_000;
const KEYS = [SIGNING_KEY];
const USERS = { slack: 'U0ADA', mattermost: 'ada'.padEnd(26, '0') };

const open = useStores();
const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** An integration `hook` of a double, and the route at which the double reports presses. */
async function setUp(provider: ButtonProvider, trusted?: readonly string[], unknownMayAct = false) {
  const { acts, commands, decisions } = await open();
  const double = await (provider === 'slack' ? startSlack() : startMattermost());
  closings.push(() => double.stop());
  const clock = new ManualClock(NOW);
  const alerts = new KnownAlerts();
  const state: {
    accounts: TrustedAccounts;
    user: UserState | Error | undefined;
    settings: WebhookSettings | undefined;
    integration: IntegrationState | undefined;
    role: RoleState | undefined;
  } = {
    role: undefined,
    accounts: new TrustedAccounts(trusted ?? [`${double.url}/`, SLACK_APP.workspace], { isReachable: true }),
    user: ada(),
    integration: {
      id: 'hook',
      name: 'Ops',
      type: 'Slack',
      enabled: true,
      allowReadAccess: true,
      allowWriteAccess: true,
      allowConfigurationAccess: false,
      suppressNotifications: false,
    },
    settings: webhookSettings({
      url: double.url,
      chat: {
        provider,
        channel: 'c',
        token: provider === 'slack' ? SLACK_APP.token : MATTERMOST_BOT.token,
        thread: 'all',
        ...(provider === 'slack' && { signingSecret: SLACK_APP.signingSecret }),
      },
    }),
  };
  const users = {
    get: () => undefined,
    isDeleted: () => false,
    fetch: (_: string, name: string) => {
      if (Error.isError(state.user)) return Promise.reject(state.user);
      return Promise.resolve(state.user?.username === name ? state.user : undefined);
    },
  };
  const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
  const links = new ButtonLinks({
    baseUrl: 'https://tocsin.example.com',
    links: new LinkSigner(KEYS, 'chat-button'),
    clock,
  });
  const outcomes: string[] = [];
  const clients = { slack: new SlackClient(outgoing), mattermost: new MattermostClient(outgoing) };
  const buttons = new TakeButtons({
    links,
    settings: { of: () => Promise.resolve(state.settings) },
    integrations: { get: () => state.integration },
    clients,
    accounts: state.accounts,
    accountUsers: new AccountUsers({
      clients,
      accounts: state.accounts,
      users,
      roles: { get: () => state.role },
      unknownMayAct,
    }),
    alerts,
    answers: new AnswerAlerts({ acts, alerts, users, clock }),
    clock,
    onCallback: (outcome) => void outcomes.push(outcome),
  });
  const { app } = setUpApp({
    chats: { buttons, commands: { take: () => Promise.reject(new Error('it is no command')) } },
    callbacks: { take: () => Promise.reject(new Error('it is no callback')) },
  });
  const signed = (action: ButtonSubject['action']) =>
    links.sign(provider, { integrationId: 'hook', alertId: 'a1', tinyId: '7', action });
  const post = async (path: string, body: string, headers: Readonly<Record<string, string>>) => {
    const principal = await new PrincipalSigner(KEYS).sign({ service: 'gateway' }, 'notifier', NOW);
    return request(app).post(path).set(PRINCIPAL_HEADER, principal).set(headers).send(body);
  };
  /** Reports a press as the product does. Resolves with the status, and with the text that the user alone sees. */
  const press = async (
    { token, url }: ReturnType<typeof signed>,
    {
      at = SECONDS,
      secret = SLACK_APP.signingSecret,
      user = USERS[provider],
      answerAt,
    }: { at?: number; secret?: string; user?: string; answerAt?: string } = {},
  ): Promise<readonly [status: number, text: string | undefined]> => {
    if (provider === 'mattermost') {
      const { pathname, search } = new URL(url);
      expect(search).toBe('');
      const body = JSON.stringify({ user_id: user, context: { token } });
      const answer = await post(pathname, body, { 'content-type': 'application/json' });
      return [answer.status, (answer.body as { ephemeral_text?: string }).ephemeral_text];
    }
    const payload = {
      type: 'block_actions',
      user: { id: user },
      actions: [{ action_id: 'x', value: token }],
      response_url: answerAt ?? `${double.url}/answer`,
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const answers = () => double.requests.filter(({ path }) => path === '/answer');
    const before = answers().length;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status } = await post('/callbacks/slack', body, { ...type, ...slackSignature(body, at, secret) });
    if (status !== 200 || answerAt !== undefined) return [status, undefined];
    const said = await eventually(() => {
      const found = answers()[before];
      if (found === undefined) throw new Error('There is no answer.');
      return JSON.parse(found.body) as { response_type: string; replace_original: boolean; text: string };
    });
    expect([said.response_type, said.replace_original]).toEqual(['ephemeral', false]);
    return [status, said.text];
  };
  return { alertIs: alerts.set, clock, commands, decisions, outcomes, post, press, signed, state };
}

describe.each(['slack', 'mattermost'] as const)('a button in %s (C7)', (provider) => {
  it('acts once as the user with the mail address of the account, and answers that user alone', async () => {
    const { commands, decisions, outcomes, press, signed } = await setUp(provider);
    const button = signed('acknowledge');
    expect(await press(button)).toEqual([200, 'Alert #7: your acknowledgement is accepted.']);
    expect(await press(button)).toEqual([200, 'Alert #7: this button was pressed already.']);
    expect(await press(signed('snooze'))).toEqual([200, 'Alert #7: your order to snooze it for an hour is accepted.']);
    expect(await press(signed('close'))).toEqual([200, 'Alert #7: your order to close it is accepted.']);
    expect(await commands()).toMatchObject([
      { kind: 'acknowledge', actor: 'ada@example.com', source: provider, identifier: { type: 'id', value: 'a1' } },
      { kind: 'snooze', endTime: '2026-01-05T09:00:00.000Z' },
      { kind: 'close' },
    ]);
    const [first] = await decisions();
    const product = provider === 'slack' ? 'Slack' : 'Mattermost';
    expect(first?.findings[0]?.text).toBe(
      `ada@example.com acknowledges the alert by the button of a post in ${product} of integration [Ops].`,
    );
    expect(outcomes).toEqual(['acted', 'repeated', 'acted', 'acted']);
  });

  it.each([
    [{ acknowledged: true }, 'acknowledge', 'it is acknowledged already.'],
    [{ status: 'closed' }, 'snooze', 'nothing was changed, it is closed.'],
    ['gone', 'close', 'nothing was changed, it was deleted.'],
  ] as const)('changes nothing where the alert is %j', async (alert, action, text) => {
    const { alertIs, commands, outcomes, press, signed } = await setUp(provider);
    alertIs(alert);
    expect(await press(signed(action))).toEqual([200, `Alert #7: ${text}`]);
    expect([await commands(), outcomes]).toEqual([[], ['pointless']]);
  });

  it('changes nothing for an account without a user or an address, or of a user who is blocked or may only read', async () => {
    const { commands, outcomes, press, signed, state } = await setUp(provider);
    const stranger = provider === 'slack' ? 'U0EVE' : 'eve'.padEnd(26, '0');
    expect(await press(signed('close'), { user: stranger })).toEqual([
      200,
      expect.stringContaining('no user of Tocsin'),
    ]);
    const none = provider === 'slack' ? 'U0NONE' : 'none'.padEnd(26, '0');
    expect(await press(signed('close'), { user: none })).toEqual([200, expect.stringContaining('looked up')]);
    for (const role of ['observer', 'stakeholder']) {
      state.user = ada({ role });
      expect(await press(signed('close'))).toEqual([200, expect.stringContaining('may not change alerts')]);
    }
    state.user = ada({ role: 'Night watch' });
    expect(await press(signed('close'))).toEqual([200, expect.stringContaining('may not change alerts')]);
    state.role = { id: 'Night watch', extendedRole: 'observer' };
    expect(await press(signed('close'))).toEqual([200, expect.stringContaining('may not change alerts')]);
    state.user = ada({ blocked: true });
    expect(await press(signed('close'))).toEqual([200, expect.stringContaining('no user of Tocsin')]);
    expect([await commands(), outcomes]).toEqual([[], Array.from({ length: 7 }, () => 'unusable')]);
    state.user = new UnavailableError('Directory is unavailable.');
    expect((await press(signed('close')))[0]).toBe(503);
  });

  it('of an integration of a team changes only alerts that its team may see (K4)', async () => {
    const { alertIs, commands, outcomes, press, signed, state } = await setUp(provider);
    const { integration } = state;
    if (integration === undefined) throw new Error('There is no integration.');
    state.integration = { ...integration, ownerTeamId: 't1' };
    alertIs({ teamIds: ['t2'] });
    expect(await press(signed('close'))).toEqual([200, expect.stringContaining('no longer an alert of the team')]);
    alertIs('unavailable');
    expect(await press(signed('close'))).toEqual([200, expect.stringContaining('cannot be looked up')]);
    state.integration = undefined;
    alertIs({});
    expect(await press(signed('close'))).toEqual([200, expect.stringContaining('cannot be looked up')]);
    expect([await commands(), outcomes]).toEqual([[], ['unusable', 'unusable', 'unusable']]);
    state.integration = { ...integration, ownerTeamId: 't1' };
    alertIs({ teamIds: ['t2', 't1'] });
    expect(await press(signed('close'))).toEqual([200, 'Alert #7: your order to close it is accepted.']);
  });

  it('is refused after 7 days, with another token, and where the integration is off or another one', async () => {
    const { clock, commands, outcomes, press, signed, state } = await setUp(provider);
    const button = signed('close');
    const forged = { ...button, token: `${button.token.slice(0, -2)}xx` };
    expect(await press(forged)).toEqual([403, undefined]);
    const { settings } = state;
    for (const change of [{ isOn: false }, { chat: undefined }]) {
      state.settings = webhookSettings({ ...settings, ...(change as object) });
      expect((await press(button))[0]).toBe(403);
    }
    state.settings = undefined;
    expect((await press(button))[0]).toBe(403);
    clock.advance(7 * DAY_MS);
    expect((await press(button, { at: clock.now().getTime() / 1_000 }))[0]).toBe(404);
    expect(await commands()).toEqual([]);
    expect(new Set(outcomes)).toEqual(new Set(['refused', 'expired']));
  });
});

describe.each(['slack', 'mattermost'] as const)('where accounts of %s without a user may act (C7)', (provider) => {
  const setUpOpen = () => setUp(provider, undefined, true);
  const idOf = (name: string): string => (provider === 'slack' ? `U0${name.toUpperCase()}` : name.padEnd(26, '0'));
  const product = provider === 'slack' ? 'Slack' : 'Mattermost';

  it('a button acts in the name of the account, once', async () => {
    const { commands, decisions, press, signed } = await setUpOpen();
    const button = signed('acknowledge');
    const user = idOf('max');
    expect(await press(button, { user })).toEqual([200, 'Alert #7: your acknowledgement is accepted.']);
    expect(await press(button, { user })).toEqual([200, 'Alert #7: this button was pressed already.']);
    // Signs that change how text is shown are not in the log.
    expect(await commands()).toMatchObject([{ kind: 'acknowledge', actor: `${product}: max` }]);
    const [first] = await decisions();
    expect(first?.findings[0]).toMatchObject({
      text: `${product}: max acknowledges the alert by the button of a post in ${product} of integration [Ops].`,
      facts: { account: user, action: 'acknowledge', by: 'button', method: provider },
    });
    expect(first?.findings[0]?.facts).not.toHaveProperty('userId');
  });

  it('an account with a user acts as that user', async () => {
    const { commands, press, signed } = await setUpOpen();
    expect((await press(signed('close')))[1]).toContain('is accepted');
    expect(await commands()).toMatchObject([{ kind: 'close', actor: 'ada@example.com' }]);
  });

  it('a blocked user, one who may only read, a bot and an account without a verified address change nothing', async () => {
    const { commands, press, signed, state } = await setUpOpen();
    for (const [user, text] of [
      [ada({ blocked: true }), 'no user of Tocsin'],
      [ada({ role: 'observer' }), 'may not change alerts'],
      [ada({ role: 'stakeholder' }), 'may not change alerts'],
    ] as const) {
      state.user = user;
      expect(await press(signed('close'))).toEqual([200, expect.stringContaining(text)]);
    }
    for (const name of ['bot', 'hidden'])
      expect(await press(signed('close'), { user: idOf(name) })).toEqual([
        200,
        expect.stringContaining('no user of Tocsin'),
      ]);
    expect(await commands()).toEqual([]);
  });
});

describe('an account (C7)', () => {
  it('of another workspace changes nothing where accounts without a user may act', async () => {
    const { commands, press, signed } = await setUp('slack', undefined, true);
    for (const user of ['U0GUEST', 'U0STRANGER'])
      expect(await press(signed('close'), { user })).toEqual([200, expect.stringContaining('no user of Tocsin')]);
    expect(await commands()).toEqual([]);
  });

  it('of another workspace acts as no user, whatever its address', async () => {
    const { commands, press, signed } = await setUp('slack');
    expect(await press(signed('close'), { user: 'U0GUEST' })).toEqual([
      200,
      expect.stringContaining('no user of Tocsin'),
    ]);
    expect(await commands()).toEqual([]);
  });

  it.each([
    ['slack', []],
    ['slack', [SLACK_APP.workspace]],
    ['slack', ['https://slack.com/api']],
    ['mattermost', []],
    ['mattermost', ['https://chat.example.com']],
  ] as const)('of a server of %s acts as no user where the operator names %j', async (provider, trusted) => {
    const { commands, press, signed } = await setUp(provider, trusted);
    expect((await press(signed('close')))[0]).toBe(403);
    expect(await commands()).toEqual([]);
  });

  it.each(['ada@example.com', 'me', '../posts', ''])('with the id %j is none', async (user) => {
    for (const provider of ['slack', 'mattermost'] as const) {
      const { press, signed } = await setUp(provider);
      expect((await press(signed('close'), { user }))[0]).toBe(403);
    }
  });
});

describe('a report of Slack', () => {
  it('is answered at no other server than that of the integration and Slack', async () => {
    const { commands, press, signed } = await setUp('slack');
    const elsewhere = await startMessageGateway();
    closings.push(() => elsewhere.stop());
    await press(signed('snooze'), { answerAt: `${elsewhere.url}/answer` });
    await press(signed('close'));
    expect([(await commands()).length, elsewhere.requests.length]).toEqual([2, 0]);
  });

  it('is refused where it is not signed with the secret of the integration, or is older than 5 minutes', async () => {
    const { commands, press, signed, state } = await setUp('slack');
    expect((await press(signed('close'), { secret: 'another' }))[0]).toBe(403);
    expect((await press(signed('close'), { at: SECONDS - 301 }))[0]).toBe(403);
    expect((await press(signed('close'), { at: SECONDS + 301 }))[0]).toBe(403);
    const { chat } = state.settings ?? {};
    state.settings = webhookSettings({
      ...state.settings,
      ...(chat && { chat: { ...chat, signingSecret: undefined } }),
    });
    expect((await press(signed('close')))[0]).toBe(403);
    expect(await commands()).toEqual([]);
  });

  it('is refused without a signature, as no press of a button of Tocsin, and where it is too large', async () => {
    const { outcomes, post } = await setUp('slack');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const body of ['', 'payload=%7B', 'payload=null', `payload=${encodeURIComponent('{"type":"view_closed"}')}`]) {
      expect((await post('/callbacks/slack', body, form)).status).toBe(403);
      expect((await post('/callbacks/slack', body, { ...form, ...slackSignature(body, SECONDS) })).status).toBe(403);
    }
    expect(new Set(outcomes)).toEqual(new Set(['refused']));
    const large = 'x'.repeat(65_537);
    expect((await post('/callbacks/slack', large, form)).status).toBe(403);
    expect((await post('/callbacks/slack', large, { ...form, ...slackSignature(large, SECONDS) })).status).toBe(413);
    for (const body of ['{}', '[]', '{"context":null,"user_id":1}'])
      expect((await post('/callbacks/mattermost', body, { 'content-type': 'application/json' })).status).toBe(403);
  });
});
