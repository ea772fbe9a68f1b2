import { beforeEach, describe, expect, test } from '@jest/globals';
import { assetsIn, partOf, ShellCache } from './shell.ts';

const ORIGIN = 'https://tocsin.example.com';
const pageOf = (build: string) =>
  `<link href="/console/assets/main-${build}.css"><script src="/console/assets/main-${build}.js"></script>`;
const html = (text: string) => new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } });

/** The caches of a browser, as far as they are used. */
class MemoryCaches {
  readonly stored = new Map<string, Map<string, Response>>();

  open(name: string): Promise<Cache> {
    const entries = this.stored.get(name) ?? new Map<string, Response>();
    this.stored.set(name, entries);
    const cache: Pick<Cache, 'match' | 'put'> = {
      match: (url) => Promise.resolve(entries.get(url as string)?.clone()),
      put: (url, response) => {
        entries.set(url as string, response);
        return Promise.resolve();
      },
    };
    return Promise.resolve(cache as Cache);
  }

  delete(name: string): Promise<boolean> {
    return Promise.resolve(this.stored.delete(name));
  }
}

let caches: MemoryCaches;
let missing: string[];
let read: string[];
let shell: ShellCache;

beforeEach(() => {
  caches = new MemoryCaches();
  [missing, read] = [[], []];
  shell = new ShellCache(caches, ((url: string) => {
    read.push(url);
    return Promise.resolve(missing.includes(url) ? new Response('', { status: 404 }) : new Response(`of ${url}`));
  }) as typeof fetch);
});

const keptPage = async () => (await shell.find('page', '/console/alerts'))?.text();
const keptFiles = () => [...(caches.stored.get('shell')?.keys() ?? [])].toSorted();

describe('what the worker answers', () => {
  const of = (url: string, mode: RequestMode = 'cors', method = 'GET') =>
    partOf({ method, mode, url: `${ORIGIN}${url}` }, ORIGIN);

  test('It answers the page at each of its addresses, and the files of builds.', () => {
    for (const at of ['/console', '/console/', '/console/alerts/a1', '/console/apis', '/console/?q=1'])
      expect([at, of(at, 'navigate')]).toEqual([at, 'page']);
    expect(of('/console/assets/main-1.js')).toBe('asset');
  });

  test('It has nothing to do with answers of the API, with writes, with other pages and with other origins.', () => {
    for (const at of ['/console/api/session', '/console/api', '/v2/alerts', '/acknowledge/x', '/consoles'])
      expect([at, of(at, 'navigate'), of(at)]).toEqual([at, undefined, undefined]);
    expect(of('/console/alerts', 'cors')).toBeUndefined();
    expect(of('/console/assets/main-1.js', 'cors', 'HEAD')).toBeUndefined();
    expect(partOf({ method: 'GET', mode: 'navigate', url: 'https://other.example/console/' }, ORIGIN)).toBeUndefined();
  });
});

describe('the page that is kept', () => {
  test('It is kept with the files that it names, and found at each address.', async () => {
    await shell.keep(html(pageOf('one')));
    expect(await keptPage()).toBe(pageOf('one'));
    expect(keptFiles()).toEqual(['/console/', '/console/assets/main-one.css', '/console/assets/main-one.js']);
    expect(await (await shell.find('asset', '/console/assets/main-one.js'))?.text()).toBe(
      'of /console/assets/main-one.js',
    );
  });

  test('The same page again reads nothing, and another build takes its place as a whole.', async () => {
    await shell.keep(html(pageOf('one')));
    read = [];
    await shell.keep(html(pageOf('one')));
    expect(read).toEqual([]);
    await shell.keep(html(pageOf('two')));
    expect(keptFiles()).toEqual(['/console/', '/console/assets/main-two.css', '/console/assets/main-two.js']);
  });

  test('A build of which a file is missing does not take the place of a whole one.', async () => {
    await shell.keep(html(pageOf('one')));
    missing = ['/console/assets/main-two.js'];
    await shell.keep(html(pageOf('two')));
    expect(await keptPage()).toBe(pageOf('one'));
    expect(await shell.find('asset', '/console/assets/main-two.css')).toBeUndefined();
  });

  test('An error of the server and an answer that is no page are not kept.', async () => {
    await shell.keep(new Response('{}', { headers: { 'content-type': 'application/json' } }));
    await shell.keep(new Response('busy', { status: 503, headers: { 'content-type': 'text/html' } }));
    expect(await keptPage()).toBeUndefined();
  });
});

test('The files that a page names are each named once.', () => {
  expect(assetsIn(`${pageOf('one')}${pageOf('one')}`)).toEqual([
    '/console/assets/main-one.css',
    '/console/assets/main-one.js',
  ]);
});
