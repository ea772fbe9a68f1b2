import type { Admin } from 'kafkajs';

interface Connection {
  readonly admin: Promise<Admin>;
  /** Requests that are not answered yet. */
  pending: number;
  isDiscarded: boolean;
}

/**
 * The one admin connection of a process. It is opened on first use, and again after any failed request: the client does not
 * always notice that its broker was replaced.
 */
export class AdminConnection {
  readonly #connect: () => Promise<Admin>;
  #current: Connection | undefined;

  /** `connect` resolves with a connected admin. */
  constructor(connect: () => Promise<Admin>) {
    this.#connect = connect;
  }

  /** @throws what `request` throws, or why the connection cannot be made. */
  async ask<T>(request: (admin: Admin) => Promise<T>): Promise<T> {
    const connection = (this.#current ??= { admin: this.#connect(), pending: 0, isDiscarded: false });
    connection.pending += 1;
    try {
      return await request(await connection.admin);
    } catch (error) {
      this.#discard(connection);
      throw error;
    } finally {
      connection.pending -= 1;
      if (connection.isDiscarded && connection.pending === 0) void disconnect(connection);
    }
  }

  /** Closes the connection. Pending requests may fail. */
  async stop(): Promise<void> {
    const connection = this.#current;
    this.#current = undefined;
    if (connection !== undefined) await disconnect(connection);
  }

  /** No new request uses the connection. It closes once the pending ones are answered. */
  #discard(connection: Connection): void {
    connection.isDiscarded = true;
    if (this.#current === connection) this.#current = undefined;
  }
}

async function disconnect({ admin }: Connection): Promise<void> {
  await admin.then((connected) => connected.disconnect()).catch(() => undefined);
}
