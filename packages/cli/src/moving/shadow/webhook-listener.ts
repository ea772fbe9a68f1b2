import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { CliError, EXIT } from '../../cli-error.ts';
import { guarded, replaceText } from '../snapshot/folder.ts';

const FILE = 'webhook-path.txt';
const PATH = /^\/[\w-]{43}$/;
/** A webhook of Opsgenie has some kilobytes. */
const MAX_BODY_BYTES = 1_024 * 1_024;
const MAX_HEADER_BYTES = 16 * 1_024;
const MAX_CONNECTIONS = 100;
const REQUEST_TIMEOUT_MS = 10_000;
/** How often connections are checked for that. Node checks each 30 s, and idle ones would block the others until then. */
const CHECK_INTERVAL_MS = 1_000;

/** Where the outgoing webhook of Opsgenie is taken. */
export interface ListenTo {
  readonly address: string;
  readonly port: number;
  /** A secret: only requests to this path are taken. */
  readonly path: string;
}

/**
 * The secret path of the webhook, which is made once and kept in the folder of the mirror, so that Opsgenie needs to be set up once. The
 * folder has to be locked.
 *
 * @throws CliError (cannot say) where the file has something else.
 */
export function webhookPathIn(folder: string): string {
  const file = path.join(folder, FILE);
  return guarded(folder, () => {
    if (!fs.existsSync(file)) replaceText(folder, FILE, `/${randomBytes(32).toString('base64url')}\n`);
    const kept = fs.readFileSync(file, 'utf8').trim();
    if (PATH.test(kept)) return kept;
    throw new CliError(EXIT.cannotSay, `${file} is damaged.`, ['Delete it: another path is made.']);
  });
}

/**
 * Calls `onPost` for each POST to the path, which is answered 200. The body is not read. Another path is answered 404, another method 405.
 *
 * @returns a function that ends it.
 * @throws CliError (cannot say) where the port cannot be opened.
 */
export async function listenForWebhook(
  { address, path: secret, port }: ListenTo,
  onPost: () => void,
): Promise<() => void> {
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  };
  const server = http.createServer(limits, (request, response) => {
    const status = statusOf(request, secret);
    if (status === 200) onPost();
    discard(request);
    response.writeHead(status, { 'content-type': 'application/json', ...(status === 405 && { allow: 'POST' }) });
    request.once('end', () => response.end('{}'));
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new CliError(EXIT.cannotSay, `Cannot listen on port ${port} of ${address} (${String(error.code)}).`, [
          'Name another one with --listen and --listen-address.',
        ]),
      );
    });
    server.listen(port, address, resolve);
  });
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

function statusOf({ method, url = '' }: http.IncomingMessage, secret: string): number {
  const [asked = ''] = url.split('?');
  if (!isSame(asked, secret)) return 404;
  return method === 'POST' ? 200 : 405;
}

/** Takes as long for each text, so that its time tells nothing of the secret. */
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

function discard(request: http.IncomingMessage): void {
  let bytes = 0;
  request.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) request.destroy();
  });
}
