/** More names than any map of an alert has room for (E8): reading them twice would only take time. */
const MAX_NAMES = 2_000;

/** A string of JSON, or a number, which alone is captured. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|(-?\d[\d.eE+-]*)/g;

/** A string of JSON, or a number, which alone is captured; of any text, also one that is not JSON. */
const STRICT_TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
/** What JavaScript might write otherwise: many digits, an exponent, a zero at the end of a fraction, a small fraction, and minus zero. */
const OTHERWISE = /\d{16}|\d[eE]|\.\d*0(?!\d)|0\.0{6}|-0/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Of a number as JavaScript writes it, in characters. */
const MAX_NUMBER = 30;

/** As `JSON.parse`, but a number that JavaScript would write otherwise is a text, as it is written. @throws as `JSON.parse`. */
export function parsedAsWritten(json: string): unknown {
  if (NUMBER.test(json)) return json.length <= MAX_NUMBER && String(Number(json)) === json ? Number(json) : json;
  const value = JSON.parse(json) as unknown;
  if (!OTHERWISE.test(json)) return value;
  const written = json.replaceAll(STRICT_TOKENS, (token, number?: string) =>
    number === undefined || (number.length <= MAX_NUMBER && String(Number(number)) === number) ? token : `"${number}"`,
  );
  return JSON.parse(written) as unknown;
}

/**
 * The value `body` of `json` with the numbers of its map `field` as texts, as they are written: JavaScript would make
 * 12345678901234567000 of 12345678901234567890, and 1.1 of 1.10.
 */
export function withWrittenNumbers(body: unknown, field: string, json: string): unknown {
  const map = isMap(body) ? body[field] : undefined;
  if (!isMap(body) || !isMap(map)) return body;
  const values = Object.values(map);
  if (values.length > MAX_NAMES || !values.some((value) => typeof value === 'number')) return body;
  const written = writtenValue(json, field).replaceAll(TOKENS, (token, number?: string) =>
    number === undefined ? token : `"${number}"`,
  );
  return { ...body, [field]: JSON.parse(written) as unknown };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A string of JSON, or a mark between values. */
const MARKS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]/g;
const DEPTHS: ReadonlyMap<string, number> = new Map([
  ['{', 1],
  ['[', 1],
  ['}', -1],
  [']', -1],
]);

/** The text of the value of `field` in the outermost object of valid JSON: of the last one where there are several. */
function writtenValue(json: string, field: string): string {
  let [depth, before, found] = [0, '', ''];
  let from: number | undefined;
  for (const { 0: mark, index } of json.matchAll(MARKS)) {
    if (depth === 1 && mark === ':') from = JSON.parse(before) === field ? index + 1 : undefined;
    if (depth === 1 && from !== undefined && (mark === ',' || mark === '}')) {
      found = json.slice(from, index);
      from = undefined;
    }
    before = mark;
    depth += DEPTHS.get(mark) ?? 0;
  }
  return found;
}
