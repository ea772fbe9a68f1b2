import fs from 'node:fs';
import path from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser } from 'playwright-core';

/** Names of Chromium in distributions. */
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];
/** The part of Chromium that shows pages alone. It takes half of the processor time, and shows no notifications. */
const SHELLS = ['chromium-headless-shell'];

const launched = new Map<boolean, Promise<Browser>>();

/**
 * Gives the Chromium of this machine: that of the variable `CHROMIUM`, else one of the `PATH`, and there its headless shell unless
 * notifications are shown. It is started once, and ends with the process.
 *
 * @throws Error that says what to install where there is none.
 */
export function sharedBrowser({ hasNotifications }: { readonly hasNotifications: boolean }): Promise<Browser> {
  const present = launched.get(hasNotifications);
  if (present !== undefined) return present;
  const browser = chromium.launch({
    executablePath: chromiumOf(process.env, hasNotifications ? BROWSERS : [...SHELLS, ...BROWSERS]),
    // Chromium refuses its sandbox to root, as whom containers and CI run. The tests open pages of this machine alone.
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  launched.set(hasNotifications, browser);
  return browser;
}

/** The script of axe, which checks a page for accessibility. */
export const AXE_SCRIPT = axe.source;

function chromiumOf({ CHROMIUM, PATH = '' }: NodeJS.ProcessEnv, programs: readonly string[]): string {
  if (CHROMIUM !== undefined && CHROMIUM !== '') return CHROMIUM;
  const folders = PATH.split(path.delimiter);
  const found = programs.flatMap((program) => folders.map((folder) => path.join(folder, program))).find(fs.existsSync);
  if (found !== undefined) return found;
  throw new Error('Chromium is missing: install it (apt-get install chromium), or name its program in CHROMIUM.');
}
