import type { Row } from '../../messages/content.ts';
import { type ChatPost, type ChatReply, type ChatState, detailLines } from '../post.ts';
import { type Escaping, writtenLine, writtenText } from '../text.ts';

/** Shown as nothing; parts braces, so that no text is a function such as `{{DATE(…)}}`. */
const ZERO_WIDTH_SPACE = '\u200B';

/** Marks a link in a written text, which has no control characters of its own. */
const LINK = '\0';

/** A run of text has no markup, and no mention without an entity of the card. */
const ESCAPING: Escaping = {
  text: (plain) => plain.replaceAll('{', `{${ZERO_WIDTH_SPACE}`),
  link: (url) => `${LINK}${url}${LINK}`,
};

/** A message has at most about 28 KB. A character is up to three bytes, and a line has about 80 bytes more. */
const MAX_TITLE = 500;
const MAX_LINE = 80;
const MAX_VALUE = 150;
const MAX_DETAILS = 800;
const MAX_DESCRIPTION = 2_000;
const MAX_NOTE = 3_000;
const MAX_LINES = 40;

const COLORS: Readonly<Record<ChatState, string>> = {
  open: 'Attention',
  acknowledged: 'Warning',
  snoozed: 'Warning',
  closed: 'Good',
  deleted: 'Default',
};

type Fields = Readonly<Record<string, unknown>>;

/** The body of a request that shows a post as an Adaptive Card. */
export function teamsCard({ description, details, facts, lines = [], state, stateLine, title, url }: ChatPost): Fields {
  return cardOf(url, [
    heading(title),
    stateBlock({ state, stateLine }),
    ...lines.map((line) => lineBlock(writtenLine(line, ESCAPING, MAX_LINE))),
    ...facts.map(factBlock),
    ...(description === undefined ? [] : textBlocks(description, MAX_DESCRIPTION)),
    ...(details.length === 0 ? [] : textBlocks(detailLines(details), MAX_DETAILS)),
  ]);
}

/** The body of a request that shows an event, and the alert as it is then, as a card of its own. */
export function teamsEventCard({ line, note, now, title, url }: ChatReply): Fields {
  return cardOf(url, [
    heading(title),
    ...(now === undefined ? [] : [stateBlock(now)]),
    ...(now?.stateLine === line ? [] : [lineBlock(writtenLine(line, ESCAPING, MAX_TITLE))]),
    ...(note === undefined ? [] : textBlocks(note, MAX_NOTE)),
    ...(now?.facts ?? []).map(factBlock),
  ]);
}

const cardOf = (url: string | undefined, body: readonly Fields[]): Fields => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.2',
        body,
        ...(url !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open in the console', url }] }),
      },
    },
  ],
});

const block = (inlines: readonly Fields[]): Fields => ({ type: 'RichTextBlock', inlines });

const run = (text: string, style: Fields = {}): Fields => ({ type: 'TextRun', text, ...style });

const lineBlock = (text: string): Fields => block([run(text)]);

const heading = (title: string): Fields =>
  block([run(writtenLine(title, ESCAPING, MAX_TITLE), { weight: 'Bolder', size: 'Medium' })]);

const stateBlock = ({ state, stateLine }: Pick<ChatPost, 'state' | 'stateLine'>): Fields =>
  block([run(writtenLine(stateLine, ESCAPING, MAX_TITLE), { color: COLORS[state] })]);

const factBlock = ([name, value]: Row): Fields =>
  block([run(`${name}: `, { weight: 'Bolder' }), run(writtenLine(value, ESCAPING, MAX_VALUE))]);

/** A block for each line: a run does not break. */
function textBlocks(text: string, max: number): readonly Fields[] {
  const written = writtenText(text, ESCAPING, max)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const shown = written.length > MAX_LINES ? [...written.slice(0, MAX_LINES - 1), '…'] : written;
  return shown.map((line) => block(runsOf(line)));
}

/** The runs of a line, its URLs as links. */
const runsOf = (line: string): readonly Fields[] =>
  line
    .split(LINK)
    .map((part, index) =>
      run(part, index % 2 === 1 ? { selectAction: { type: 'Action.OpenUrl', url: part } } : undefined),
    )
    .filter(({ text }) => text !== '');
