/** An escape of a JSON string: a whole surrogate pair, half of one, or any other. A backslash begins one wherever it stands. */
const ESCAPES = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\./g;
const HALF = /^\\u[dD][89a-fA-F][\da-fA-F]{2}$/;

/**
 * The same JSON with the replacement character U+FFFD in place of each lone half of a surrogate pair, escaped or not. Callers that
 * cut a text within an emoji send such halves. UTF-8 cannot express them, so two aliases that differ here would be one in MongoDB.
 */
export function wellFormedJson(json: string): string {
  const whole = json.toWellFormed();
  if (!/\\u[dD][89a-fA-F]/.test(whole)) return whole;
  return whole.replaceAll(ESCAPES, (escape) => (HALF.test(escape) ? String.raw`\ufffd` : escape));
}
