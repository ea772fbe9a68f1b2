const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** What XML 1.0 cannot hold, however it is written. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escaped = (text: string, apostrophe: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? apostrophe);

/** Text as it may stand in HTML, between tags or in a quoted value: none of it is markup. HTML 4 has no `&apos;`. */
export const escapedHtml = (text: string): string => escaped(text, '&#39;');

/** The same for XML; characters that XML does not know become spaces. */
export const escapedXml = (text: string): string => escaped(text.toWellFormed().replaceAll(FORBIDDEN, ' '), '&apos;');
