import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** One connection at the double. */
export interface SocketAtDouble {
  /** The path and the query of its URL. */
  readonly path: string;
  /** Sends a message of text. */
  send(text: string): void;
  /** Sends bytes as they are, also such as are no frame. */
  sendBytes(bytes: Buffer): void;
  /** Ends the connection without a message before. */
  destroy(): void;
}

/** A real server of WebSockets that a test controls down to its bytes. */
export interface WebSocketDouble {
  /** `ws://` and its address. */
  readonly url: string;
  /** The connections that are open, oldest first. */
  readonly open: readonly SocketAtDouble[];
  /** How many pings it has answered. */
  readonly pings: number;
  /** From now on it neither answers pings nor says anything. */
  fallSilent(): void;
  stop(): Promise<void>;
}

export interface WebSocketHandlers {
  /** Whether a connection to this path is accepted; true by default. */
  readonly accepts?: (path: string) => boolean;
  readonly onOpen?: (socket: SocketAtDouble) => void;
  readonly onText?: (text: string, socket: SocketAtDouble) => void;
  readonly onClosed?: (socket: SocketAtDouble) => void;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const OPCODES = { text: 0x1, close: 0x8, ping: 0x9, pong: 0xa } as const;

/** Starts it on a free port of this machine. */
export async function startWebSockets(handlers: WebSocketHandlers = {}): Promise<WebSocketDouble> {
  const open = new Set<SocketAtDouble>();
  const streams = new Set<Duplex>();
  const state = { isSilent: false, pings: 0 };
  const server = createServer((_, response) => response.writeHead(404).end());
  server.on('upgrade', (request, stream) => {
    const path = request.url ?? '/';
    if (handlers.accepts?.(path) === false) {
      stream.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    stream.write(upgraded(request));
    streams.add(stream);
    const socket: SocketAtDouble = {
      path,
      send: (text) => void stream.write(frame(OPCODES.text, Buffer.from(text))),
      sendBytes: (bytes) => void stream.write(bytes),
      destroy: () => void stream.destroy(),
    };
    open.add(socket);
    let waiting: Buffer = Buffer.alloc(0);
    stream.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes]);
      for (let next = readFrame(waiting); next !== undefined; next = readFrame(waiting)) {
        waiting = waiting.subarray(next.length);
        if (state.isSilent) continue;
        if (next.opcode === OPCODES.text) handlers.onText?.(next.payload.toString(), socket);
        else if (next.opcode === OPCODES.ping) {
          state.pings += 1;
          stream.write(frame(OPCODES.pong, next.payload));
        } else if (next.opcode === OPCODES.close) stream.end(frame(OPCODES.close, next.payload));
      }
    });
    stream.on('error', () => undefined);
    // The other side is gone, such as where its process was killed.
    stream.on('end', () => stream.end());
    stream.on('close', () => {
      streams.delete(stream);
      open.delete(socket);
      handlers.onClosed?.(socket);
    });
    handlers.onOpen?.(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get open() {
      return [...open];
    },
    get pings() {
      return state.pings;
    },
    fallSilent: () => {
      state.isSilent = true;
    },
    stop: async () => {
      for (const stream of streams) stream.destroy();
      await once(server.close(), 'close');
    },
  };
}

function upgraded({ headers }: IncomingMessage): string {
  const key = createHash('sha1')
    .update(`${headers['sec-websocket-key'] ?? ''}${GUID}`)
    .digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${key}\r\n\r\n`;
}

/** One whole frame of a server (RFC 6455, 5.2). */
function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, length]), payload]);
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8(length < 65_536 ? 126 : 127, 1);
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

interface ReadFrame {
  readonly opcode: number;
  readonly payload: Buffer;
  /** Of the whole frame. */
  readonly length: number;
}

/** The first whole frame of a client, whose frames are masked; undefined where it is not whole yet. */
function readFrame(bytes: Buffer): ReadFrame | undefined {
  const { end, length } = lengthIn(bytes);
  const start = end + 4;
  if (bytes.length < start + length) return undefined;
  const mask = bytes.subarray(end, start);
  const payload = Buffer.from(bytes.subarray(start, start + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return { opcode: bytes.readUInt8(0) & 0xf, payload, length: start + length };
}

/** The length of the payload, and where it ends; infinite while it has not arrived. */
function lengthIn(bytes: Buffer): { readonly end: number; readonly length: number } {
  if (bytes.length < 2) return { end: 2, length: Infinity };
  const short = bytes.readUInt8(1) & 0x7f;
  if (short < 126) return { end: 2, length: short };
  const size = short === 126 ? 2 : 8;
  if (bytes.length < 2 + size) return { end: 2 + size, length: Infinity };
  return { end: 2 + size, length: size === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)) };
}
