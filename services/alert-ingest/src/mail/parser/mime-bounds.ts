/** The limits of the structure of a mail: many times that of usual mails. */
const MAX_PARTS = 500;
const MAX_BOUNDARIES = 50;
/** Of the header of the mail, up to its first empty line. */
const MAX_HEADER_BYTES = 256 * 1024;

/** No longer ones are allowed (RFC 2046, 5.1.1). */
const BOUNDARY = /\bboundary\s*=\s*(?:"([^"\r\n]{1,70})"|([^\s";]{1,70}))/gi;

/**
 * A sentence that says why a mail has too large a header or too many parts to be parsed; undefined where it has not. Reads the
 * bytes once and makes nothing of them.
 */
export function beyondMimeBounds(raw: Uint8Array): string | undefined {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  if (headerBytes(bytes) > MAX_HEADER_BYTES) return `has a header of more than ${MAX_HEADER_BYTES} bytes`;
  const boundaries = new Set<string>();
  for (const [, quoted, plain = ''] of bytes.toString('latin1').matchAll(BOUNDARY)) {
    boundaries.add(quoted ?? plain);
    if (boundaries.size > MAX_BOUNDARIES) return `has more than ${MAX_BOUNDARIES} boundaries`;
  }
  return delimiters(bytes, boundaries) > MAX_PARTS ? `has more than ${MAX_PARTS} parts` : undefined;
}

function headerBytes(bytes: Buffer): number {
  const ends = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')].filter((at) => at >= 0);
  return Math.min(bytes.byteLength, ...ends);
}

/** How many lines begin with two hyphens and a boundary; it stops where they are too many. */
function delimiters(bytes: Buffer, boundaries: ReadonlySet<string>): number {
  if (boundaries.size === 0) return 0;
  const lengths = [...new Set([...boundaries].map(({ length }) => length))];
  let count = 0;
  for (let at = bytes.indexOf('\n--'); at >= 0 && count <= MAX_PARTS; at = bytes.indexOf('\n--', at + 1)) {
    const line = bytes.toString('latin1', at + 3, at + 73);
    if (lengths.some((length) => boundaries.has(line.slice(0, length)))) count += 1;
  }
  return count;
}
