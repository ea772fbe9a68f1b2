import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { NotFoundError } from '@tocsin/core';
import { ENCODINGS, type Encoding, entityTag, type StaticFile, VARY } from './static-file.ts';

/** Of all files of both builds, compressed ones included: they stay in memory. */
export const MAX_CONSOLE_BYTES = 33_554_432;

const CONSOLE = '/console';
const PAGE = 'index.html';
const ASSETS = 'assets/';

/** A page runs what this origin serves and nothing else, calls this origin alone, and stands in no frame. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** The service worker calls this origin alone. */
const WORKER = 'sw.js';
const WORKER_HEADERS = { 'Content-Security-Policy': "default-src 'none'; connect-src 'self'; img-src 'self'" };

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

export interface ConsoleFolders {
  /** The build that is served. */
  readonly folder: string;
  /** The build of the release before. Pages that are open during an upgrade ask for its assets. */
  readonly previousFolder?: string | undefined;
}

/**
 * The files of the console, which a browser loads from `/console/`. All are read once: a request selects a file by its name in a table and
 * never reaches the file system.
 */
export class ConsoleFiles {
  readonly #files: ReadonlyMap<string, StaticFile>;

  private constructor(files: ReadonlyMap<string, StaticFile>) {
    this.#files = files;
  }

  /**
   * Reads the files. A folder that does not exist has none.
   *
   * @throws Error for more than {@link MAX_CONSOLE_BYTES}.
   */
  static async read({ folder, previousFolder }: ConsoleFolders): Promise<ConsoleFiles> {
    const contents = new Map<string, Buffer>();
    let size = 0;
    const readAll = async (from: string, isWanted: (name: string) => boolean): Promise<void> => {
      for (const name of await namesIn(from)) {
        if (contents.has(name) || !isWanted(name)) continue;
        size += (await unlessMissing(stat(path.join(from, name))))?.size ?? 0;
        if (size > MAX_CONSOLE_BYTES) throw new Error(`The console in ${from} is larger than 32 MiB (CONSOLE_DIR).`);
        const content = await unlessMissing(readFile(path.join(from, name)));
        if (content !== undefined) contents.set(name, content);
      }
    };
    await readAll(folder, () => true);
    if (previousFolder !== undefined) await readAll(previousFolder, (name) => name.startsWith(ASSETS));
    return new ConsoleFiles(filesOf(contents));
  }

  /** Whether the console has its page. */
  get isBuilt(): boolean {
    return this.#files.has(PAGE);
  }

  /**
   * The answer to a path of the console: one of its files, or else its page, which shows what the rest of the path names.
   *
   * @throws NotFoundError for an asset that does not exist, and for every path of a console that is not built.
   */
  fileAt(requestPath: string): StaticFile {
    const name = requestPath.slice(CONSOLE.length + 1);
    const page = this.#files.get(PAGE);
    if (page === undefined) throw new NotFoundError(NOT_BUILT);
    const file = this.#files.get(name);
    if (file === undefined && name.startsWith(ASSETS))
      throw new NotFoundError('The console has no such file. Reload the page.');
    return file ?? page;
  }
}

const NOT_BUILT =
  'This gateway has no console. Build it with "npm run build -w @tocsin/console", or name the folder of its files in CONSOLE_DIR, and restart the gateway.';

/** Whether a path belongs to the console and not to its operations. */
export function isConsolePath(requestPath: string): boolean {
  return isAtOrBelow(requestPath, CONSOLE) && !isAtOrBelow(requestPath, `${CONSOLE}/api`);
}

const isAtOrBelow = (requestPath: string, parent: string): boolean =>
  requestPath === parent || requestPath.startsWith(`${parent}/`);

/** The result of `read`, or undefined for a missing file: a build that runs meanwhile removes files. */
async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The paths of all regular files below a folder, with `/` between their parts. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = (await unlessMissing(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}

/** A compressed file is an encoding of the file beside it, and no file of its own. */
function filesOf(contents: ReadonlyMap<string, Buffer>): ReadonlyMap<string, StaticFile> {
  const suffixes = Object.values(SUFFIXES);
  const plain = [...contents].filter(([name]) => !suffixes.some((suffix) => name.endsWith(suffix)));
  return new Map(
    plain.map(([name, bytes]) => {
      const encoded = ENCODINGS.flatMap((encoding) => {
        const compressed = contents.get(name + SUFFIXES[encoding]);
        return compressed === undefined ? [] : [[encoding, compressed] as const];
      });
      return [name, { bytes, encoded: new Map(encoded), headers: headersOf(name, bytes) }];
    }),
  );
}

/** The name of an asset changes with its content. The page names the assets of its build, so no cache may keep it past an upgrade. */
function headersOf(name: string, bytes: Buffer): Readonly<Record<string, string>> {
  const common = {
    'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: VARY,
  };
  if (name === PAGE) return { ...common, 'Cache-Control': 'no-store', ...PAGE_HEADERS };
  const cacheControl = name.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache';
  const own = name === WORKER ? WORKER_HEADERS : {};
  return { ...common, 'Cache-Control': cacheControl, ETag: entityTag(bytes), ...own };
}
