/** Looked for from the beginning of a word on alone, so that a long word is gone through once and not from each of its letters. */
const MAIL = /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}/g;
/** Country code, hyphen, number (U3), or the international form. Ids and dates are guarded by what stands before. */
const PHONE = /(?<![\w-])(?:\d{1,3}-\d{6,15}|\+\d{7,15})(?![\w-])/g;
const CREDENTIAL = /\b((?:GenieKey|ServiceKey|Basic|Bearer)(?:\s{1,9}|%20|\+)|apiKey=)[^\s"&\\]+/gi;
/** A key has the form of an id, so it is known by the name before it: within JSON, a query or a header, escaped or not. */
const NAMED_KEY =
  /((?:key|token|secret|password|authorization)(?:["'\\\s]{0,4}(?:[:=]|%3[ad])["'\\\s]{0,4}))[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/**
 * Replaces mail addresses, phone numbers, credentials and `secrets` in a line of the log, wherever they stand in it, in time
 * linear in the line. Ids stay: a key alone, which looks like one, is known only where its name or a scheme word stands
 * before it, or where it is one of `secrets`.
 */
export function redact(line: string, secrets: readonly string[] = []): string {
  const open = secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line);
  return open
    .replace(CREDENTIAL, '$1[redacted]')
    .replace(NAMED_KEY, '$1[redacted]')
    .replace(MAIL, '[mail]')
    .replace(PHONE, '[phone]');
}

/** Shorter values are words that stand in many lines, and no secrets. */
const SHORTEST_SECRET = 8;

/**
 * The values of settings that are secret by their name (`…_KEY`, `…_PASSWORD`, `…_SECRET`), each part of a list for itself, as
 * they stand in a line of JSON.
 */
export function secretsOf(settings: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(settings)
    .filter(([name]) => /_(?:KEY|KEYS|PASSWORD|SECRET)$/.test(name))
    .flatMap(([, value = '']) => [value, ...value.split(',')])
    .map((value) => JSON.stringify(value.trim()).slice(1, -1))
    .filter((value) => value.length >= SHORTEST_SECRET);
}

/** Fields whose values never reach the log, whatever they hold. */
export const SECRET_FIELDS: readonly string[] = ['apiKey', 'authorization', 'password', 'key'].flatMap((field) => [
  field,
  `*.${field}`,
  `*.*.${field}`,
]);
