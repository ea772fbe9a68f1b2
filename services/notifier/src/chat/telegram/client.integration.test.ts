import { afterEach, describe, expect, it } from '@jest/globals';
import { OutgoingCaller } from '@tocsin/http';
import { startTelegram, TELEGRAM_BOT, type TelegramDouble } from '@tocsin/testkit';
import type { ChatChannel } from '../chat-client.ts';
import { type ChatPost, digestPost } from '../post.ts';
import { TelegramClient } from './client.ts';

const doubles: TelegramDouble[] = [];
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.stop();
});

const POST: ChatPost = { state: 'open', title: '[P1] Disk full (#7)', stateLine: 'Open', facts: [], details: [] };
const REPLY = { title: 'Disk full', line: 'Note by ada', note: 'looking at it' };

async function setUp(name: string = TELEGRAM_BOT.chat) {
  const double = await startTelegram();
  doubles.push(double);
  const client = new TelegramClient(new OutgoingCaller({ allowedRanges: ['127.0.0.1'] }));
  const chat = { provider: 'telegram', channel: name, token: TELEGRAM_BOT.token, thread: 'all' } as const;
  const channel: ChatChannel = { url: `${double.url}/`, chat };
  const posted = async (post = POST) => {
    const result = await client.post(channel, post);
    if (result.kind !== 'done') throw new Error(JSON.stringify(result));
    return result.reference;
  };
  const refusal = async (behaviour: { status: number; body: object }) => {
    double.next({ refuse: behaviour.status, body: JSON.stringify({ ok: false, ...behaviour.body }) });
    return client.post(channel, POST);
  };
  return { channel, client, double, posted, refusal };
}

const textsIn = ({ double }: { readonly double: TelegramDouble }): readonly string[] =>
  double.posts().map(({ content }) => String(content['text']));

describe('a channel of Telegram', () => {
  it('may be the public name of a chat and a topic: replies are in the topic, and changes go to the id of the chat', async () => {
    const { channel, client, double, posted } = await setUp(`${TELEGRAM_BOT.name}:${TELEGRAM_BOT.topic}`);
    const reference = await posted();
    expect(reference.channel).toBe(`${TELEGRAM_BOT.chat}:${TELEGRAM_BOT.topic}`);
    expect(await client.edit(channel, reference, { ...POST, state: 'closed', stateLine: 'Closed' })).toMatchObject({
      kind: 'done',
    });
    expect(await client.reply(channel, reference, REPLY)).toMatchObject({ kind: 'done' });
    const [post, ...others] = double.posts();
    expect([others.length, post?.edits]).toEqual([0, 1]);
    const topic = Number(TELEGRAM_BOT.topic);
    expect(post?.replies).toMatchObject([{ content: { message_thread_id: topic, disable_notification: true } }]);
  });

  it('is as it should be where an edit changes nothing', async () => {
    const { channel, client, posted } = await setUp();
    const reference = await posted();
    expect(await client.edit(channel, reference, POST)).toEqual({ kind: 'done', reference });
  });

  it('keeps no word of a message that is too old to be deleted (C4)', async () => {
    const { channel, client, double, posted } = await setUp();
    const reference = await posted();
    double.keepMessages();
    expect(await client.remove(channel, reference)).toEqual({ kind: 'done', reference });
    expect(textsIn({ double })).toEqual([expect.stringContaining('This alert was deleted.')]);
    expect(textsIn({ double })[0]).not.toContain('Disk');
  });

  it('lists the number and the state of each alert of a full digest (C6)', async () => {
    const { double, posted } = await setUp();
    const message = 'The disk of a host with a long name is nearly full & slow, and its raid is degraded';
    const lines = Array.from({ length: 80 }, (_, n) => `[P1] ${message} (#${1_000 + n}): Closed by ada`);
    await posted(digestPost(lines));
    const [text = ''] = textsIn({ double });
    for (const [n] of lines.entries()) expect(text).toContain(`… (#${1_000 + n}): Closed by`);
  });
});

describe('a text of others in Telegram (C5)', () => {
  it.each([
    ['@channel and ada@example.com', /@(?!\u200B)/],
    ['#incident #1disk', /#(?!\u200B)/],
    ['/start /kick@bot (/help)', /(?<![<\w])\/(?!\u200B)/],
    ['tg://user?id=1 ton://x', /:\/\//],
    ['https://@channel', />https:\/\/@(?!\u200B)/],
    ['<a href="tg://user?id=1">x</a>', /<a href="tg/],
  ])('is no mention, tag, command or link: %s', async (text, automatic) => {
    const { channel, client, double, posted } = await setUp();
    const reference = await posted({ ...POST, description: text, details: [[text, text]], facts: [['Owner', text]] });
    await client.reply(channel, reference, { title: 'Disk full', line: 'Note', note: text });
    const sent = double.taken.map(({ content }) => String(content['text']).replace(POST.title, ''));
    expect(sent).toHaveLength(2);
    for (const each of sent) expect(each.replaceAll(/<\/[ab]>|<b>/g, '')).not.toMatch(automatic);
  });

  it('keeps paths and numbers as they can be copied, and links to whole URLs', async () => {
    const { double, posted } = await setUp();
    const url = 'https://run.example.com/a?b=1&c=/d#e';
    await posted({ ...POST, description: `See /var/log/messages and ${url} (#7)` });
    const written = url.replace('&', '&amp;');
    const [text = ''] = textsIn({ double });
    expect(text).toContain('See /var/log/messages and <a href=');
    expect(text).toContain(`<a href="${written}">`);
    expect(text).toContain('(#7)');
  });
});

describe('a refusal of Telegram', () => {
  it.each([
    [400, { description: 'Bad Request: chat not found' }, 'there is no such chat, or the bot is not in it'],
    [403, { description: 'Forbidden: bot was kicked from the supergroup chat' }, 'add the bot to the chat'],
    [400, { description: 'Bad Request: not enough rights to send text messages to the chat' }, 'the bot may not post'],
    [401, { description: 'Unauthorized' }, 'the token is wrong, or was revoked'],
    [
      400,
      {
        description: 'Bad Request: group chat was upgraded to a supergroup chat',
        parameters: { migrate_to_chat_id: -1_001 },
      },
      'the id of the chat is -1001 now',
    ],
  ])('with %i %j is for good, and the reason explains it', async (status, body, meaning) => {
    const { refusal } = await setUp();
    const { description } = body;
    expect(await refusal({ status, body })).toEqual({
      kind: 'permanent',
      reason: expect.stringMatching(`^it answered ${status}: ${description} \\(${meaning}`),
    });
  });

  it('says in its parameters how long to wait', async () => {
    const { refusal } = await setUp();
    const body = { description: 'Too Many Requests: retry after 17', parameters: { retry_after: 17 } };
    expect(await refusal({ status: 429, body })).toMatchObject({ kind: 'temporary', retryAfterMs: 17_000 });
  });

  it('never shows the token, whatever it repeats', async () => {
    const { channel, client, double, refusal } = await setUp();
    const { token } = channel.chat;
    const results = [
      await refusal({ status: 400, body: { description: `no path /bot${token}/sendMessage` } }),
      await refusal({ status: 500, body: { description: token } }),
      await client.post({ ...channel, url: 'http://192.0.2.1' }, POST),
    ];
    await double.stop();
    results.push(await client.post(channel, POST));
    for (const result of results) {
      expect(result).toHaveProperty('reason');
      expect(JSON.stringify(result)).not.toContain(token.slice(-10));
    }
  });
});
