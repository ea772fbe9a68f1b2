import { abbreviated } from '@tocsin/rules';
import { linesOf, type Block, type BundledAlert, type Sender } from '../../messages/content.ts';
import { contentOf } from '../../messages/message-content.ts';
import type { Outgoing } from '../../messages/bundle.ts';
import { listedText, oneLine } from '../../messages/safe-text.ts';

/** The message that a registered device shows. */
export interface Push {
  readonly topic: string;
  readonly title: string;
  readonly text: string;
  /** 5 is the most urgent. */
  readonly priority: 1 | 2 | 3 | 4 | 5;
  /** The link by which the user acknowledges the alert. */
  readonly acknowledgeUrl?: string;
}

const MAX_TITLE_LENGTH = 250;
/** How many lines of each block are sent: a screen shows no more. */
const MAX_LINES = 4;
const MAX_LINE_LENGTH = 200;
/** The longest text of an alert among several. */
const MAX_LISTED_LENGTH = 60;

const PRIORITIES = { P1: 5, P2: 4, P3: 3, P4: 2, P5: 1 } as const;
/** The priority of a message about no alert. */
const MIDDLE = 3;

/** Writes the message that a device shows. The title is visible before the user opens it. Texts of callers have marks before them. */
export function writePush(outgoing: Outgoing, sender: Sender): Push {
  const { acknowledgeUrl, alerts, blocks, priority, title } = contentOf(outgoing, sender);
  return {
    topic: outgoing.to,
    title: abbreviated(oneLine(title), MAX_TITLE_LENGTH),
    text: (alerts === undefined ? shown(blocks) : alerts.flatMap(listed)).join('\n'),
    priority: priority === undefined ? MIDDLE : PRIORITIES[priority],
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
  };
}

/** An alert of several: as much as fits for each of them, with its link. */
const listed = ({ acknowledgeUrl, name, text }: BundledAlert): readonly string[] => [
  abbreviated(oneLine(`${name} ${listedText(text)}`), MAX_LISTED_LENGTH),
  ...(acknowledgeUrl === undefined ? [] : [acknowledgeUrl]),
];

/** The title and the link are separate fields, and a screen is too small for facts. */
const LEFT_OUT: ReadonlySet<Block['kind']> = new Set(['title', 'facts', 'details', 'link']);

/** The text below the title. */
const shown = (blocks: readonly Block[]): readonly string[] =>
  blocks
    .filter(({ kind }) => !LEFT_OUT.has(kind))
    .flatMap((block) => linesOf(block).slice(0, MAX_LINES))
    .map((line) => abbreviated(line, MAX_LINE_LENGTH));
