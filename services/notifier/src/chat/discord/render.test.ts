import { describe, expect, it } from '@jest/globals';
import { chatPost, chatReply, digestPost } from '../post.ts';
import { webhookCommand } from '../../testing/webhook-samples.ts';
import { discordMessage, discordReply } from './render.ts';

const HOSTILE =
  '@everyone <@1> <@&2> <#3> [a](https://evil.example) **b** ||c|| `d` -# e \u202Ef\u202C \u0645\u0631\u062D\u0628\u0627 ';
const event = webhookCommand({
  action: 'AddNote',
  note: HOSTILE.repeat(200),
  alert: {
    message: HOSTILE.repeat(200),
    description: `${HOSTILE}https://run.example.com/a_b_c ${'x'.repeat(20_000)}`,
    details: { [HOSTILE]: HOSTILE.repeat(200) },
    entity: HOSTILE.repeat(200),
    tags: Array.from({ length: 20 }, () => HOSTILE),
  },
});
const FLAGS = { addAlertDescription: true, addAlertDetails: true };
const post = chatPost(event, FLAGS, { publicUrl: 'https://tocsin.example.com' });

/** What Discord counts: titles, descriptions, names and values. */
function textsOf(message: ReturnType<typeof discordMessage>): readonly string[] {
  const embeds = message['embeds'] as readonly {
    readonly title?: string;
    readonly description: string;
    readonly fields?: readonly { readonly name: string; readonly value: string }[];
  }[];
  return embeds.flatMap(({ description, fields = [], title = '' }) => [
    title,
    description,
    ...fields.flatMap(({ name, value }) => [name, value]),
  ]);
}

describe('a message of Discord', () => {
  const reply = chatReply(event, { post, thread: 'all', isLate: false });
  const messages = [discordMessage(post), discordReply(reply ?? { line: '', title: '' })];

  it.each(messages)('has texts of others without markup and mentions, and fits (C5)', (message) => {
    const texts = textsOf(message);
    expect(texts.join('').length).toBeLessThanOrEqual(6_000);
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(4_096);
      expect(text.replaceAll(/<https:[^<>\s]*>/g, '')).not.toMatch(/(^|[^\\])[<[\]`|*#-]/);
      expect(text).not.toMatch(/\u202E/);
    }
    expect(texts.join('')).toContain('\u0645\u0631\u062D\u0628\u0627');
    expect(message['allowed_mentions']).toEqual({ parse: [] });
  });

  it('has a URL of a description as a link, and the alert in its title', () => {
    expect(textsOf(discordMessage(post)).join('')).toContain('<https://run.example.com/a_b_c>');
    expect(discordMessage(post)['embeds']).toMatchObject([{ url: 'https://tocsin.example.com/console/alerts/a1' }]);
  });

  it('shows 80 lines of a digest', () => {
    const lines = Array.from({ length: 80 }, (_, n) => `line ${n}. ${'*'.repeat(300)}`);
    const shown = textsOf(discordMessage(digestPost(lines))).join('\n');
    expect(shown.length).toBeLessThanOrEqual(6_000);
    for (let n = 0; n < 80; n += 1) expect(shown).toContain(`line ${n}.`);
  });
});
