import { decodedText } from './decoded-text.ts';
import { withWholeWords } from './encoded-words.ts';

const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"\r\n]{1,70})"|([^\s";]{1,70}))/i;
/** The first delimiter of a multipart whose header names no boundary. */
const FIRST_DELIMITER = /(?:^|\n)--([^\r\n"\\]{1,70}?)[ \t]*\r?\n(?=content-[a-z-]+[ \t]*:)/i;
/** Of the types that a header gives, so many are looked at: for each one the whole body may be looked through. */
const MAX_TYPES = 20;
const MAX_SEARCHED_BYTES = 65_536;
const CONTENT_TYPE = /^content-type[ \t]*:/i;

/**
 * Repairs the header of a mail for the parser: it converts the header to UTF-8, joins encoded words that were cut, and chooses the
 * `Content-Type` that fits the body when there are several, or when a multipart has no boundary or a wrong one.
 */
export function withMendedHeader(raw: Uint8Array): Uint8Array {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const length = headerLength(bytes);
  const body = bytes.subarray(length);
  const lines = bytes.toString('latin1', 0, length).split('\n');
  const header = lines.map((line) => decodedText(Buffer.from(line, 'latin1')) ?? line).join('\n');
  return Buffer.concat([Buffer.from(withContentType(withWholeWords(header), body)), body]);
}

/** The length in bytes without the empty line after the header. */
function headerLength(bytes: Buffer): number {
  const ends = [bytes.indexOf('\n\r\n'), bytes.indexOf('\n\n')].filter((at) => at >= 0);
  return Math.min(bytes.byteLength, ...ends.map((at) => at + 1));
}

function withContentType(header: string, body: Buffer): string {
  const fields = header.split(/\n(?![ \t])/);
  const types = fields.filter((field) => CONTENT_TYPE.test(field));
  const chosen = fitting(types, body);
  if (types.length === 0 || (types.length === 1 && chosen === types[0])) return header;
  const others = fields.filter((field) => !CONTENT_TYPE.test(field));
  return [`${chosen.trimEnd()}\r`, ...others].join('\n');
}

/** The `Content-Type` field that fits `body`. */
function fitting(types: readonly string[], body: Buffer): string {
  const nested = types.filter((type) => /^[^:]*:\s*multipart\//i.test(type));
  const whole = nested.slice(0, MAX_TYPES).find((type) => {
    const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
    const boundary = quoted ?? plain;
    return boundary !== undefined && isDelimited(body, boundary);
  });
  if (whole !== undefined) return whole;
  const [multipart] = nested;
  const boundary = multipart && FIRST_DELIMITER.exec(body.toString('latin1', 0, MAX_SEARCHED_BYTES))?.[1];
  if (boundary !== undefined) return `Content-Type: multipart/mixed; boundary="${boundary}"`;
  return types.find((type) => !nested.includes(type)) ?? 'Content-Type: text/plain';
}

function isDelimited(body: Buffer, boundary: string): boolean {
  const delimiter = `--${boundary}`;
  return body.indexOf(delimiter, 0, 'latin1') === 0 || body.includes(`\n${delimiter}`, 0, 'latin1');
}
