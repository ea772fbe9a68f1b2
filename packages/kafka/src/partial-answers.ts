import { createRequire } from 'node:module';

interface Connection {
  chunks: Buffer[];
  bytesBuffered: number;
  bytesNeeded: number;
  isConnected(): boolean;
}

interface ConnectionClass {
  readonly prototype: { connect(this: Connection): Promise<boolean> };
}

const clientRequire = createRequire(import.meta.url);

/** Every answer begins with its length. */
const LENGTH_BYTES = 4;

let patched = false;

/**
 * Patches kafkajs so that a reopened connection discards the bytes that it received before. Without the patch, a connection that
 * was cut in the middle of an answer reads the beginning of the next answer as the rest of the first one, and every later request
 * on it times out.
 */
export function discardPartialAnswers(): void {
  if (patched) return;
  patched = true;
  const { prototype } = clientRequire('kafkajs/src/network/connection.js') as ConnectionClass;
  // Called with its own `this` below.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const connect = prototype.connect;
  prototype.connect = function (this: Connection) {
    if (!this.isConnected()) {
      this.chunks = [];
      this.bytesBuffered = 0;
      this.bytesNeeded = LENGTH_BYTES;
    }
    return connect.call(this);
  };
}
