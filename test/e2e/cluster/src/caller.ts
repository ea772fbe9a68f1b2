import http from 'node:http';

const TIMEOUT_MS = 30_000;

/** An answer of the API, or why there was none. */
export interface Answer {
  /** 0 where the connection failed. */
  readonly status: number;
  /** The code of the error of the connection; undefined where there was an answer. */
  readonly error: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly tookMs: number;
}

/** One caller of the API, who keeps its connections for later requests or opens one for each. */
export class Caller {
  readonly #url: string;
  readonly #key: string;
  readonly #agent: http.Agent | false;
  readonly #timeoutMs: number;

  constructor(url: string, key: string, connections: 'kept' | 'new', timeoutMs = TIMEOUT_MS) {
    this.#url = url;
    this.#key = key;
    this.#timeoutMs = timeoutMs;
    this.#agent = connections === 'kept' && new http.Agent({ keepAlive: true });
  }

  /** Resolves with the answer or the failure, within the timeout (30 s by default) of silence. A request is sent once, whatever comes of it. */
  send(method: string, path: string, body?: unknown): Promise<Answer> {
    const startedAt = performance.now();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const ended = (answer: Omit<Answer, 'tookMs'>): void => {
      resolve({ ...answer, tookMs: performance.now() - startedAt });
    };
    const headers = {
      authorization: `GenieKey ${this.#key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const options = { method, headers, agent: this.#agent, timeout: this.#timeoutMs };
    const request = http.request(this.#url + path, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.once('error', (error) => {
        ended({ status: 0, error: codeOf(error), body: {} });
      });
      response.once('end', () => {
        ended({ status: response.statusCode ?? 0, error: undefined, body: parsed(text) });
      });
    });
    request.once('timeout', () => request.destroy(Object.assign(new Error('no answer'), { code: 'NO_ANSWER' })));
    request.once('error', (error) => {
      ended({ status: 0, error: codeOf(error), body: {} });
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }

  close(): void {
    if (this.#agent !== false) this.#agent.destroy();
  }
}

/** Refused for want of processor time, which says nothing of ports: the caller comes again. */
export const BUSY = '503 busy';
const OUT_OF_TIME = /^(Too many requests( of this caller)? are under way|Kafka did not take the message within)/;

/** The result of a request other than a 2xx: the code of the failure of its connection, {@link BUSY}, or a status; undefined for a 2xx. */
export function refusalOf({ body, error, status }: Answer): string | undefined {
  if (error !== undefined) return error;
  if (status >= 200 && status < 300) return undefined;
  const { message } = body;
  return status === 503 && typeof message === 'string' && OUT_OF_TIME.test(message) ? BUSY : String(status);
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : error.message);

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
