import type { Admin } from 'kafkajs';

interface Held {
  readonly admin: Promise<Admin>;
  questions: number;
  discarded: boolean;
}

/**
 * The one administrative connection of a process. It is opened on first use and reopened after any failed request: the client
 * does not always notice that its broker was replaced.
 */
export class AdminConnection {
  readonly #connect: () => Promise<Admin>;
  #held: Held | undefined;

  /** `connect` gives an admin that is connected. */
  constructor(connect: () => Promise<Admin>) {
    this.#connect = connect;
  }

  /** @throws what `question` throws, or what keeps the connection from being made. */
  async ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    const held = (this.#held ??= { admin: this.#connect(), questions: 0, discarded: false });
    held.questions += 1;
    try {
      return await question(await held.admin);
    } catch (error) {
      this.#discard(held);
      throw error;
    } finally {
      held.questions -= 1;
      if (held.discarded && held.questions === 0) void disconnect(held);
    }
  }

  /** Closes the connection; requests under way may fail. */
  async stop(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) await disconnect(held);
  }

  /** No new request uses the connection; it closes once the requests on it are answered. */
  #discard(held: Held): void {
    held.discarded = true;
    if (this.#held === held) this.#held = undefined;
  }
}

async function disconnect({ admin }: Held): Promise<void> {
  await admin.then((connected) => connected.disconnect()).catch(() => undefined);
}
