/** Which answers the worker gives itself. */
export type Part = 'page' | 'asset';

/**
 * What a request asks for, as far as the worker has to do with it: the page, or a file that the page names. Everything else, such as
 * answers of the API, goes past it.
 */
export function partOf(request: Pick<Request, 'method' | 'mode' | 'url'>, origin: string): Part | undefined {
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== origin) return undefined;
  if (url.pathname.startsWith('/console/assets/')) return 'asset';
  const isPage = request.mode === 'navigate' && /^\/console(?:$|\/)(?!api(?:\/|$))/.test(url.pathname);
  return isPage ? 'page' : undefined;
}

/** The files of the build that a page names: what it needs to be shown. */
export const assetsIn = (page: string): readonly string[] => [
  ...new Set(page.match(/\/console\/assets\/[\w.-]+/g) ?? []),
];

/** Where the page is kept, whatever the address at which it was read: it is the same at each. */
const PAGE = '/console/';
/** The cache of the worker. It has the page and its files, of one build, and nothing of alerts. */
const SHELL = 'shell';

/** Reads and keeps the page and its files. */
export class ShellCache {
  readonly #caches: Pick<CacheStorage, 'delete' | 'open'>;
  readonly #fetch: (url: string, options?: RequestInit) => Promise<Response>;

  constructor(caches: Pick<CacheStorage, 'delete' | 'open'>, read: typeof fetch) {
    this.#caches = caches;
    this.#fetch = (url, options) => read(url, options);
  }

  /** What is kept of a request; undefined where that is nothing. */
  async find(part: Part, url: string): Promise<Response | undefined> {
    return (await this.#caches.open(SHELL)).match(part === 'page' ? PAGE : url);
  }

  /**
   * Keeps a page that the server has answered, with its files, in the place of another build. It is kept whole or not at all: the page is
   * written last, and removed first.
   */
  async keep(page: Response): Promise<void> {
    if (!page.ok || page.headers.get('content-type')?.startsWith('text/html') !== true) return;
    const text = await page.clone().text();
    const kept = await this.find('page', PAGE);
    if (kept !== undefined && (await kept.text()) === text) return;
    const files = await Promise.all(assetsIn(text).map(async (url) => ({ url, response: await this.#fetch(url) })));
    if (files.some(({ response }) => !response.ok)) return;
    await this.#caches.delete(SHELL);
    const cache = await this.#caches.open(SHELL);
    for (const { response, url } of files) await cache.put(url, response);
    await cache.put(PAGE, page);
  }

  /** Reads the page, to keep it before it is asked for again. */
  async readPage(): Promise<void> {
    await this.keep(await this.#fetch(PAGE, { cache: 'no-store' }));
  }
}
