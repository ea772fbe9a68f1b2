/** Characters that only change how text is shown, such as marks that reverse its order. Joiners of emoji are not among them. */
const STEERING = /(?![\u200C\u200D])\p{Cf}/gu;
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

/** White space and control characters of any kind and length become one space; marks that steer the display go. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(STEERING, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Somebody's text among those of others: it can pass for no entry of ours, and for no link. */
export const listedText = (text: string): string => oneLine(text.replaceAll(/[;#]|:\/\//g, ' '));

/** The lines of somebody's text, each flat as {@link oneLine} makes it. */
export const plainLines = (text: string): readonly string[] =>
  text
    .toWellFormed()
    .split(LINE_END)
    .map((line) => line.replaceAll(STEERING, '').replaceAll(/\p{Cc}/gu, ' '));

/** Each line of somebody's text behind a mark, so that none can pass for a line of ours. */
export const quoted = (text: string): readonly string[] => plainLines(text).map((line) => `> ${line}`.trimEnd());
