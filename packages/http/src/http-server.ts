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
import {
  type Clock,
  type AppError,
  HeadTooLargeError,
  MalformedError,
  TimedOutError,
  TooLargeError,
} from '@tocsin/core';
import { addressHolder } from './address-holder.ts';
import { Admission } from './admission.ts';
import { hasBody } from './body-buffer.ts';
import { type Answer, errorAnswer } from './envelope.ts';
import { requestIdAt } from './request-id.ts';

export interface HttpServerOptions {
  /** For the `Date` of answers, and the ids of requests that the HTTP parser refuses. */
  readonly clock: Clock;
  /** The largest head of a request: bytes of its target and headers together; {@link SERVICE_HEAD_BYTES} by default. */
  readonly maxHeadBytes?: number;
  /** Beyond so many connections over all listening sockets, a further one is closed at once; 4 096 by default. */
  readonly maxConnections?: number;
  /** The same for those of one address; all of them by default. */
  readonly maxConnectionsPerAddress?: number;
}

/** The largest head of a request to the gateway. */
export const GATEWAY_HEAD_BYTES = 32_768;
/** The largest head of a request to a service: the gateway adds a principal, an address and an id. */
const SERVICE_HEAD_BYTES = 65_536;

const MAX_CONNECTIONS = 4_096;
/** Most unanswered requests of one connection, which pipelining could send. */
const MAX_UNDER_WAY = 16;
/** A head normally comes in one piece. */
const HEAD_TIMEOUT_MS = 15_000;
/** Enough for 50 MB at half a megabit per second. */
const REQUEST_TIMEOUT_MS = 900_000;
const KEEP_ALIVE_MS = 65_000;
/** How often Node looks for expired connections. */
const LOOK_EVERY_MS = 5_000;
/** How long the rest of a refused request is read: many callers read the answer only after they have sent everything. */
const LINGER_MS = 30_000;

/**
 * An HTTP server that does not listen yet. It bounds heads, connections, the unanswered requests of each connection, and the time
 * that a request takes to arrive. It answers what Node's parser refuses in the envelope (E1, E3).
 */
export function createHttpServer(options: HttpServerOptions, listener?: RequestListener): Server {
  const { clock, maxHeadBytes = SERVICE_HEAD_BYTES, maxConnections: inAll = MAX_CONNECTIONS } = options;
  const server = createServer({
    maxHeaderSize: maxHeadBytes,
    // Node's own refusal has no envelope. Code that makes links of the header checks it.
    requireHostHeader: false,
    headersTimeout: HEAD_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
  });
  const connections = new Admission({ inAll, each: options.maxConnectionsPerAddress ?? inAll });
  server.on('connection', (socket) => {
    keepOrClose(socket, connections);
  });
  const underWay = new WeakMap<Duplex, ServerResponse>();
  const counts = new WeakMap<Duplex, number>();
  const refused = new WeakSet<Duplex>();
  server.on('request', (request, response) => {
    if (!mayBegin(request, response, counts)) return;
    underWay.set(request.socket, response);
    response.setHeader('Date', clock.now().toUTCString());
    if (hasBody(request))
      response.once('finish', () => {
        if (!request.complete && !request.destroyed) leaveAfterLinger(request);
      });
    listener?.(request, response);
  });
  // An unknown `Expect` header is ignored, because Node's own answer has no envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const now = clock.now();
    const answer = errorAnswer(refusalOf(error), { took: 0.001, requestId: requestIdAt(now) });
    refuse(socket, underWay.get(socket), written(answer, now));
  });
  return server;
}

/** Closes the connection of a caller who pipelines too many requests: Node begins all requests of one read in the same tick. */
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

function keepOrClose(socket: Socket, connections: Admission): void {
  const holder = addressHolder(socket.remoteAddress ?? '');
  if (connections.tryAcquire(holder) === 'granted')
    socket.once('close', () => {
      connections.release(holder);
    });
  else socket.destroy();
}

function refuse(socket: Duplex, before: ServerResponse | undefined, answer: string): void {
  const end = () => {
    socket.destroy();
  };
  // An earlier request on this connection is still to be answered, and its caller would take our answer for that.
  if (before !== undefined && !before.writableFinished && (before.req.complete || before.headersSent)) {
    before.once('finish', end).once('close', end);
    return;
  }
  if (!socket.writable) {
    end();
    return;
  }
  socket.end(answer);
  leaveAfterLinger(socket);
}

/** Reads for a while what still comes after the answer. Closing at once could reset the connection and lose the answer. */
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

/** The answer as text, for a connection without a `ServerResponse`. */
function written({ status, headers, body }: Answer, now: Date): string {
  const text = JSON.stringify(body);
  const lines = {
    'X-Request-ID': String(body['requestId']),
    'X-Response-Time': String(body['took']),
    'X-RateLimit-State': 'OK',
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Date: now.toUTCString(),
    Connection: 'close',
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${text}`;
}
