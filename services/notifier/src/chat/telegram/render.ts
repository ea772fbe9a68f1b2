import { type ChatButton, type ChatPost, type ChatReply, type ChatState, detailLines } from '../post.ts';
import { type Escaping, URL_IN_TEXT, writtenLine, writtenText } from '../text.ts';

/** Shown as nothing; parts a sign from the word behind it, so that both are no mention, tag, command or link. */
const ZERO_WIDTH_SPACE = '\u200B';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');

/** The signs by which Telegram finds mentions, tags, commands such as `/start`, and links of all schemes in a text. */
const AUTOMATIC = String.raw`@|#(?=\w*[\p{L}_])|(?<![\w/])/(?=\w{1,64}(?![\w/]))|:(?=//)`;
const IN_LINES = new RegExp(AUTOMATIC, 'gu');
const IN_TEXTS = new RegExp(`${URL_IN_TEXT.source}|${AUTOMATIC}`, 'giu');

const ESCAPING: Escaping = {
  prepare: (plain) =>
    plain.replaceAll(IN_TEXTS, (found, url?: string) => (url === undefined ? `${found}${ZERO_WIDTH_SPACE}` : found)),
  text: escaped,
  // An address that Telegram takes for none is shown as a text.
  link: (url) => `<a href="${escaped(url)}">${escaped(plainLine(url))}</a>`,
};

/** A message has at most 4096 characters, which are counted without the markup. The texts of a post are fewer in all. */
const MAX_TITLE = 300;
const MAX_STATE = 200;
const MAX_FIELD = 150;
const MAX_TEXT = 1_500;
const MAX_DETAILS = 600;
const MAX_LINES = 3_400;
const MAX_LINE = 150;
const MAX_NOTE = 3_000;

const SIGNS: Readonly<Record<ChatState, string>> = {
  open: '🔴',
  acknowledged: '🟡',
  snoozed: '🟡',
  closed: '🟢',
  deleted: '⚪',
};

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a message of Telegram that show a post. */
export function telegramMessage(post: ChatPost): Fields {
  const { buttons = [], description, details, facts, lines = [], state, stateLine, title, url } = post;
  const max = Math.min(MAX_LINE, Math.floor(MAX_LINES / Math.max(1, lines.length)) - 1);
  const paragraphs = [
    `${SIGNS[state]} <b>${oneLine(title, MAX_TITLE)}</b>\n${oneLine(stateLine, MAX_STATE)}`,
    facts.map(([name, value]) => `<b>${name}</b>: ${oneLine(value, MAX_FIELD)}`).join('\n'),
    lines.map((line) => digestLine(line, max)).join('\n'),
    texts(description, MAX_TEXT),
    texts(detailLines(details), MAX_DETAILS),
    url === undefined ? '' : `<a href="${escaped(url)}">Open in the console</a>`,
  ];
  return { ...HTML, text: paragraphs.filter((text) => text !== '').join('\n\n'), ...keyboard(buttons) };
}

/** Buttons in one row below a message; an edit without them removes them. */
export const keyboard = (buttons: readonly Pick<ChatButton, 'action' | 'label'>[]): Fields =>
  buttons.length === 0
    ? {}
    : {
        reply_markup: {
          inline_keyboard: [buttons.map(({ action, label }) => ({ text: label, callback_data: action }))],
        },
      };

/** The fields of a message of Telegram that show a reply. */
export function telegramReply({ line, note }: ChatReply): Fields {
  const written = oneLine(line, MAX_TITLE);
  return { ...HTML, text: note === undefined ? written : `${written}\n\n${texts(note, MAX_NOTE)}` };
}

/** The longest text of a page. */
const MAX_PAGE = 3_500;

/** The fields of a message of Telegram that pages a user. */
export function telegramPage(
  title: string,
  text: string,
  link?: { readonly name: string; readonly url: string },
): Fields {
  const paragraphs = [
    `<b>${oneLine(title, MAX_TITLE)}</b>`,
    texts(text, MAX_PAGE),
    link === undefined ? '' : `<a href="${escaped(link.url)}">${link.name}</a>`,
  ];
  return { ...HTML, text: paragraphs.filter((paragraph) => paragraph !== '').join('\n\n') };
}

/** The fields of a message of Telegram with words of Tocsin alone. */
export const telegramAnswer = (text: string): Fields => ({ ...HTML, text: escaped(text) });

/** No link shows a preview. */
const HTML = { parse_mode: 'HTML', link_preview_options: { is_disabled: true } } as const;

const plainLine = (line: string): string => line.replaceAll(IN_LINES, `$&${ZERO_WIDTH_SPACE}`);

const oneLine = (line: string, max: number): string => writtenLine(plainLine(line), ESCAPING, max);

/** None of a text that is blank. */
const texts = (text: string | undefined, max: number): string =>
  text === undefined || text.trim() === '' ? '' : writtenText(text, ESCAPING, max);

/** The line of an alert. Where it is too long, the end of its message is left out, and its number and state are kept. */
function digestLine(line: string, max: number): string {
  const at = line.lastIndexOf(' (#');
  const end = at === -1 ? '' : oneLine(line.slice(at), Math.floor(max / 2));
  return `${oneLine(at === -1 ? line : line.slice(0, at), max - end.length)}${end}`;
}
