import fs from 'node:fs';
import path from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser } from 'playwright-core';

/** Names of the program in distributions. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

let launched: Promise<Browser> | undefined;

/**
 * Gives the Chromium of this machine: that of the variable `CHROMIUM`, else one of the `PATH`. It is started once, and ends with the
 * process.
 *
 * @throws Error that says what to install where there is none.
 */
export function sharedBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: chromiumOf(process.env),
    // Chromium refuses its sandbox to root, as whom containers and CI run. The tests open pages of this machine alone.
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  return launched;
}

/** The script of axe, which checks a page for accessibility. */
export const AXE_SCRIPT = axe.source;

function chromiumOf({ CHROMIUM, PATH = '' }: NodeJS.ProcessEnv): string {
  if (CHROMIUM !== undefined && CHROMIUM !== '') return CHROMIUM;
  const folders = PATH.split(path.delimiter);
  const found = PROGRAMS.flatMap((program) => folders.map((folder) => path.join(folder, program))).find(fs.existsSync);
  if (found !== undefined) return found;
  throw new Error('Chromium is missing: install it (apt-get install chromium), or name its program in CHROMIUM.');
}
