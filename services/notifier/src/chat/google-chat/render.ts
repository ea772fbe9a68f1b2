import { escapedHtml } from '../../messages/safe-text.ts';
import { type ChatPost, type ChatReply, type ChatState, detailLines, STATE_COLORS } from '../post.ts';
import { type Escaping, writtenLine, writtenText } from '../text.ts';

/** Texts of cards are HTML. In HTML no text is a mention. */
const ESCAPING: Escaping = {
  text: escapedHtml,
  link: (url) => `<a href="${escapedHtml(url)}">${escapedHtml(url)}</a>`,
};

/** A message has at most 32 000 bytes. A character is up to three. */
const MAX_TITLE = 500;
const MAX_LINE = 90;
const MAX_VALUE = 200;
const MAX_DETAILS = 800;
const MAX_DESCRIPTION = 2_000;
const MAX_NOTE = 3_000;

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a message of Google Chat that shows a post as a card. */
export function googleChatMessage({
  description = '',
  details,
  facts,
  lines = [],
  state,
  stateLine,
  title,
  url,
}: ChatPost): Fields {
  const listed = lines.map((line) => writtenLine(line, ESCAPING, MAX_LINE)).join('<br>');
  return messageWith(title, [
    paragraph(`<b>${lineOf(title)}</b><br>${colored(stateLine, state)}`),
    ...(listed === '' ? [] : [paragraph(listed)]),
    ...facts.map(([name, value]) => ({
      decoratedText: { topLabel: name, text: writtenLine(value, ESCAPING, MAX_VALUE), wrapText: true },
    })),
    ...texts(description, MAX_DESCRIPTION),
    ...texts(detailLines(details), MAX_DETAILS),
    ...(url === undefined
      ? []
      : [{ buttonList: { buttons: [{ text: 'Open in the console', onClick: { openLink: { url } } }] } }]),
  ]);
}

/** The fields of a message of Google Chat about an event, in the thread of its alert. */
export function googleChatReply({ line, note = '', now, title }: ChatReply): Fields {
  const said = [
    now === undefined ? '' : colored(now.stateLine, now.state),
    now?.stateLine === line ? '' : lineOf(line),
  ].filter((text) => text !== '');
  return messageWith(`${title}: ${line}`, [paragraph(said.join('<br>')), ...texts(note, MAX_NOTE)]);
}

/** `fallback` is plain text, which notifications show. In it a space of no width parts what begins a mention. */
const messageWith = (fallback: string, widgets: readonly Fields[]): Fields => ({
  fallbackText: writtenLine(
    fallback,
    { text: (plain) => plain.replaceAll('<', '<\u200B'), link: (url) => url },
    MAX_TITLE,
  ),
  cardsV2: [{ cardId: 'alert', card: { sections: [{ widgets }] } }],
});

const paragraph = (text: string): Fields => ({ textParagraph: { text } });

const lineOf = (text: string): string => writtenLine(text, ESCAPING, MAX_TITLE);

const colored = (line: string, state: ChatState): string =>
  `<font color="${STATE_COLORS[state]}">${lineOf(line)}</font>`;

const texts = (text: string, max: number): readonly Fields[] =>
  text.trim() === '' ? [] : [paragraph(writtenText(text, ESCAPING, max).replaceAll('\n', '<br>'))];
