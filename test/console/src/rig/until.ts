import { eventually } from '@tocsin/testkit';
import type { Locator } from 'playwright-core';

const PRESS_AGAIN_MS = 10_000;
/**
 * The texts by which the console says that the server is busy or did not answer: of 502, 503 and 504, and of no answer in time
 * (`packages/console/src/api/problem-text.ts`). A 429 is not one of them: some tests ask for it, and go on beside it.
 */
const UNANSWERED = /The server cannot (answer this at present|be reached)\./;

/**
 * Presses keys until `shown` is visible: a page listens to keys a moment after it can be seen, and the second of two keys may come too
 * late on a slow machine.
 */
export function pressUntil(shown: Locator, press: () => Promise<void>): Promise<void> {
  return eventually(async () => {
    if (await shown.isVisible()) return;
    await press();
    await shown.waitFor({ timeout: PRESS_AGAIN_MS });
  });
}

/**
 * Writes, and writes again each time when the page says that the server is busy or did not answer, until `shown` is visible.
 *
 * @throws Error where `shown` is visible before the write, such as in a preview of it: it would not show that the write is done.
 */
export async function writeUntil(shown: Locator, write: () => Promise<void>): Promise<void> {
  if (await shown.first().isVisible()) throw new Error(`Visible before the write: ${String(shown)}`);
  const refused = shown.page().getByRole('alert').filter({ hasText: UNANSWERED });
  do {
    await write();
    await shown.or(refused).first().waitFor();
  } while (!(await shown.first().isVisible()));
}
