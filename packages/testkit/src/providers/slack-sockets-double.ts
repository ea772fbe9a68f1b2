import { randomUUID } from 'node:crypto';
import { startWebSockets, type SocketAtDouble } from './websocket-double.ts';

/** An acknowledgement, in the order in which they came. */
interface Acknowledgement {
  readonly id: string;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
}

/** The connections of Socket Mode of the app of the double. */
export interface SlackSockets {
  /** The URL of a new connection: it works once. */
  newUrl(): string;
  /** How many have said hello and are open. */
  readonly count: number;
  readonly acknowledged: readonly Acknowledgement[];
  /** The ids of envelopes that are not acknowledged. */
  readonly waiting: readonly string[];
  /** Reports a press of a button, or by `slash_commands` a command, and returns the id of the envelope. Without a connection it waits for one. */
  report(type: string, payload: object): string;
  /** Says on the oldest connection that it will end. */
  disconnect(reason: string): void;
  /** Ends the oldest connection without a message before. */
  cut(): void;
  /** Sends bytes as they are on the oldest connection, or a text as a message. */
  send(what: Buffer | string): void;
  /** The next acknowledgements do not arrive. */
  loseAcknowledgements(count: number): void;
  /** From now on it says nothing on its connections, and answers no ping. */
  fallSilent(): void;
  stop(): Promise<void>;
}

interface SentEnvelope {
  readonly text: string;
  by: SocketAtDouble | undefined;
}

/** Envelopes and the connections by which they are sent: each by one, the newest, and again by another one where that ended before the acknowledgement. */
class Envelopes {
  readonly acknowledged: Acknowledgement[] = [];
  /** How many acknowledgements are still lost. */
  lost = 0;
  readonly waiting = new Map<string, SentEnvelope>();
  readonly greeted = new Set<SocketAtDouble>();

  add(type: string, payload: object): string {
    const id = randomUUID();
    const envelope = { envelope_id: id, type, payload, accepts_response_payload: type === 'slash_commands' };
    this.waiting.set(id, { text: JSON.stringify(envelope), by: undefined });
    this.give();
    return id;
  }

  greet(socket: SocketAtDouble): void {
    this.greeted.add(socket);
    const connection = { num_connections: this.greeted.size, connection_info: { app_id: 'A0TOCSIN' } };
    socket.send(JSON.stringify({ type: 'hello', ...connection }));
    this.give();
  }

  acknowledge(text: string): void {
    if (this.lost > 0) {
      this.lost -= 1;
      return;
    }
    const { envelope_id: id, payload } = JSON.parse(text) as { envelope_id: string; payload?: Record<string, unknown> };
    this.waiting.delete(id);
    this.acknowledged.push({ id, payload });
  }

  forget(socket: SocketAtDouble): void {
    this.greeted.delete(socket);
    for (const envelope of this.waiting.values()) if (envelope.by === socket) envelope.by = undefined;
    this.give();
  }

  give(): void {
    const socket = [...this.greeted].at(-1);
    if (socket === undefined) return;
    for (const envelope of this.waiting.values()) {
      if (envelope.by !== undefined) continue;
      envelope.by = socket;
      socket.send(envelope.text);
    }
  }

  oldest(): SocketAtDouble {
    const [socket] = this.greeted;
    if (socket === undefined) throw new Error('There is no connection.');
    return socket;
  }
}

/** Starts the server of the connections. */
export async function startSlackSockets(): Promise<SlackSockets> {
  const urls = new Set<string>();
  const envelopes = new Envelopes();
  const server = await startWebSockets({
    accepts: (path) => urls.delete(path),
    onOpen: (socket) => {
      envelopes.greet(socket);
    },
    onText: (text) => {
      envelopes.acknowledge(text);
    },
    onClosed: (socket) => {
      envelopes.forget(socket);
    },
  });
  return {
    newUrl: () => {
      const path = `/link/?ticket=${randomUUID()}&app_id=A0TOCSIN`;
      urls.add(path);
      return `${server.url}${path}`;
    },
    get count() {
      return envelopes.greeted.size;
    },
    acknowledged: envelopes.acknowledged,
    get waiting() {
      return [...envelopes.waiting.keys()];
    },
    report: (type, payload) => envelopes.add(type, payload),
    disconnect: (reason) => {
      const announced = { type: 'disconnect', reason, debug_info: { host: 'applink-1' } };
      envelopes.oldest().send(JSON.stringify(announced));
    },
    cut: () => {
      envelopes.oldest().destroy();
    },
    send: (what) => {
      if (typeof what === 'string') envelopes.oldest().send(what);
      else envelopes.oldest().sendBytes(what);
    },
    loseAcknowledgements: (count) => {
      envelopes.lost = count;
    },
    fallSilent: () => {
      server.fallSilent();
    },
    stop: () => server.stop(),
  };
}
