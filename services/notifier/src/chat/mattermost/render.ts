import { type ChatButton, type ChatPost, type ChatReply, detailLines, STATE_COLORS } from '../post.ts';
import { type Escaping, writtenLine, writtenText } from '../text.ts';

/** Shown as nothing; parts a sign from the name behind it, so that both are no mention. */
const ZERO_WIDTH_SPACE = '\u200B';

const escaped = (text: string): string =>
  text.replaceAll(/[\\`*_[\]|>#]/g, String.raw`\$&`).replaceAll(/[@~]/g, `$&${ZERO_WIDTH_SPACE}`);

/** Signs that end a link, or would be markup or a mention in one. */
const linked = (url: string): string => url.replaceAll(/[@()[\]*_~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

const ESCAPING: Escaping = { text: escaped, link: linked };

/** A post has at most 16383 characters, and of older servers 8000 more in its attachments, as JSON. */
const MAX_NOTE = 10_000;
const MAX_TITLE = 500;
const MAX_TEXT = 2_000;
const MAX_DETAILS = 800;
const MAX_FIELD = 150;
const MAX_LINE = 150;

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a post of Mattermost that show a post: the title, and the rest beside a bar in the color of the state. */
export function mattermostPost(post: ChatPost): Fields {
  const { buttons = [], description, details, facts, lines = [], mentions, state, stateLine, title, url } = post;
  const text = [
    writtenLine(stateLine, ESCAPING, MAX_TITLE),
    ...(description === undefined ? [] : [writtenText(description, ESCAPING, MAX_TEXT)]),
    ...(details.length === 0 ? [] : [writtenText(detailLines(details), ESCAPING, MAX_DETAILS)]),
    ...(url === undefined ? [] : [`[Open in the console](${url})`]),
  ].join('\n\n');
  const fields = facts.map(([name, value]) => ({
    short: true,
    title: name,
    value: writtenLine(value, ESCAPING, MAX_FIELD),
  }));
  const heading = writtenLine(title, ESCAPING, MAX_TITLE);
  const message = [mentioning(heading, mentions), ...lines.map((line) => writtenLine(line, ESCAPING, MAX_LINE))].join(
    '\n',
  );
  return {
    message,
    props: {
      attachments: [{ color: STATE_COLORS[state], fallback: heading, text, fields, actions: buttons.map(actionOf) }],
    },
  };
}

/** The fields of a post of Mattermost that show a reply. */
export function mattermostReply(
  { line, note }: Pick<ChatReply, 'line' | 'note'>,
  mentions?: readonly string[],
): Fields {
  const written = mentioning(writtenLine(line, ESCAPING, MAX_TITLE), mentions);
  return { message: note === undefined ? written : `${written}\n\n${writtenText(note, ESCAPING, MAX_NOTE)}` };
}

/** A text of Mattermost, and after it mentions of accounts, by their names. */
const mentioning = (text: string, accounts: readonly string[] = []): string =>
  [text, ...accounts.filter((name) => /^[a-z0-9._-]+$/.test(name)).map((name) => `@${name}`)].join(' ');

/** The longest header that Mattermost takes. */
const MAX_HEADER = 1_024;

/** The header of a channel. */
export const mattermostHeader = (line: string): string => writtenLine(line, ESCAPING, MAX_HEADER);

/** The fields of a post of Mattermost that pages a user; `url` opens the page that acknowledges. */
export function mattermostPage(title: string, text: string, url: string | undefined): Fields {
  const paragraphs = [
    writtenLine(title, ESCAPING, MAX_TITLE),
    writtenText(text, ESCAPING, MAX_NOTE),
    url === undefined ? '' : `[Acknowledge](${url})`,
  ];
  return { message: paragraphs.filter((paragraph) => paragraph.trim() !== '').join('\n\n') };
}

/** The fields of an answer for one user alone. */
export const mattermostAnswer = (lines: readonly string[]): Fields => ({
  response_type: 'ephemeral',
  skip_slack_parsing: true,
  text: lines.map((line) => writtenLine(line, ESCAPING, MAX_TITLE)).join('\n'),
});

/** The server keeps the context from users, and sends it back with a press. */
const actionOf = ({ action, label, token, url }: ChatButton): Fields => ({
  id: action,
  name: label,
  type: 'button',
  integration: { url, context: { token } },
});
