const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** What XML 1.0 cannot hold, however it is written. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** `text` as it stands within an element or an attribute of XML; characters that XML does not know become spaces. */
export const escapedXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(FORBIDDEN, ' ')
    .replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
