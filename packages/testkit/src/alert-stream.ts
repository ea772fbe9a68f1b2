import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from './eventually.ts';
import type { Mailbox } from './mailbox.ts';

/** An alert of a stream, and when its caller got the answer 202 (real time). */
export interface StreamedAlert {
  readonly alias: string;
  readonly acceptedAt: Date;
}

interface AlertStreamOptions {
  readonly perSecond: number;
  /** Resolves when the alert is accepted; tries again until then. The alias makes a repeat of a request whose answer was lost harmless. */
  readonly create: (alias: string, index: number) => Promise<unknown>;
}

/** Callers that open alerts at an even pace, without waiting for the answers. */
export class AlertStream {
  readonly #options: AlertStreamOptions;
  readonly #sent: Promise<StreamedAlert>[] = [];
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(options: AlertStreamOptions) {
    this.#options = options;
  }

  /** The aliases begin with `name`. */
  start(name: string): void {
    this.#running = this.#run(name);
  }

  /** Resolves with all opened alerts when all are accepted. */
  async stop(): Promise<readonly StreamedAlert[]> {
    this.#stopped = true;
    await this.#running;
    return Promise.all(this.#sent);
  }

  async #run(name: string): Promise<void> {
    const began = performance.now();
    const everyMs = 1_000 / this.#options.perSecond;
    for (let index = 0; !this.#stopped; index += 1) {
      const sent = this.#send(`${name}-${index}`, index);
      // `stop` throws it.
      sent.catch(() => undefined);
      this.#sent.push(sent);
      await pause(Math.max(0, began + (index + 1) * everyMs - performance.now()));
    }
  }

  async #send(alias: string, index: number): Promise<StreamedAlert> {
    const { create } = this.#options;
    await eventually(() => create(alias, index), { everyMs: 200 });
    return { alias, acceptedAt: new Date() };
  }
}

/** Resolves when there is a mail about each alert. */
export const allMailed = (alerts: readonly StreamedAlert[], mailbox: Mailbox): Promise<void> =>
  eventually(
    () => {
      if (waits(alerts, mailbox).includes(Infinity)) throw new Error('Some alerts have no mail.');
    },
    { everyMs: 100 },
  );

/** How long each alert waited for its first mail, in milliseconds from acceptance; infinite while it has none. */
export function waits(alerts: readonly StreamedAlert[], mailbox: Mailbox): readonly number[] {
  const first = new Map<string, number>();
  for (const { receivedAt, subject } of mailbox.mails) {
    for (const word of subject.split(' '))
      first.set(word, Math.min(receivedAt.getTime(), first.get(word) ?? Number.POSITIVE_INFINITY));
  }
  return alerts.map(({ acceptedAt, alias }) => (first.get(alias) ?? Number.POSITIVE_INFINITY) - acceptedAt.getTime());
}
