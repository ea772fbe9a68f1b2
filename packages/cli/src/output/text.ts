const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Characters that terminals draw two columns wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{40000}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Characters that control a terminal, or that reverse the order of letters. */
const OBEYED = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

/** `1 error`, `2 errors`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const columnsOf = (grapheme: string): number => (WIDE.test(grapheme) ? 2 : 1);

/** `text` on one line without anything that a terminal would obey: alerts carry the text of any sender. */
export const plain = (text: string): string => text.replace(/\s+/gu, ' ').replace(OBEYED, '\ufffd').trim();

/** As {@link plain}, with its line breaks. */
export const plainLines = (text: string): string => text.replace(/\r\n?/g, '\n').split('\n').map(plain).join('\n');

/** As {@link plainLines}, each line but the first indented by four. */
export const indentedLines = (text: string): string => plainLines(text).replaceAll('\n', '\n    ');

/** How many columns of a terminal `text` takes: two for each wide character and emoji. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += columnsOf(segment);
  return width;
}

/** `text` in at most `width` columns; what is cut ends in `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += columnsOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}

/** `text` in exactly `width` columns: cut, or filled with `fill`. */
export function fitted(text: string, width: number, fill = ' '): string {
  const short = cut(text, width);
  return short + fill.repeat(Math.max(0, width - widthOf(short)));
}

/** JSON of `value` in which nothing is left that a terminal would obey. */
export const jsonText = (value: unknown): string => withoutObeyed(JSON.stringify(value, undefined, 2));

/** As {@link jsonText}, on one line. */
export const jsonLine = (value: unknown): string => withoutObeyed(JSON.stringify(value));

function withoutObeyed(json: string): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(/[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu, escaped);
}
