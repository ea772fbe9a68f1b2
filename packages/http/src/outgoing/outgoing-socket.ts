import type { LookupFunction, Socket } from 'node:net';
import { buildConnector, Client, ping, WebSocket } from 'undici';
import type { OutgoingTarget } from './outgoing-target.ts';

/** A connection to open. */
export interface SocketRequest {
  /** `wss:` or `ws:`. */
  readonly url: string;
  /** The longest message that is read: a longer one ends the connection. */
  readonly maxMessageBytes: number;
  /** How often the other side is asked whether it is there; 7.5 s by default. It is taken to be gone after three times without a byte. */
  readonly pingEveryMs?: number;
  /** Called with each message of text, in their order, the first perhaps before `openSocket` resolves. Other messages are skipped. */
  readonly onText: (text: string, socket: OutgoingSocket) => void;
  /** Called once, when an opened connection has ended, by either side. */
  readonly onClosed: () => void;
}

/** An open connection. */
export interface OutgoingSocket {
  readonly kind: 'open';
  /** Sends a message of text; false where the connection has ended. */
  send(text: string): boolean;
  /** Ends the connection, after a second at the latest. */
  close(): void;
}

/** Why there is no connection. A reason never contains the URL, whose query may be a secret. */
export interface UnopenedSocket {
  readonly kind: 'refused' | 'unreached';
  readonly reason: string;
}

const PING_EVERY_MS = 7_500;
const MAX_UNANSWERED = 3;
const CLOSE_TIMEOUT_MS = 1_000;

/** Opens a WebSocket at the checked address of a target; `lookup` returns that. Resolves within `timeoutMs` and never rejects. */
export async function openSocket(
  request: SocketRequest,
  { url }: OutgoingTarget,
  { lookup, timeoutMs }: { readonly lookup: LookupFunction; readonly timeoutMs: number },
): Promise<OutgoingSocket | UnopenedSocket> {
  const carrier: Carrier = { destroy: () => client.destroy().catch(() => undefined) };
  const connect = buildConnector({ lookup, timeout: timeoutMs, allowH2: false });
  const client = new Client(url.origin, {
    webSocket: { maxPayloadSize: request.maxMessageBytes },
    connect: (options, callback) => {
      connect(options, (...answer) => {
        carrier.connection = answer[1] ?? undefined;
        callback(...answer);
      });
    },
  });
  const socket = new WebSocket(request.url, { dispatcher: client, headers: { 'user-agent': 'Tocsin' } });
  const outgoing = outgoingSocket(socket, carrier);
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') request.onText(data, outgoing);
  });
  if (await isOpened(socket, timeoutMs)) {
    endWhenSilent(socket, carrier, request);
    return outgoing;
  }
  const reason = carrier.connection ? 'it was reached, and opened no WebSocket' : 'it could not be reached';
  destroy(carrier);
  return { kind: 'unreached', reason };
}

/** What carries the messages of a WebSocket. */
interface Carrier {
  connection?: Socket | undefined;
  readonly destroy: () => unknown;
}

function destroy(carrier: Carrier): void {
  carrier.connection?.destroy();
  carrier.destroy();
}

const isOpened = (socket: WebSocket, timeoutMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, false);
    const end = (isOpen: boolean) => (): void => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    socket.addEventListener('open', end(true));
    socket.addEventListener('error', end(false));
    socket.addEventListener('close', end(false));
  });

const outgoingSocket = (socket: WebSocket, carrier: Carrier): OutgoingSocket => ({
  kind: 'open',
  send: (text) => {
    if (socket.readyState !== WebSocket.OPEN) return false;
    socket.send(text);
    return true;
  },
  close: () => {
    socket.close();
    // Servers do not all end the connection.
    setTimeout(destroy, CLOSE_TIMEOUT_MS, carrier).unref();
  },
});

/** Asks the other side whether it is there, and ends the connection where it is not. */
function endWhenSilent(
  socket: WebSocket,
  carrier: Carrier,
  { onClosed, pingEveryMs = PING_EVERY_MS }: SocketRequest,
): void {
  const read = (): number => carrier.connection?.bytesRead ?? 0;
  let [known, unanswered] = [read(), 0];
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    // Any byte shows that the other side is there. The time for which a process was frozen does not count.
    unanswered = read() === known ? unanswered + 1 : 0;
    known = read();
    if (unanswered >= MAX_UNANSWERED) destroy(carrier);
    else ping(socket);
    timer = setTimeout(look, pingEveryMs);
  };
  timer = setTimeout(look, pingEveryMs);
  const end = (): void => {
    clearTimeout(timer);
    destroy(carrier);
    onClosed();
  };
  // It may have ended since it was opened.
  if (socket.readyState === WebSocket.CLOSED) end();
  else socket.addEventListener('close', end, { once: true });
}
