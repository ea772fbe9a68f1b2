/** Texts as a field of several lines has them. */
export const linesText = (texts: readonly string[]): string => texts.join('\n');

/** The texts that a field has, one on each line. Where it still shows `before`, those as they are: a text can have lines of its own. */
export function linesOf(typed: string, before: readonly string[] = []): readonly string[] {
  if (typed === linesText(before)) return before;
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
