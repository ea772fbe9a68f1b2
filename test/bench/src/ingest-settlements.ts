import { setTimeout as pause } from 'node:timers/promises';
import { createConnection, type Connection } from 'mongoose';

const CHUNK = 5_000;

/** The settled requests of an installation, read where alert-processor keeps them: too many to ask for one by one. */
export class Settlements {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async open(mongoUri: string): Promise<Settlements> {
    return new Settlements(await createConnection(mongoUri, { dbName: 'tocsin_alert_processor' }).asPromise());
  }

  /** How many of `requestIds` are without a settled status when all have one, or `patienceMs` has passed. */
  async settled(requestIds: readonly string[], patienceMs: number): Promise<number> {
    const until = performance.now() + patienceMs;
    let missing = requestIds;
    for (;;) {
      missing = await this.#without(missing);
      if (missing.length === 0 || performance.now() > until) return missing.length;
      await pause(500);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close();
  }

  async #without(requestIds: readonly string[]): Promise<readonly string[]> {
    const missing: string[] = [];
    for (let start = 0; start < requestIds.length; start += CHUNK) {
      const chunk = requestIds.slice(start, start + CHUNK);
      const known = new Set(await this.#ids(chunk));
      missing.push(...chunk.filter((id) => !known.has(id)));
    }
    return missing;
  }

  async #ids(chunk: readonly string[]): Promise<readonly string[]> {
    const statuses = this.#connection.collection<{ _id: string }>('request_statuses');
    const found = await statuses.find({ _id: { $in: [...chunk] } }, { projection: { _id: 1 } }).toArray();
    return found.map(({ _id }) => _id);
  }
}
