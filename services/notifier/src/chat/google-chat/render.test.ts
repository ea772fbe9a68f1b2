import { describe, expect, it } from '@jest/globals';
import { webhookCommand } from '../../testing/webhook-samples.ts';
import { chatPost, chatReply, digestMessage } from '../post.ts';
import { googleChatMessage, googleChatReply } from './render.ts';

/** Three bytes, as the longest characters. */
const WIDE = '\u6F22';
const HOSTILE = `<users/all> <b>b</b> <a href="javascript:x">a</a> *c* &lt; \u202Ef\u202C ${WIDE}`;
const LONG = HOSTILE.repeat(20) + WIDE.repeat(20_000);
const event = webhookCommand({
  action: 'AddNote',
  note: `${'\n'.repeat(500)}${LONG}`,
  alert: {
    message: LONG,
    description: `see https://run.example.com/book?a=1&b="2\n${LONG}`,
    details: { [HOSTILE]: LONG },
    entity: LONG,
    source: LONG,
    owner: LONG,
    tags: [LONG],
  },
});
const FLAGS = { addAlertDescription: true, addAlertDetails: true };
const post = chatPost(event, FLAGS, { publicUrl: 'https://tocsin.example.com' });
const reply = chatReply(event, { post, thread: 'all', isLate: false }) ?? { line: '', title: '' };
const lines = Array.from({ length: 80 }, (_, n) => `line ${n}. ${WIDE.repeat(300)}`);

describe('a message of Google Chat', () => {
  it.each([
    ['a post', googleChatMessage(post)],
    ['an event', googleChatReply(reply)],
    ['a digest', googleChatMessage(digestMessage(lines))],
  ])('of %s has no markup of others, and fits (C5)', (_, { cardsV2, fallbackText }) => {
    const body = JSON.stringify({ cardsV2, fallbackText });
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(31_000);
    expect(body).not.toMatch(/\u202E/);
    const ours = /<\/?b>|<br>|<\/?font[^<>]*>|<a href=\\"https:[^<>"]*">|<\/a>/g;
    expect(JSON.stringify(cardsV2).replaceAll(ours, '')).not.toMatch(/[<>]/);
  });

  it('shows each line of a digest, URLs of a description as links, and the alert by a button', () => {
    const digest = JSON.stringify(googleChatMessage(digestMessage(lines)));
    for (let n = 0; n < 80; n += 1) expect(digest).toContain(`line ${n}.`);
    const shown = JSON.stringify(googleChatMessage(post));
    expect(shown).toContain(String.raw`<a href=\"https://run.example.com/book?a=1&amp;b=\">`);
    expect(shown).toContain('"openLink":{"url":"https://tocsin.example.com/console/alerts/a1"}');
  });
});
