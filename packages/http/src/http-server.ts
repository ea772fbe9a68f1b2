import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '@tocsin/clock';
import { type AppError, HeadTooLargeError, MalformedError, TimedOutError, TooLargeError } from '@tocsin/errors';
import { addressHolder } from './address-holder.ts';
import { hasBody } from './held-bodies.ts';
import { type Answer, errorAnswer } from './envelope.ts';
import { requestIdAt } from './request-id.ts';
import { Shares } from './shares.ts';

export interface HttpServerOptions {
  /** Dates the ids of requests that no app ever sees. */
  readonly clock: Clock;
  /** The largest head of a request, bytes of its target and its headers together; {@link SERVICE_HEAD_BYTES} by default. */
  readonly maxHeadBytes?: number;
  /** Beyond so many connections, through whichever socket they came, a further one is closed at once; 4 096 by default. */
  readonly maxConnections?: number;
  /** The same for those of one address; all of them by default. */
  readonly maxConnectionsPerAddress?: number;
}

/** What callers may send the gateway in front of a body. */
export const GATEWAY_HEAD_BYTES = 32_768;
/** What a service takes: whatever the gateway lets through, and twice over what it adds (a principal, an address, an id). */
const SERVICE_HEAD_BYTES = 65_536;

const MAX_CONNECTIONS = 4_096;
/** Of the requests on one connection. */
const MAX_UNDER_WAY = 16;
/** A head comes in one piece, or from nobody that we wait for. */
const HEAD_TIMEOUT_MS = 15_000;
/** How long the whole of a request may take to arrive, in milliseconds: 50 MB over a line of half a megabit. */
const LONGEST_REQUEST_MS = 900_000;
const KEEP_ALIVE_MS = 65_000;
/** How often Node looks whose time is over. */
const LOOK_EVERY_MS = 5_000;
/** How long we go on reading what nobody wants: many callers read no answer before they have sent all. */
const LINGER_MS = 30_000;

/**
 * An HTTP server without a port yet. It bounds heads, connections, the requests under way on each and the time that one takes to
 * arrive, and answers in the envelope what Node's parser refuses (E1, E3), on the connection of whoever sent that and on no other.
 */
export function createHttpServer(options: HttpServerOptions, listener?: RequestListener): Server {
  const { clock, maxHeadBytes = SERVICE_HEAD_BYTES, maxConnections: inAll = MAX_CONNECTIONS } = options;
  const server = createServer({
    maxHeaderSize: maxHeadBytes,
    // Node's own refusal has no envelope; whoever makes links of the header looks at it.
    requireHostHeader: false,
    headersTimeout: HEAD_TIMEOUT_MS,
    requestTimeout: LONGEST_REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
  });
  const connections = new Shares({ inAll, each: options.maxConnectionsPerAddress ?? inAll });
  server.on('connection', (socket) => {
    keepOrClose(socket, connections);
  });
  const underWay = new WeakMap<Duplex, ServerResponse>();
  const counts = new WeakMap<Duplex, number>();
  const refused = new WeakSet<Duplex>();
  server.on('request', (request, response) => {
    if (!mayBegin(request, response, counts)) return;
    underWay.set(request.socket, response);
    if (hasBody(request))
      response.once('finish', () => {
        if (!request.complete && !request.destroyed) leaveAfterLinger(request);
      });
    listener?.(request, response);
  });
  // An expectation that nobody knows is left out of account, so that the answer has an envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    refuse(socket, underWay.get(socket), errorAnswer(refusalOf(error), envelope(clock)));
  });
  return server;
}

/** Cuts the connection of a caller who sends on and on and waits for no answer: all that one read brings comes in one turn. */
function mayBegin({ socket }: IncomingMessage, response: ServerResponse, counts: WeakMap<Duplex, number>): boolean {
  const count = counts.get(socket) ?? 0;
  if (count === MAX_UNDER_WAY) socket.destroy();
  if (socket.destroyed) return false;
  counts.set(socket, count + 1);
  response.once('close', () => {
    counts.set(socket, (counts.get(socket) ?? 1) - 1);
  });
  return true;
}

function keepOrClose(socket: Socket, connections: Shares): void {
  const holder = addressHolder(socket.remoteAddress ?? '');
  if (connections.take(holder) === 'taken')
    socket.once('close', () => {
      connections.giveBack(holder);
    });
  else socket.destroy();
}

function refuse(socket: Duplex, before: ServerResponse | undefined, answer: Answer): void {
  const end = () => {
    socket.destroy();
  };
  // What came before on this connection has its own answer, and ours must not be taken for it.
  if (before !== undefined && !before.writableFinished && (before.req.complete || before.headersSent)) {
    before.once('finish', end).once('close', end);
    return;
  }
  if (!socket.writable) {
    end();
    return;
  }
  socket.end(written(answer));
  leaveAfterLinger(socket);
}

/** What is still coming when its answer has gone is read for a while longer, or the answer could be lost with the connection. */
function leaveAfterLinger(sent: Duplex | IncomingMessage): void {
  const linger = setTimeout(() => sent.destroy(), LINGER_MS).unref();
  sent.once('close', () => {
    clearTimeout(linger);
  });
}

function refusalOf(cause: NodeJS.ErrnoException): AppError {
  if (cause.code === 'HPE_HEADER_OVERFLOW') return new HeadTooLargeError('Path and headers are too large.', { cause });
  if (cause.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new TooLargeError('Chunk extensions are too large.', { cause });
  if (cause.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new TimedOutError('The request did not arrive in time.', { cause });
  return new MalformedError('The request is not valid HTTP.', { cause });
}

function envelope(clock: Clock): { took: number; requestId: string } {
  return { took: 0.001, requestId: requestIdAt(clock.now()) };
}

/** An answer on a connection for which Node has none to give. */
function written({ status, headers, body }: Answer): string {
  const text = JSON.stringify(body);
  const lines = {
    'X-Request-ID': String(body['requestId']),
    'X-Response-Time': String(body['took']),
    'X-RateLimit-State': 'OK',
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${text}`;
}
