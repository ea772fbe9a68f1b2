/**
 * A mail address in any script, also percent-encoded. It matches only at the beginning of a word, so that it reads a long word
 * once and not again from each letter.
 */
const MAIL =
  /(?<![\p{L}\p{M}\p{N}._%+'-])[\p{L}\p{M}\p{N}._%+'-]+(?:@|%40)[\p{L}\p{M}\p{N}.-]+\.(?:xn--[a-z\d-]+|\p{L}[\p{L}\p{M}]+)/giu;
/**
 * A phone number: country code, hyphen, number (U3); the international form, also with separators between its digits or with a
 * percent-encoded `+`; and 10 to 15 digits alone, as providers write it. The look-behind excludes ids, dates and the numbers of
 * JSON; it does not match times in milliseconds.
 */
const PHONE =
  /(?<![\w-])(?:\d{1,3}-\d{6,15}|\+\d{7,15}|\+\d{1,3}(?:[ ().-]{1,3}\d{2,8}){1,5}|(?<!":)(?!1[4-9]\d{11}(?!\d))\d{10,15})(?![\w-])|%2B\d{7,15}(?!\d)/gi;
const CREDENTIAL = /\b((?:GenieKey|ServiceKey|Basic|Bearer)(?:\s{1,9}|%20|\+)|apiKey=)[^\s"&\\]+/gi;
/** A key has the form of an id, so it is recognised by the name before it: in JSON, a query or a header, escaped or not. */
const NAMED_KEY =
  /((?:key|token|secret|password|authorization)(?:["'\\\s]{0,4}(?:[:=]|%3[ad])["'\\\s]{0,4}))[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/**
 * Replaces mail addresses, phone numbers, credentials and `secrets` in a line of the log, in time linear in the line. Ids stay. A
 * key has the form of an id, so it is replaced only after its name or a scheme, or where it is one of `secrets`.
 */
export function redact(line: string, secrets: readonly string[] = []): string {
  const open = secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line);
  return open
    .replace(CREDENTIAL, '$1[redacted]')
    .replace(NAMED_KEY, '$1[redacted]')
    .replace(MAIL, '[mail]')
    .replace(PHONE, '[phone]');
}

/** Shorter values are common words and not secrets. */
const SHORTEST_SECRET = 8;

/**
 * The values of settings that are secret by their name (`…_KEY`, `…_PASSWORD`, `…_SECRET`, `…_TOKEN`), each part of a list for
 * itself, and of headers (`…_HEADERS`, percent-encoded pairs or an object of JSON) those that are secret by theirs, as they stand
 * in a line of JSON.
 */
export function secretsOf(settings: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(settings)
    .flatMap(([name, value = '']) => {
      if (name.endsWith('_HEADERS')) return [...headerSecrets(value), ...jsonHeaderSecrets(value)];
      return /_(?:KEY|KEYS|PASSWORD|SECRET|TOKEN)$/.test(name) ? [value, ...value.split(',')] : [];
    })
    .map((value) => JSON.stringify(value.trim()).slice(1, -1))
    .filter((value) => value.length >= SHORTEST_SECRET);
}

const SECRET_HEADER = /auth|cookie|key|password|secret|token/i;

/** Of `name=value[,name=value…]`, the values with secret names, both percent-encoded and decoded. */
function headerSecrets(headers: string): readonly string[] {
  return headers.split(',').flatMap((pair) => {
    const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
    if (!SECRET_HEADER.test(name)) return [];
    try {
      return [value, decodeURIComponent(value.trim())];
    } catch {
      return [value];
    }
  });
}

/** The same for a JSON object. Of a value such as `Bearer …` also the last word. */
function jsonHeaderSecrets(headers: string): readonly string[] {
  try {
    return Object.entries(JSON.parse(headers) as Readonly<Record<string, unknown>>).flatMap(([name, value]) =>
      SECRET_HEADER.test(name) && typeof value === 'string' ? [value, value.replace(/^.*\s/s, '')] : [],
    );
  } catch {
    return [];
  }
}

/** Fields whose values are never logged. */
export const SECRET_FIELDS: readonly string[] = ['apiKey', 'authorization', 'password', 'key'].flatMap((field) => [
  field,
  `*.${field}`,
  `*.*.${field}`,
]);
