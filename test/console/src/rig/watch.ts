// cspell:ignore requestfailed requestfinished -- names of Playwright
import type { BrowserContext, ConsoleMessage, Page, Request, Response } from 'playwright-core';

/** Answers to calls of the console, of which a page itself says what they mean. */
const CALLS = /^\/(?:console\/api|v1|v2)\//;
/** Chromium logs this for each answer of 400 and more, which {@link watch} judges by its path. */
const FAILED_LOAD = 'Failed to load resource: the server responded with a status of';

/**
 * Notes what no page of the console may do: break its policy (CSP), log an error, throw, call another origin, load a file that is missing,
 * or be answered 500 and more. Where the machine is slow, calls can be answered 503 with `Retry-After`, or 504 (E2, F3).
 */
export async function watch(context: BrowserContext, origin: string, note: (trouble: string) => void): Promise<void> {
  await context.exposeBinding('noteViolation', (_, violation: string) => {
    note(`policy: ${violation}`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective, sample }) => {
      const { noteViolation } = globalThis as unknown as { noteViolation: (text: string) => Promise<void> };
      void noteViolation(`${effectiveDirective} refuses ${blockedURI} ${sample}`);
    });
  });
  context.on('page', (page: Page) => {
    page.on('pageerror', (error) => {
      note(`thrown: ${error.message}`);
    });
  });
  context.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error' && !message.text().startsWith(FAILED_LOAD)) note(`logged: ${message.text()}`);
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.protocol !== 'blob:' && url.origin !== origin)
      note(`other origin: ${url.href}`);
  });
  context.on('response', (response: Response) => {
    const { pathname } = new URL(response.url());
    const status = response.status();
    if (status === 504 || (status === 503 && response.headers()['retry-after'] !== undefined)) return;
    if (status >= 500 || (status >= 400 && !CALLS.test(pathname))) note(`answered ${status}: ${pathname}`);
  });
}

/** The stream of hints about changes, which a page has open as long as it is visible (L1). */
export const STREAM = '/console/api/changes';

/** The requests of pages that are not answered yet, without streams. */
export class Calls {
  readonly #underWay = new Set<Request>();

  watch(context: BrowserContext): void {
    context.on('request', (request) => {
      if (new URL(request.url()).pathname !== STREAM) this.#underWay.add(request);
    });
    const end = (request: Request) => this.#underWay.delete(request);
    context.on('requestfinished', end);
    context.on('requestfailed', end);
  }

  underWay(page: Page): readonly string[] {
    return [...this.#underWay].filter((request) => request.frame().page() === page).map((request) => request.url());
  }
}
