/** An escape in a JSON string: a surrogate pair, half of one, or any other. */
const ESCAPES = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\./g;
const HALF = /^\\u[dD][89a-fA-F][\da-fA-F]{2}$/;

/**
 * Replaces each lone half of a surrogate pair, escaped or not, by U+FFFD. Callers that cut a text within an emoji send such
 * halves. UTF-8 cannot express them, so two aliases that differ only there would be equal in MongoDB.
 */
export function wellFormedJson(json: string): string {
  const whole = json.toWellFormed();
  if (!/\\u[dD][89a-fA-F]/.test(whole)) return whole;
  return whole.replaceAll(ESCAPES, (escape) => (HALF.test(escape) ? String.raw`\ufffd` : escape));
}
