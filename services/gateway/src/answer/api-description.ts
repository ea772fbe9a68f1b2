import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { TransferTimeout } from '../forward/transfer-timeout.ts';
import type { Call } from './call.ts';

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

/** One file of the API description or of its page. */
export interface DescriptionFile {
  readonly bytes: Buffer;
  /** The content in gzip, compressed once. */
  readonly zipped: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ApiDescriptionParts {
  /** The OpenAPI document. */
  readonly document: object;
  /** The script of Scalar, without which there is no page. */
  readonly script: Buffer | undefined;
}

/** The API description at `/openapi.json`, and the page at `/docs` that shows it. They need no key and no service. */
export class ApiDescription {
  readonly #files: ReadonlyMap<string, DescriptionFile>;

  constructor({ document, script }: ApiDescriptionParts) {
    const description = file('application/json', Buffer.from(JSON.stringify(document)));
    const page = script === undefined ? [] : pageFiles(script);
    this.#files = new Map([['/openapi.json', description], ...page]);
  }

  /** The file at `path`, with or without a trailing slash. */
  fileAt(path: string): DescriptionFile | undefined {
    return this.#files.get(path.endsWith('/') ? path.slice(0, -1) : path);
  }
}

/**
 * Sends `found`, in gzip if the caller accepts it, or 304 if the caller has it already, by its `ETag`. Returns the number of bytes.
 * It closes the connection of a caller that reads so slowly that `transferTimeout` is over.
 */
export function sendFile(
  { request: { headers, method }, response }: Pick<Call, 'request' | 'response'>,
  found: DescriptionFile,
  transferTimeout: TransferTimeout,
): number {
  if (headers['if-none-match'] === found.headers['ETag']) {
    response.writeHead(304, { ETag: headers['if-none-match'], 'Cache-Control': 'no-cache', Vary: VARY }).end();
    return 0;
  }
  const isZipped = ACCEPTS_GZIP.test(headers['accept-encoding'] ?? '');
  const bytes = isZipped ? found.zipped : found.bytes;
  response.writeHead(200, {
    ...found.headers,
    ...(isZipped && { 'Content-Encoding': 'gzip' }),
    'Content-Length': bytes.length,
  });
  response.once(
    'close',
    transferTimeout.wait(() => response.destroy(), bytes.length),
  );
  response.end(bytes);
  return method === 'HEAD' ? 0 : bytes.length;
}

const VARY = 'Accept-Encoding';
const ACCEPTS_GZIP = /(?:^|,)\s*gzip\s*(?:,|$|;\s*q=(?:1|0?\.\d*[1-9]))/i;

const pageFiles = (script: Buffer): readonly (readonly [string, DescriptionFile])[] => [
  ['/docs', file('text/html; charset=utf-8', Buffer.from(PAGE), PAGE_HEADERS)],
  ['/docs/page.js', file('text/javascript; charset=utf-8', Buffer.from(PAGE_SCRIPT))],
  ['/docs/scalar.js', file('text/javascript; charset=utf-8', script)],
];

function file(type: string, bytes: Buffer, headers: Readonly<Record<string, string>> = {}): DescriptionFile {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return {
    bytes,
    zipped: gzipSync(bytes),
    headers: {
      'Content-Type': type,
      Vary: VARY,
      ETag: `"${tag}"`,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  };
}
