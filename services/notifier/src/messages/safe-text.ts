/** Characters that only change how text is shown, such as marks that reverse its order. Joiners of emoji do not count. */
const STEERING = /(?![\u200C\u200D])\p{Cf}/gu;
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

/** The text on one line: white space and control characters become one space, and characters that change the display are removed. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(STEERING, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** A caller's text in a list, in which it cannot look like another entry or a link. */
export const listedText = (text: string): string => oneLine(text.replaceAll(/[;#]|:\/\//g, ' '));

/** The lines of a caller's text, without control characters and characters that change the display. */
export const plainLines = (text: string): readonly string[] =>
  text
    .toWellFormed()
    .split(LINE_END)
    .map((line) => line.replaceAll(STEERING, '').replaceAll(/\p{Cc}/gu, ' '));

/** The lines of a caller's text, each after a mark, so that none looks like a line of Tocsin. */
export const quoted = (text: string): readonly string[] => plainLines(text).map((line) => `> ${line}`.trimEnd());

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 cannot contain, not even escaped. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escaped = (text: string, apostrophe: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? apostrophe);

/** Text as it may stand in HTML, between tags or in a quoted value: none of it is markup. HTML 4 has no `&apos;`. */
export const escapedHtml = (text: string): string => escaped(text, '&#39;');

/** The same for XML; characters that XML does not know become spaces. */
export const escapedXml = (text: string): string => escaped(text.toWellFormed().replaceAll(FORBIDDEN, ' '), '&apos;');
