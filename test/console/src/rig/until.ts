import { eventually } from '@tocsin/testkit';
import type { Locator } from 'playwright-core';

const PRESS_AGAIN_MS = 10_000;
/** The text of a page about a write that is answered 502, 503 or 504. */
const AWAY = 'The server cannot answer this at present.';

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

/** Writes, and writes again each time when the page says that the server is too busy for it (F3), until `shown` is visible. */
export async function writeUntil(shown: Locator, write: () => Promise<void>): Promise<void> {
  const refused = shown.page().getByRole('alert').filter({ hasText: AWAY });
  do {
    await write();
    await shown.or(refused).first().waitFor();
  } while (!(await shown.first().isVisible()));
}
