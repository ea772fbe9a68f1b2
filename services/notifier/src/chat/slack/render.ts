import { type ChatButton, type ChatPost, type ChatReply, detailLines, STATE_COLORS } from '../post.ts';
import { type Escaping, writtenLine, writtenText } from '../text.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Mentions, links and commands of Slack are written in angle brackets. */
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => ENTITIES[sign] ?? '');

const ESCAPING: Escaping = { text: escaped, link: (url) => `<${escaped(url)}>` };

/** Of a text of a section; Slack refuses a message with a longer one. */
const MAX_SECTION = 3_000;
const MAX_TITLE = 500;
const MAX_FIELD = 300;
const MAX_LINE = 120;
/** As many lines as fit in a section. */
const LINES = 20;

type Block = Readonly<Record<string, unknown>>;

/** The fields of a message of Slack that show a post: the title, and the rest beside a bar in the color of the state. */
export function slackMessage(post: ChatPost): Readonly<Record<string, unknown>> {
  const title = writtenLine(post.title, ESCAPING, MAX_TITLE);
  return {
    ...PLAIN,
    text: mentioning(title, post.mentions),
    attachments: [{ color: STATE_COLORS[post.state], fallback: title, blocks: blocksOf(post) }],
  };
}

/** The fields of a message of Slack that show a reply. */
export function slackReply(
  { line, note }: Pick<ChatReply, 'line' | 'note'>,
  mentions?: readonly string[],
): Readonly<Record<string, unknown>> {
  const written = mentioning(writtenLine(line, ESCAPING, MAX_TITLE), mentions);
  const quote = note === undefined ? [] : [section(writtenText(note, ESCAPING, MAX_SECTION))];
  return { ...PLAIN, text: written, blocks: [section(written), ...quote] };
}

/** A text of Slack, and after it mentions of accounts, by their ids. */
const mentioning = (text: string, accounts: readonly string[] = []): string =>
  [text, ...accounts.filter((id) => /^[A-Z0-9]+$/.test(id)).map((id) => `<@${id}>`)].join(' ');

/** The longest topic that Slack takes. */
const MAX_TOPIC = 250;

/** The topic of a channel. It has no markup but entities. */
export const slackTopic = (line: string): string => writtenLine(line, ESCAPING, MAX_TOPIC);

/** The fields of a message of Slack that pages a user; `url` opens the page that acknowledges. */
export function slackPage(title: string, text: string, url: string | undefined): Readonly<Record<string, unknown>> {
  const written = writtenLine(title, ESCAPING, MAX_TITLE);
  const link = url === undefined ? [] : [section(`<${escaped(url)}|Acknowledge>`)];
  return { ...PLAIN, text: written, blocks: [section(written), ...texts(text), ...link] };
}

/** The fields of an answer for one user alone. */
export const slackAnswer = (lines: readonly string[]): Readonly<Record<string, unknown>> => ({
  ...PLAIN,
  response_type: 'ephemeral',
  replace_original: false,
  text: lines.map((line) => writtenLine(line, ESCAPING, MAX_TITLE)).join('\n'),
});

/** Nothing in a text becomes a link or a mention, and no link shows a preview. */
const PLAIN = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

function blocksOf({
  buttons = [],
  description,
  details,
  facts,
  lines = [],
  stateLine,
  url,
}: ChatPost): readonly Block[] {
  const fields = facts.map(([name, value]) => mrkdwn(`*${name}*\n${writtenLine(value, ESCAPING, MAX_FIELD)}`));
  return [
    section(writtenLine(stateLine, ESCAPING, MAX_TITLE)),
    ...(fields.length > 0 ? [{ type: 'section', fields }] : []),
    ...listed(lines.map((line) => writtenLine(line, ESCAPING, MAX_LINE))),
    ...texts(description),
    ...texts(detailLines(details)),
    ...(url === undefined ? [] : [section(`<${escaped(url)}|Open in the console>`)]),
    ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons.map(buttonOf) }]),
  ];
}

/** Sections with these lines. */
const listed = (lines: readonly string[]): readonly Block[] =>
  Array.from({ length: Math.ceil(lines.length / LINES) }, (_, index) =>
    section(lines.slice(index * LINES, (index + 1) * LINES).join('\n')),
  );

/** A section of its own, so that marks in the text change nothing else; none of a text that is blank. */
const texts = (text = ''): readonly Block[] =>
  text.trim() === '' ? [] : [section(writtenText(text, ESCAPING, MAX_SECTION))];

const section = (text: string): Block => ({ type: 'section', text: mrkdwn(text) });

const buttonOf = ({ action, label, token }: ChatButton): Block => ({
  type: 'button',
  action_id: action,
  text: { type: 'plain_text', text: label },
  value: token,
});

const mrkdwn = (text: string): Block => ({ type: 'mrkdwn', text, verbatim: true });
