import { once } from 'node:events';
import { sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OutgoingCaller } from '@tocsin/http';
import { generate } from 'selfsigned';

const HOST = 'https://sns.eu-central-1.amazonaws.com';
export const CERTIFICATE_URL = `${HOST}/SimpleNotificationService-0a1b.pem`;
const CERTIFICATE_PATH = new URL(CERTIFICATE_URL).pathname;
const TOPIC = 'arn:aws:sns:eu-central-1:1:alarms';

/** What Amazon SNS sends first of a topic. */
export const CONFIRMATION = {
  Type: 'SubscriptionConfirmation',
  MessageId: 'm-1',
  Token: 't',
  TopicArn: TOPIC,
  Message: 'You have chosen to subscribe to the topic.\nVisit the link.',
  SubscribeURL: `${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=t`,
  Timestamp: '2026-01-01T00:00:00.000Z',
};
export const CONFIRMATION_PATH = CONFIRMATION.SubscribeURL.replace(HOST, '');

type Said = Readonly<{ status: number; body: string }>;

/** Amazon SNS on this machine: a server with its certificate and its API, which signs as it does. */
export class SnsDouble {
  /** The paths that were asked for, with their query. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #keys: { readonly private: string; readonly cert: string };
  readonly #outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
  #certificate: Said = { status: 503, body: '' };
  #confirmation: Said = { status: 503, body: '' };

  private constructor(keys: { readonly private: string; readonly cert: string }) {
    this.#keys = keys;
    this.#server = createServer(({ url = '' }, response) => {
      this.asked.push(url);
      const { status, body } = url === CERTIFICATE_PATH ? this.#certificate : this.#confirmation;
      response.writeHead(status).end(body);
    });
  }

  static async start(): Promise<SnsDouble> {
    const [notBeforeDate, notAfterDate] = [new Date('2025-01-01'), new Date('2030-01-01')];
    const name = [{ name: 'commonName', value: 'sns.amazonaws.com' }];
    const double = new SnsDouble(await generate(name, { keySize: 2048, notBeforeDate, notAfterDate }));
    double.reset();
    await once(double.#server.listen(0, '127.0.0.1'), 'listening');
    return double;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Forgets what was asked, and answers as it should. */
  reset(): void {
    this.asked.length = 0;
    this.answer({
      certificate: { status: 200, body: this.#keys.cert },
      confirmation: { status: 200, body: '<ConfirmSubscriptionResponse/>' },
    });
  }

  get certificate(): string {
    return this.#keys.cert;
  }

  answer({ certificate, confirmation }: { readonly certificate?: Said; readonly confirmation?: Said }): void {
    this.#certificate = certificate ?? this.#certificate;
    this.#confirmation = confirmation ?? this.#confirmation;
  }

  /** Calls the URL, with this machine for the host of Amazon. */
  readonly call: OutgoingCaller['call'] = (request) => {
    const { port } = this.#server.address() as AddressInfo;
    return this.#outgoing.call({ ...request, url: request.url.replace(HOST, `http://127.0.0.1:${port}`) });
  };

  /** The message signed as Amazon SNS does: names and values of these in the order of the names, each with a line feed. */
  signed(changes: Partial<typeof CONFIRMATION> = {}, version: '1' | '2' = '2'): Readonly<Record<string, string>> {
    const message = { ...CONFIRMATION, ...changes };
    const text = Object.entries(message)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${name}\n${value}\n`)
      .join('');
    const algorithm = version === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
    const Signature = sign(algorithm, Buffer.from(text), this.#keys.private).toString('base64');
    return { ...message, SignatureVersion: version, SigningCertURL: CERTIFICATE_URL, Signature };
  }
}
