import { describe, expect, it } from '@jest/globals';
import { chatPost, chatReply, digestMessage } from '../post.ts';
import { webhookCommand } from '../../testing/webhook-samples.ts';
import { teamsCard, teamsEventCard } from './render.ts';

/** Three bytes each, as the longest characters. */
const WIDE = '\u6F22';
const HOSTILE = `<at>Ada</at> **b** [a](https://evil.example) {{DATE(2026-01-01T00:00:00Z)}} \u202Ef\u202C\0 ${WIDE}`;
const LONG = HOSTILE.repeat(20) + WIDE.repeat(20_000);
const event = webhookCommand({
  action: 'AddNote',
  note: `${'\n'.repeat(500)}${LONG}`,
  alert: {
    message: LONG,
    description: `see https://run.example.com/book?a=1.\n${`${WIDE}\n`.repeat(1_000)}${LONG}`,
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

describe('a card of Teams', () => {
  it.each([
    ['a post', teamsCard(post)],
    ['an event', teamsEventCard(reply)],
    ['a digest', teamsCard(digestMessage(lines))],
  ])('of %s has texts of others as plain runs, and fits (C5)', (_, card) => {
    const body = JSON.stringify(card);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(28_000);
    expect(body).not.toMatch(/"TextBlock"|"FactSet"|"entities"|\{\{|\u202E|\\u0000/);
  });

  it('shows each line of a digest, URLs of a description as links, and the alert by a button', () => {
    const digest = JSON.stringify(teamsCard(digestMessage(lines)));
    for (let n = 0; n < 80; n += 1) expect(digest).toContain(`line ${n}.`);
    const shown = JSON.stringify(teamsCard(post));
    expect(shown).toContain('"selectAction":{"type":"Action.OpenUrl","url":"https://run.example.com/book?a=1."}');
    expect(shown).toContain('"url":"https://tocsin.example.com/console/alerts/a1"');
  });
});
