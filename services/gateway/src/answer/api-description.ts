import { gzipSync } from 'node:zlib';
import { entityTag, type StaticFile, VARY } from './static-file.ts';

/** The page loads nothing from other hosts and evaluates no strings. Scalar writes its styles into the page. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tocsin API</title>
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/page.js"></script>
  </body>
</html>
`;

const PAGE_SCRIPT = `Scalar.createApiReference('#app', ${JSON.stringify({
  url: '/openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})});
`;

export interface ApiDescriptionParts {
  /** The OpenAPI document. */
  readonly document: object;
  /** The script of Scalar, without which there is no page. */
  readonly script: Buffer | undefined;
}

/** The API description at `/openapi.json`, and the page at `/docs` that shows it. They need no key and no service. */
export class ApiDescription {
  readonly #files: ReadonlyMap<string, StaticFile>;

  constructor({ document, script }: ApiDescriptionParts) {
    const description = file('application/json', Buffer.from(JSON.stringify(document)));
    const page = script === undefined ? [] : pageFiles(script);
    this.#files = new Map([['/openapi.json', description], ...page]);
  }

  /** The file at `path`, with or without a trailing slash. */
  fileAt(path: string): StaticFile | undefined {
    return this.#files.get(path.endsWith('/') ? path.slice(0, -1) : path);
  }
}

const pageFiles = (script: Buffer): readonly (readonly [string, StaticFile])[] => [
  ['/docs', file('text/html; charset=utf-8', Buffer.from(PAGE), PAGE_HEADERS)],
  ['/docs/page.js', file('text/javascript; charset=utf-8', Buffer.from(PAGE_SCRIPT))],
  ['/docs/scalar.js', file('text/javascript; charset=utf-8', script)],
];

function file(type: string, bytes: Buffer, headers: Readonly<Record<string, string>> = {}): StaticFile {
  return {
    bytes,
    encoded: new Map([['gzip', gzipSync(bytes)]]),
    headers: {
      'Content-Type': type,
      Vary: VARY,
      ETag: entityTag(bytes),
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  };
}
