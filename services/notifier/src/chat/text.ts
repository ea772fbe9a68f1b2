import { plainLines } from '../messages/safe-text.ts';

/** How a product writes a text of others: no part of it is markup, and it mentions no user and no channel. */
export interface Escaping {
  /** Changes a text before its URLs are found, which stay as they are. */
  readonly prepare?: (plain: string) => string;
  /** A text without a link. Texts that follow each other may be escaped one by one. */
  readonly text: (plain: string) => string;
  /** A link to a URL of http or https, which is shown in full. */
  readonly link: (url: string) => string;
}

/** Its group is a URL of http or https in a text. */
export const URL_IN_TEXT = /(https?:\/\/[^\s<>"|`\\]{1,2000})/gi;

/** The lines of a text, its URLs of http and https as links, in at most `max` characters of the product. An ellipsis shows that there is more. */
export function writtenText(text: string, escaping: Escaping, max: number): string {
  const { prepare = (plain: string) => plain } = escaping;
  const parts = prepare(plainLines(text).join('\n')).split(URL_IN_TEXT);
  return bounded(
    parts.flatMap((part, index) => (index % 2 === 1 ? escaping.link(part) : Array.from(part, escaping.text))),
    max,
  );
}

/** A text on one line, without links, in at most `max` characters of the product. */
export const writtenLine = (line: string, { text }: Escaping, max: number): string =>
  bounded(Array.from(line, text), max);

/** As many parts as fit. */
function bounded(parts: readonly string[], max: number): string {
  let length = 0;
  for (const [index, part] of parts.entries()) {
    length += part.length;
    if (length > max) return `${fitting(parts.slice(0, index), max - 1)}…`;
  }
  return parts.join('');
}

function fitting(parts: readonly string[], max: number): string {
  const all = parts.join('');
  return all.length <= max ? all : parts.slice(0, -1).join('');
}
