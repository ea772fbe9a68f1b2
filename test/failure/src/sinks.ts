import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { smtpServer, type MailConduct } from '@tocsin/test-e2e/cluster';
import { startTwilio, type ProviderDouble, type TwilioMessage } from '@tocsin/testkit';
import type { Arrival } from './recovery.ts';

/** A mail server and a provider of text messages, which write down when each page came. */
export class Sinks {
  readonly arrivals: Arrival[] = [];
  /** The subjects of mails and the text messages. */
  readonly texts: string[] = [];
  /** How the mail server treats its clients. */
  mailConduct: MailConduct = 'accepts';
  readonly #listeners: ((arrival: Arrival) => void)[] = [];
  readonly #mail: Server;
  readonly #texts: ProviderDouble<TwilioMessage>;
  readonly #alias: RegExp;

  private constructor(texts: ProviderDouble<TwilioMessage>, run: string) {
    this.#alias = new RegExp(`\\b${run}-\\d+\\b`);
    this.#texts = texts;
    texts.onAccepted(({ content, to }) => {
      this.#record(to, content);
    });
    this.#mail = smtpServer(
      ({ subject, to }) => {
        this.#record(to, subject);
      },
      () => this.mailConduct,
    );
  }

  /** `run` begins the alias of every alert. */
  static async start(run: string): Promise<Sinks> {
    const sinks = new Sinks(await startTwilio(), run);
    await once(sinks.#mail.listen(0, '127.0.0.1'), 'listening');
    return sinks;
  }

  get smtpUrl(): string {
    return `smtp://127.0.0.1:${(this.#mail.address() as AddressInfo).port}`;
  }

  get textsUrl(): string {
    return this.#texts.url;
  }

  /** Calls `listener` with each page about an alert of the run. */
  onArrival(listener: (arrival: Arrival) => void): void {
    this.#listeners.push(listener);
  }

  async stop(): Promise<void> {
    this.#mail.close();
    await this.#texts.stop();
  }

  /** A page without an alias of the run counts under the alias of its text, so that it is wrong. */
  #record(to: string, text: string): void {
    const arrival = { at: Date.now(), to, alias: this.#alias.exec(text)?.[0] ?? text };
    this.arrivals.push(arrival);
    this.texts.push(text);
    for (const listener of this.#listeners) listener(arrival);
  }
}
