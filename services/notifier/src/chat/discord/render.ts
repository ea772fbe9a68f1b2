import { type ChatPost, type ChatReply, detailLines, STATE_COLORS } from '../post.ts';
import { type Escaping, writtenLine, writtenText } from '../text.ts';

/** Signs of the markup of Discord, and those with which mentions, channels, emoji and times begin. */
const escaped = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<-]/g, String.raw`\$&`);

/** In angle brackets a URL has no preview, and no sign of it is markup. */
const ESCAPING: Escaping = { text: escaped, link: (url) => `<${url}>` };

/** A title has at most 256 characters, a value 1024, and a message 6000 in all. */
const MAX_TITLE = 250;
const MAX_STATE = 250;
const MAX_DESCRIPTION = 2_000;
const MAX_DETAILS = 1_000;
const MAX_VALUE = 200;
const MAX_NOTE = 3_000;
/** A description has at most 4096 characters, so lines are in two embeds. */
const LINES = 40;
const MAX_LINE = 66;

/** The message is shown, and no user is notified of it. */
const SILENT = 4_096;

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a message of Discord that shows a post. */
export function discordMessage(post: ChatPost): Fields {
  const { description, details, facts, lines = [], state, stateLine, title, url } = post;
  const color = Number.parseInt(STATE_COLORS[state].slice(1), 16);
  const shown = lines.map((line) => writtenLine(line, ESCAPING, MAX_LINE));
  const texts = [
    [writtenLine(stateLine, ESCAPING, MAX_STATE), ...shown.slice(0, LINES)].join('\n'),
    ...(description === undefined ? [] : [writtenText(description, ESCAPING, MAX_DESCRIPTION)]),
    ...(details.length === 0 ? [] : [writtenText(detailLines(details), ESCAPING, MAX_DETAILS)]),
  ];
  const fields = facts.map(([name, value]) => ({ name, value: writtenLine(value, ESCAPING, MAX_VALUE), inline: true }));
  const more = shown.slice(LINES);
  return messageWith([
    { ...heading({ title, url }), color, description: texts.join('\n\n'), fields },
    ...(more.length === 0 ? [] : [{ color, description: more.join('\n') }]),
  ]);
}

/** The fields of a message of Discord that shows a reply. It stands apart from the post, so it has its title. */
export function discordReply({ line, note, title, url }: ChatReply): Fields {
  const written = writtenLine(line, ESCAPING, MAX_STATE);
  const description = note === undefined ? written : `${written}\n\n${writtenText(note, ESCAPING, MAX_NOTE)}`;
  return { ...messageWith([{ ...heading({ title, url }), description }]), flags: SILENT };
}

/** No text of an embed mentions a user; the rule is written all the same, because an edit without it would have none. */
const messageWith = (embeds: readonly Fields[]): Fields => ({ embeds, allowed_mentions: { parse: [] } });

const heading = ({ title, url }: { readonly title: string; readonly url: string | undefined }): Fields => ({
  title: writtenLine(title, ESCAPING, MAX_TITLE),
  ...(url !== undefined && { url }),
});
