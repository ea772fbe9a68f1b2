import { afterEach, describe, expect, it } from '@jest/globals';
import type { ChatProvider, WebhookSettings } from '@tocsin/events';
import {
  allMessages,
  CHANGING_PRODUCTS,
  CHAT_PRODUCTS,
  type ChatFixture,
  KEEPING_PRODUCTS,
  openChatFixture,
  repliesOf,
  textOf,
} from '../testing/chat-fixture.ts';
import { webhookCommand } from '../testing/webhook-samples.ts';
import { CallResults } from '../queue/call-result-store.ts';
import { MAX_REPLIES } from './operations.ts';
import { ChatPosts } from './store.ts';

const opened: ChatFixture[] = [];
afterEach(async () => {
  for (const fixture of opened.splice(0)) await fixture.close();
});

async function setUp(...options: Parameters<typeof openChatFixture>): Promise<ChatFixture> {
  const fixture = await openChatFixture(...options);
  opened.push(fixture);
  return fixture;
}

const LIFE = [
  webhookCommand({ state: { status: 'open', acknowledged: false } }),
  webhookCommand({
    action: 'Acknowledge',
    version: 2,
    actor: 'ada@example.com',
    state: { status: 'open', acknowledged: true, acknowledgedBy: 'ada@example.com' },
  }),
  webhookCommand({
    action: 'AddNote',
    version: 3,
    actor: 'ada@example.com',
    note: 'looking at it',
    state: { status: 'open', acknowledged: true, acknowledgedBy: 'ada@example.com' },
  }),
  webhookCommand({
    action: 'Close',
    version: 4,
    actor: 'bob@example.com',
    state: { status: 'closed', acknowledged: true, acknowledgedBy: 'ada@example.com', closedBy: 'bob@example.com' },
  }),
] as const;
/** Settings with another secret in place of that of the double: its token, or a part of its URL. */
function withSecret(provider: ChatProvider, { url }: ChatFixture['double'], secret: string): Partial<WebhookSettings> {
  const { channel, token } = CHAT_PRODUCTS[provider];
  return token === '' ? { url: `${url}/${secret}` } : { chat: { provider, channel, token: secret, thread: 'all' } };
}

const isChanging = (provider: ChatProvider): boolean => CHANGING_PRODUCTS.some((each) => each === provider);
const [CREATED, ACKNOWLEDGED, NOTED, CLOSED] = LIFE;
const DELETED = webhookCommand({ action: 'Delete', version: 5 });
/** The answers to the edit of a post that is older than a setting allows. */
const TOO_OLD = {
  slack: { answer: { status: 200, body: '{"ok":false,"error":"edit_window_closed"}' } },
  mattermost: { answer: { status: 400, body: '{"id":"api.post.update_post.permissions_time_limit.app_error"}' } },
  telegram: { answer: { status: 400, body: '{"ok":false,"description":"Bad Request: message can\'t be edited"}' } },
  /** Of a webhook that was replaced by another. */
  discord: { answer: { status: 403, body: '{"code":50005}' } },
} as const;

describe.each(CHANGING_PRODUCTS)('a channel of %s', (provider) => {
  /** Of the three events after the first one. Telegram refuses an edit that changes nothing, as after a note. */
  const edits = provider === 'telegram' ? 2 : 3;

  it('has one post about an alert, which shows the alert as it is, and its events as replies in their order (C1)', async () => {
    const { double, fireDue, said, settle } = await setUp(provider);
    await settle(...LIFE);
    await fireDue();
    const [post, ...others] = double.posts();
    expect([others.length, post?.edits]).toEqual([0, edits]);
    expect(textOf(post ?? { content: {} })).toMatch(/\[P3\] Disk full \(#7\).*Closed by bob@example.com/);
    expect(textOf(post ?? { content: {} })).toContain('https://tocsin.example.com/console/alerts/a1');
    expect(repliesOf(post)).toEqual([
      expect.stringContaining('Acknowledged by ada@example.com'),
      expect.stringMatching(/Note by ada@example.com.*looking at it/),
      expect.stringContaining('Closed by bob@example.com'),
    ]);
    expect(await said()).toEqual([
      'The chat channel [Ops] accepted Create: it was posted.',
      ...['Acknowledge', 'AddNote', 'Close'].map(
        (action) => `The chat channel [Ops] accepted ${action}: the post was edited, and got a reply.`,
      ),
    ]);
  });

  it.each([
    ['state', ['Acknowledged by ada@example.com', 'Closed by bob@example.com']],
    ['none', []],
  ] as const)('gets the replies that its integration asks for: %s (C1)', async (thread, expected) => {
    const { double, fireDue, settle } = await setUp(provider, { thread });
    await settle(...LIFE);
    await fireDue();
    const [post] = double.posts();
    expect(post?.edits).toBe(edits);
    expect(repliesOf(post)).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  it('gets no second post and no second reply where the process died before it wrote the outcome (C2)', async () => {
    const { double, fireDue, settle, showAndDie } = await setUp(provider);
    await settle(CREATED);
    await showAndDie();
    await settle(ACKNOWLEDGED);
    await fireDue();
    await settle(NOTED);
    await showAndDie();
    await fireDue();
    const [post, ...others] = double.posts();
    expect([others.length, post?.replies.length]).toEqual([0, 2]);
    expect(textOf(post ?? { content: {} })).toContain('Acknowledged by ada@example.com');
  });

  it('gets a reply about an event that comes late, and goes on to show the later state', async () => {
    const { double, fireDue, settle } = await setUp(provider);
    for (const command of [CREATED, CLOSED, ACKNOWLEDGED, CLOSED]) {
      await settle(command);
      await fireDue();
    }
    const [post] = double.posts();
    expect(textOf(post ?? { content: {} })).toContain('Closed by bob@example.com');
    expect(repliesOf(post)).toEqual([
      expect.stringContaining('Closed by bob@example.com'),
      expect.stringContaining('Acknowledged by ada@example.com'),
    ]);
  });

  it('keeps no word of an alert that is deleted, whatever the integration selects (A6, C4)', async () => {
    const { connection, double, fireDue, settle } = await setUp(provider);
    await settle(CREATED, ACKNOWLEDGED, NOTED);
    await fireDue();
    await settle({ ...DELETED, integrationIds: [] });
    await fireDue();
    const [post, ...others] = double.posts();
    expect([others.length, post?.replies]).toEqual([0, []]);
    expect(textOf(post ?? { content: {} })).toContain('This alert was deleted.');
    expect(textOf(post ?? { content: {} })).not.toMatch(/Disk|\(#7\)|ada@|alerts\/a1/);
    const stored = await new ChatPosts(connection).find({ alertId: 'a1', integrationId: 'hook' });
    expect(stored).toEqual({ deliveryId: expect.any(String), isDeleted: true, replies: [], version: 5 });
  });

  it('gets nothing about an alert after its deletion, also of an event that comes late or again (A6, C4)', async () => {
    const { double, fireDue, said, settle } = await setUp(provider);
    await settle(CREATED);
    await fireDue();
    await settle(DELETED);
    await fireDue();
    const before = double.requests.length;
    for (const late of [ACKNOWLEDGED, { ...CREATED, commandId: 'redriven' }, { ...DELETED, commandId: 'again' }]) {
      await settle(late);
      await fireDue();
    }
    expect(double.requests).toHaveLength(before);
    expect(await said()).toContain(
      'The chat channel [Ops] accepted Acknowledge: the alert was deleted, so it is not shown.',
    );
  });

  it('erases an alert hours after it was deleted, once its product answers again (C4, C8)', async () => {
    const { clock, deletionsGivenUp, double, fireDue, said, settle } = await setUp(provider);
    await settle(CREATED, ACKNOWLEDGED);
    await fireDue();
    double.always({ refuse: 503 });
    await settle(DELETED, webhookCommand({ alertId: 'a2' }));
    await fireDue();
    clock.advance(23 * 3_600_000);
    await fireDue();
    double.always(undefined);
    clock.advance(60_000);
    await fireDue();
    expect(double.posts()).toHaveLength(2);
    const [post] = double.posts();
    expect([textOf(post ?? { content: {} }), post?.replies]).toEqual([expect.stringContaining('was deleted'), []]);
    expect([deletionsGivenUp, (await said()).filter((text) => text?.includes('did not') === true)]).toEqual([[], []]);
  });

  it('loses no event behind others that are tried all the time (C8)', async () => {
    const { clock, double, fireDue, said, settle } = await setUp(provider);
    double.always({ refuse: 503 });
    await settle(...Array.from({ length: 5 }, (_, n) => webhookCommand({ alertId: `a${n}` })));
    for (let minute = 0; minute < 20; minute += 1) {
      await fireDue();
      clock.advance(60_000);
    }
    double.always(undefined);
    for (let minute = 0; minute < 3; minute += 1) {
      await fireDue();
      clock.advance(60_000);
    }
    expect(double.posts()).toHaveLength(5);
    expect((await said()).filter((text) => text?.includes('did not') === true)).toEqual([]);
  });

  it('is reported where it does not take a deletion in a day, or refuses it (C4)', async () => {
    const { change, clock, deletionsGivenUp, double, fireDue, settle } = await setUp(provider);
    await settle(CREATED, webhookCommand({ alertId: 'a2' }));
    await fireDue();
    double.always({ refuse: 503 });
    await settle({ ...DELETED, alertId: 'a2', commandId: 'other' });
    await fireDue();
    clock.advance(25 * 3_600_000);
    await fireDue();
    double.always(undefined);
    change(withSecret(provider, double, 'a-wrong-token'));
    await settle(DELETED);
    await fireDue();
    expect(deletionsGivenUp).toEqual([
      { alertId: 'a2', integrationId: 'hook', reason: expect.stringContaining('given up after 24 hours') },
      { alertId: 'a1', integrationId: 'hook', reason: expect.stringContaining('it answered') },
    ]);
  });

  it('shows a new priority or text without a reply and without an entry in the log, and makes no post for it (C1)', async () => {
    const { double, fireDue, said, settle } = await setUp(provider);
    await settle(CREATED, webhookCommand({ action: 'Update', version: 2, alert: { priority: 'P1', message: 'Full' } }));
    await settle(webhookCommand({ action: 'Update', version: 2, alertId: 'a2' }));
    await fireDue();
    const [post, ...others] = double.posts();
    expect([others, post?.replies, post?.edits]).toEqual([[], [], 1]);
    expect(textOf(post ?? { content: {} })).toContain('[P1] Full (#7)');
    expect(await said()).toHaveLength(1);
  });

  it('gets a new post where the first one was removed by hand (C1)', async () => {
    const { connection, double, fireDue, settle } = await setUp(provider);
    await settle(CREATED);
    await fireDue();
    const alert = { alertId: 'a1', integrationId: 'hook' };
    const posts = new ChatPosts(connection);
    const stored = await posts.find(alert);
    if (stored === undefined) throw new Error('There is no post.');
    const reference = { channel: '', ...stored.reference, post: '0'.repeat(26) };
    await posts.put(alert, { ...stored, reference }, { at: new Date(), isNew: false });
    await settle(ACKNOWLEDGED, CLOSED);
    await fireDue();
    expect(double.posts().map(({ edits }) => edits)).toEqual([0, 1]);
  });

  it('has no word of an alert in a post that may not be edited any more (C4)', async () => {
    const { double, fireDue, settle } = await setUp(provider, { thread: 'none' });
    await settle(CREATED);
    await fireDue();
    double.next(TOO_OLD[provider]);
    await settle(ACKNOWLEDGED);
    await fireDue();
    expect(double.posts()).toHaveLength(1);
    double.next(TOO_OLD[provider]);
    await settle(DELETED);
    await fireDue();
    expect(double.posts()).toEqual([]);
  });

  it('gets no further call of a process that was frozen in one, whose queue another process has (C2)', async () => {
    const { double, fireDue, freeze, settle } = await setUp(provider);
    await settle(CREATED);
    await fireDue();
    await settle(ACKNOWLEDGED);
    const first = await freeze();
    await fireDue();
    await settle(CLOSED);
    await fireDue();
    await first.resume();
    const [post, ...others] = double.posts();
    expect([others, repliesOf(post)]).toEqual([
      [],
      [expect.stringContaining('Acknowledged'), expect.stringContaining('Closed')],
    ]);
  });

  it('keeps no post that a frozen process made beside that of another one (C2)', async () => {
    const { double, fireDue, freeze, settle } = await setUp(provider);
    await settle(CREATED);
    const first = await freeze();
    await fireDue();
    await settle(ACKNOWLEDGED);
    await fireDue();
    await first.resume();
    expect(double.posts().map(textOf)).toEqual([expect.stringContaining('Acknowledged by')]);
  });

  it.each([
    ['a post', []],
    ['an edit', [CREATED]],
  ] as const)(
    'keeps no word of a deleted alert that a frozen process brought back by %s (A6, C4)',
    async (_, before) => {
      const { connection, double, fireDue, freeze, settle } = await setUp(provider);
      await settle(...before);
      await fireDue();
      await settle(before.length === 0 ? CREATED : ACKNOWLEDGED);
      const first = await freeze();
      await settle(DELETED);
      await fireDue();
      await first.resume();
      expect(double.posts().map(textOf).join()).not.toMatch(/Disk|Acknowledged/);
      expect(double.posts().flatMap(({ replies }) => replies)).toEqual([]);
      expect(await connection.db?.collection('chat_posts').countDocuments({ reference: { $exists: true } })).toBe(0);
    },
  );

  it('gets at most so many replies below a post as a deletion can remove (C4)', async () => {
    const { connection, double, fireDue, settle } = await setUp(provider);
    await settle(CREATED);
    await fireDue();
    const alert = { alertId: 'a1', integrationId: 'hook' };
    const posts = new ChatPosts(connection);
    const stored = await posts.find(alert);
    if (stored === undefined) throw new Error('There is no post.');
    const reference = { channel: '', post: '', ...stored.reference };
    for (let n = 1; n < MAX_REPLIES; n += 1)
      await posts.put(alert, { ...stored, reference, reply: `reply ${n}` }, { at: new Date(), isNew: false });
    await settle(ACKNOWLEDGED, NOTED, CLOSED);
    await fireDue();
    const [post] = double.posts();
    expect([post?.edits, post?.replies.length]).toEqual([edits, 1]);
  });
});

describe.each(Object.keys(CHAT_PRODUCTS) as ChatProvider[])('a channel of any product, such as %s', (provider) => {
  it('gets no post about an alert that was deleted while it waited', async () => {
    const { double, fireDue, settle } = await setUp(provider);
    await settle(CREATED);
    await settle(DELETED);
    await fireDue();
    expect(double.requests).toEqual([]);
  });

  it('is refused for good where it is gone, and the log and readiness say so (S17)', async () => {
    const { clock, connection, double, fireDue, said, settle } = await setUp(provider);
    double.removeChannel(CHAT_PRODUCTS[provider].channel);
    await settle(CREATED);
    await fireDue();
    const [text = ''] = await said();
    expect(text).toMatch(/^The chat channel \[Ops\] did not accept Create: it answered /);
    expect(text).toMatch(CHAT_PRODUCTS[provider].gone);
    const failed = await new CallResults(connection).lastFailed('hook', clock.now(), clock.now());
    expect(failed?.reason).toMatch(CHAT_PRODUCTS[provider].gone);
  });

  it('shows texts of others cut, none of it as markup, and mentions no user and no channel (C5)', async () => {
    const { change, double, fireDue, said, settle } = await setUp(provider);
    change({ addAlertDescription: true, addAlertDetails: true });
    const hostile = '<!channel> <@U0ADA> @here @all ~town-square [a](javascript:x) `*_ &lt; \u202Eabc\u202C';
    const long = `${hostile}\n# title\n> quote\nSee https://run.example.com/book?a=1&b=2 ${'x<&>*'.repeat(4_000)}`;
    const alert = {
      message: hostile,
      description: long,
      details: { [hostile]: long },
      tags: Array.from({ length: 20 }, () => hostile),
      entity: long,
    };
    await settle({ ...CREATED, alert: { ...CREATED.alert, ...alert } });
    await settle({ ...NOTED, note: long, alert: { ...NOTED.alert, ...alert } });
    await fireDue();
    expect(await said()).toHaveLength(2);
    const bodies = double.requests.map(({ body }) => body);
    expect(bodies).toHaveLength(isChanging(provider) ? 3 : 2);
    for (const body of bodies) {
      expect(CHAT_PRODUCTS[provider].markup.exec(body)?.[0]).toBeUndefined();
      expect(body.includes('\u202E')).toBe(false);
      expect(body.includes('…')).toBe(true);
    }
    expect(bodies[0]?.includes(CHAT_PRODUCTS[provider].link)).toBe(true);
  });

  it('gets one event after the other, with a pause between, also of several alerts (C3)', async () => {
    const { double, fireDue, pauses, settle } = await setUp(provider);
    await settle(...Array.from({ length: 5 }, (_, n) => ({ ...CREATED, commandId: `c${n}`, alertId: `a${n}` })));
    await fireDue();
    expect(double.taken).toHaveLength(5);
    expect(pauses).toHaveLength(5);
    expect(Math.min(...pauses)).toBeGreaterThan(100);
  });

  it('gets nothing before the time that the product says, and every event then (U7, C3)', async () => {
    const { clock, double, fireDue, said, settle } = await setUp(provider, { processes: 1 });
    await settle(CREATED);
    double.next({ refuse: 429, headers: { 'retry-after': '30' }, body: '{"ok":false,"error":"ratelimited"}' });
    await fireDue();
    await settle(ACKNOWLEDGED, webhookCommand({ alertId: 'a2', alert: { tinyId: '8' } }));
    clock.advance(28_000);
    await fireDue();
    expect(double.requests).toHaveLength(1);
    clock.advance(2_000);
    await fireDue();
    expect(double.posts().map(({ replies }) => replies.length)).toEqual(expect.arrayContaining([0, 1]));
    expect((await said()).filter((text) => text?.includes('did not accept') === true)).toEqual([]);
  });

  it('shows no secret in a log', async () => {
    const { change, double, fireDue, said, settle } = await setUp(provider);
    change(withSecret(provider, double, 'a-wrong-token'));
    await settle(CREATED);
    double.next({ refuse: 500, body: '{"message":"a-wrong-token"}' });
    await fireDue();
    expect(await said()).toHaveLength(1);
    expect(JSON.stringify(await said())).not.toContain('a-wrong-token');
  });
});

/** How messages show states. */
const SHOWN_STATES = {
  teams: { closed: '"color":"Good"', acknowledged: '"color":"Warning"' },
  'google-chat': { closed: '<font color', acknowledged: '<font color' },
} as const;

describe.each(KEEPING_PRODUCTS)('a channel of %s, where nothing is edited', (provider) => {
  it('has a message about each event, which shows the alert as it is then (C1)', async () => {
    const { double, fireDue, said, settle } = await setUp(provider);
    await settle(...LIFE);
    await fireDue();
    const [post, ...others] = double.posts();
    expect([others.length, post?.edits]).toEqual([0, 0]);
    expect(textOf(post ?? { content: {} })).toMatch(/\[P3\] Disk full \(#7\).*Open/);
    expect(textOf(post ?? { content: {} })).toContain('https://tocsin.example.com/console/alerts/a1');
    expect(repliesOf(post)).toEqual([
      expect.stringContaining('Acknowledged by ada@example.com'),
      expect.stringMatching(/Acknowledged by ada@example.com.*Note by ada@example.com.*looking at it/),
      expect.stringContaining('Closed by bob@example.com'),
    ]);
    expect(await said()).toEqual(LIFE.map(({ action }) => `The chat channel [Ops] accepted ${action}: it was posted.`));
  });

  it.each([
    ['state', ['Acknowledged by ada@example.com', 'Closed by bob@example.com']],
    ['none', []],
  ] as const)('gets the messages that its integration asks for: %s (C1)', async (thread, expected) => {
    const { double, fireDue, said, settle } = await setUp(provider, { thread });
    await settle(...LIFE);
    await fireDue();
    expect(repliesOf(double.posts()[0])).toEqual(expected.map((text) => expect.stringContaining(text)));
    expect(await said()).toContain(
      'The chat channel [Ops] accepted AddNote: its integration asks for no message about it.',
    );
  });

  it('gets no second message where the process died before it wrote the outcome (C2)', async () => {
    const { fireDue, settle, showAndDie, ...fixture } = await setUp(provider);
    await settle(CREATED);
    await showAndDie();
    await settle(ACKNOWLEDGED);
    await fireDue();
    await settle(NOTED);
    await showAndDie();
    await fireDue();
    expect(allMessages(fixture)).toHaveLength(3);
  });

  it('shows no state in a message about an event that comes late', async () => {
    const { double, fireDue, settle } = await setUp(provider);
    for (const command of [CREATED, CLOSED, ACKNOWLEDGED]) {
      await settle(command);
      await fireDue();
    }
    const [closed, late] = repliesOf(double.posts()[0]);
    expect(closed).toContain(SHOWN_STATES[provider].closed);
    expect(late).toContain('Acknowledged by ada@example.com');
    expect(late).not.toContain(SHOWN_STATES[provider].acknowledged);
  });

  it('is not called when an alert is deleted, and nothing is kept of the alert (A6, C4)', async () => {
    const { connection, double, fireDue, settle } = await setUp(provider);
    await settle(CREATED, NOTED);
    await fireDue();
    await settle({ ...DELETED, integrationIds: [] });
    await fireDue();
    expect(double.requests).toHaveLength(2);
    const stored = await new ChatPosts(connection).find({ alertId: 'a1', integrationId: 'hook' });
    expect(stored).toEqual({ deliveryId: expect.any(String), isDeleted: true, replies: [], version: 5 });
  });
});

describe('a space of Google Chat', () => {
  it('gets a message once where its answer was lost (C2)', async () => {
    const { clock, fireDue, settle, ...fixture } = await setUp('google-chat');
    fixture.double.next({ close: 'half-way' });
    await settle(CREATED);
    await fireDue();
    clock.advance(60_000);
    await fireDue();
    expect(fixture.double.requests).toHaveLength(2);
    expect(allMessages(fixture)).toHaveLength(1);
  });
});

describe.each(['slack', 'mattermost'] as const)('a channel of %s whose integration mentions responders', (provider) => {
  const ada = provider === 'slack' ? '<@U0ADA>' : '@ada';
  const responders = [
    { type: 'user' as const, id: 'u1', name: 'ada@example.com' },
    { type: 'user' as const, id: 'u2', name: 'no-account@example.com' },
    { type: 'team' as const, id: 't1', name: '@all <!channel>' },
  ];
  const created = webhookCommand({ alert: { responders } });

  async function mentioning(fields: Parameters<typeof openChatFixture>[1] = {}): Promise<ChatFixture> {
    const fixture = await setUp(provider, fields);
    const { channel, token } = CHAT_PRODUCTS[provider];
    fixture.change({ chat: { provider, channel, token, thread: 'none', mention: 'responders' } });
    return fixture;
  }
  const mentionsIn = ({ double }: ChatFixture): readonly string[] =>
    JSON.stringify(double.posts()[0]?.content).match(provider === 'slack' ? /<[@!#][^>]*>/g : /(?<!\w)@[a-z]+/g) ?? [];

  it('mentions those that are users and have an account, and no other, also after an edit (C11, C5)', async () => {
    const fixture = await mentioning();
    await fixture.settle(created);
    await fixture.fireDue();
    expect(mentionsIn(fixture)).toEqual([ada]);
    await fixture.settle(webhookCommand({ action: 'Acknowledge', version: 2, alert: { responders } }));
    await fixture.fireDue();
    expect(mentionsIn(fixture)).toEqual([ada]);
    // The account that was found, and the one that is not there, are known.
    const lookUps = fixture.double.requests.filter(({ path }) => path.includes('users'));
    expect(lookUps).toHaveLength(2);
  });

  it('is posted without mentions where accounts are not found in time (C11)', async () => {
    const fixture = await mentioning({ lookUpsMs: 0 });
    await fixture.settle(created);
    await fixture.fireDue();
    expect([fixture.double.posts().length, mentionsIn(fixture)]).toEqual([1, []]);
  });
});
