/** An escape of a JSON string: a whole surrogate pair, half of one, or any other. A backslash begins one wherever it stands. */
const ESCAPES = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\./g;
const HALF = /^\\u[dD][89a-fA-F][\da-fA-F]{2}$/;

/**
 * The same JSON with the replacement character U+FFFD wherever half of a surrogate pair stands alone, escaped or not:
 * what callers leave who cut a text in the middle of an emoji. UTF-8 has no such thing, so MongoDB would keep as one what
 * we tell apart, such as two aliases.
 */
export function wellFormedJson(json: string): string {
  const whole = json.toWellFormed();
  if (!/\\u[dD][89a-fA-F]/.test(whole)) return whole;
  return whole.replaceAll(ESCAPES, (escape) => (HALF.test(escape) ? String.raw`\ufffd` : escape));
}
