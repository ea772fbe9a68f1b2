import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OutgoingCaller } from '@tocsin/http';
import {
  MATTERMOST_BOT,
  type MattermostDouble,
  mattermostDirectChannel,
  SLACK_APP,
  type SlackDouble,
  slackDirectChannel,
  startMattermost,
  startSlack,
} from '@tocsin/testkit';
import type { Provider } from '../channel.ts';
import { LEASE_LOST } from '../http/outgoing.ts';
import { MattermostPush } from './mattermost.ts';
import type { Push } from './message.ts';
import type { PushedPage } from './pushed-page-store.ts';
import { SlackPush } from './slack.ts';

const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
const MEMBER = 'U0ADA';
const USER = 'ada'.padEnd(26, '0');
const acknowledgeUrl = 'https://tocsin.example.com/acknowledge/x';
const attempt = { deliveryId: 'd1', attempt: 1 };

let page: PushedPage | undefined;
const pages = { newest: () => Promise.resolve(page) };
let double: SlackDouble | MattermostDouble;
beforeEach(() => {
  page = undefined;
});
afterEach(() => double.stop());

/** One of the products, and how a page is written there. */
interface Product {
  readonly name: 'slack' | 'mattermost';
  readonly key: string;
  /** The channel of private messages with {@link key}. */
  readonly channel: string;
  readonly start: () => Promise<SlackDouble | MattermostDouble>;
  readonly provider: (url: string) => Provider<Push>;
  readonly written: object;
  readonly response: (id: string) => string;
  /** The key of an account that does not exist, and the refusal of it. */
  readonly unknown: readonly [key: string, reason: string];
  /** Refuses the next edit, as the product does where the message was deleted. */
  readonly gone: readonly string[];
}

const PRODUCTS: readonly Product[] = [
  {
    name: 'slack',
    key: MEMBER,
    channel: slackDirectChannel(MEMBER),
    start: startSlack,
    provider: (url) => new SlackPush({ url: `${url}/`, token: SLACK_APP.token }, outgoing, pages),
    written: {
      text: '[P1] Disk &lt;full&gt; &lt;!channel&gt; @all',
      blocks: [
        section('[P1] Disk &lt;full&gt; &lt;!channel&gt; @all'),
        section('No space &amp; "left" ü'),
        section(`<${acknowledgeUrl}|Acknowledge>`),
      ],
      parse: 'none',
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
    },
    response: (id) => `D0ADA_${id}`,
    unknown: ['U0UNKNOWN', 'it answered channel_not_found (the workspace has no such member)'],
    gone: ['D0ADA_1767225600.000999', 'D0ADA', '', 'it answered 200, and broke off'],
  },
  {
    name: 'mattermost',
    key: USER,
    channel: mattermostDirectChannel(USER),
    start: startMattermost,
    provider: (url) => new MattermostPush({ url: `${url}/`, token: MATTERMOST_BOT.token }, outgoing, pages),
    written: {
      message: String.raw`\[P1\] Disk <full\> <!channel\> @${'\u200B'}all

No space & "left" ü

[Acknowledge](${acknowledgeUrl})`,
    },
    response: (id) => id,
    unknown: ['z'.repeat(26), 'it answered 404: app.user.missing_account.const (the server has no such user)'],
    gone: ['z'.repeat(26), '', 'it answered 200, and broke off'],
  },
];

function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

describe.each(PRODUCTS)('a page in a private message of $name', (product) => {
  const { channel, gone, key, name, provider, response, start, unknown, written } = product;
  beforeEach(async () => {
    double = await start();
  });
  const push = (change: Partial<Push> = {}): Push => ({
    topic: `${name}:${key}`,
    title: '[P1] Disk <full> <!channel> @all',
    text: 'No space & "left" ü',
    priority: 5,
    sequence: 's1',
    asksForAction: true,
    acknowledgeUrl,
    service: { name, key },
    ...change,
  });
  const send = (change: Partial<Push> = {}) => provider(double.url).send(push(change), attempt);
  const outdates = { alertId: 'a1', userId: 'ada' };
  const update = { outdates, title: 'bob acknowledged it', text: '' };
  /** The only message of the account. */
  const onlyPost = () => {
    const [post, ...others] = double.posts(channel);
    expect(others).toEqual([]);
    if (post === undefined) throw new Error('there is a message');
    return post;
  };

  it('has texts of others as texts, and a link that acknowledges; its id is the response', async () => {
    const result = await send();
    const post = onlyPost();
    expect(result).toEqual({ kind: 'accepted', response: response(post.id) });
    expect(post.content).toEqual(written);
  });

  it('is taken for its devices alone', () => {
    const { service: _, ...rest } = push();
    const one = provider(double.url);
    expect([one.takes?.(push()), one.takes?.(rest), one.takes?.(push({ service: { name: 'telegram', key } }))]).toEqual(
      [true, false, false],
    );
  });

  it('is edited by the status update that makes it out of date, once more after a crash without a second message', async () => {
    await send();
    const { id } = onlyPost();
    page = { deliveryId: 'd1', response: response(id) };
    const { acknowledgeUrl: _, ...rest } = push();
    const repeat = () => provider(double.url).send({ ...rest, ...update }, attempt);
    expect(await repeat()).toEqual({ kind: 'accepted', response: response(id) });
    expect(await repeat()).toEqual({ kind: 'accepted', response: response(id) });
    expect(JSON.stringify(onlyPost().content)).toContain('bob acknowledged it');
    expect(JSON.stringify(onlyPost().content)).not.toContain(acknowledgeUrl);
  });

  it.each(gone)('is followed by the update as a message of its own where it is gone or not known: %j', async (id) => {
    await send();
    page = { deliveryId: 'd1', response: id };
    expect(await send(update)).toMatchObject({ kind: 'accepted' });
    expect(double.posts(channel)).toHaveLength(2);
  });

  it('is not sent by a process that was held up, once another one may send it', async () => {
    const late = { ...attempt, isLeased: () => false };
    expect(await provider(double.url).send(push(), late)).toEqual(LEASE_LOST);
    expect(double.posts(channel)).toEqual([]);
  });

  it('is not doubled where the answer to an edit is not known', async () => {
    await send();
    page = { deliveryId: 'd1', response: response(onlyPost().id) };
    double.next({ close: 'before' });
    expect(await send(update)).toMatchObject({ kind: 'unknown' });
    onlyPost();
  });

  it('keeps to the length of a message, whatever a text has', async () => {
    for (const text of ['ü', '🔥', '<', '@', '*', 'https://a.example/x '])
      expect(await send({ text: text.repeat(9_000), title: text.repeat(250) })).toMatchObject({ kind: 'accepted' });
  });

  it('is refused for good to an account that is not there, in words that help', async () => {
    const [other, reason] = unknown;
    expect(await send({ service: { name, key: other } })).toEqual({ kind: 'permanent', reason });
  });
});

describe('a page in Slack', () => {
  beforeEach(async () => {
    double = await startSlack();
  });
  const send = () =>
    new SlackPush({ url: double.url, token: SLACK_APP.token }, outgoing, pages).send({
      topic: `slack:${MEMBER}`,
      title: 'P1',
      text: '',
      priority: 5,
      sequence: 's1',
      service: { name: 'slack', key: MEMBER },
    });

  it.each([
    ['cannot_dm_bot', 'permanent', ' (the member is a bot)'],
    ['messages_tab_disabled', 'permanent', ' (switch on the Messages Tab in the App Home of the app)'],
    ['missing_scope', 'permanent', ' (the app needs the scopes chat:write and im:write)'],
    ['account_inactive', 'permanent', ' (the app was removed, or its workspace)'],
    ['ratelimited', 'temporary', ''],
    ['another_error', 'permanent', ''],
  ] as const)('that is refused with %s is %s', async (error, kind, meaning) => {
    double.next({ answer: { status: 200, body: JSON.stringify({ ok: false, error }) } });
    expect(await send()).toEqual({ kind, reason: `it answered ${error}${meaning}` });
  });
});

it('a page in Slack is followed by the update as a message of its own where the app was replaced', async () => {
  const slack = await startSlack();
  double = slack;
  page = { deliveryId: 'd1', response: 'D0OLD_1767225600.000100' };
  const provider = new SlackPush({ url: slack.url, token: SLACK_APP.token }, outgoing, pages);
  const service = { name: 'slack', key: MEMBER } as const;
  const outdates = { alertId: 'a1', userId: 'ada' };
  const push: Push = {
    topic: `slack:${MEMBER}`,
    title: 'P1',
    text: '',
    priority: 5,
    sequence: 's1',
    service,
    outdates,
  };
  expect(await provider.send(push)).toMatchObject({ kind: 'accepted' });
  expect(slack.posts(slackDirectChannel(MEMBER))).toHaveLength(1);
});

describe('a page in Mattermost', () => {
  it('asks once who the bot is, and tries again where no channel is opened yet, because nothing was sent', async () => {
    const mattermost = await startMattermost();
    double = mattermost;
    const { url } = mattermost;
    const provider = new MattermostPush({ url, token: MATTERMOST_BOT.token }, outgoing, pages);
    const service = { name: 'mattermost', key: USER } as const;
    const push: Push = { topic: `mattermost:${USER}`, title: 'P1', text: '', priority: 5, sequence: 's1', service };
    mattermost.throttle(0);
    expect(await provider.send(push)).toEqual({
      kind: 'temporary',
      reason: expect.stringContaining('it answered 429 and asks to wait for 1 s'),
      retryAfterMs: 1_000,
    });
    mattermost.throttle(Infinity);
    await provider.send(push);
    await provider.send(push);
    expect(mattermost.requests.map(({ path }) => path.replace('/api/v4/', ''))).toEqual([
      'users/me',
      ...['users/me', 'channels/direct', 'posts'],
      ...['channels/direct', 'posts'],
    ]);
  });
});
