import { setTimeout as pause } from 'node:timers/promises';
import { checkAnswer, isPage, type Answer } from './described-answers.ts';

/** The key of `Default API` in every installation of a test. */
export const API_KEY = '5f1d0a52-6d2b-4e0f-9d3f-2f6f3c1f5a11';

/** What a service answers where it refuses a request before it reads it. A repetition then changes nothing twice. */
const TOO_MANY = /^Too many requests( of this caller)? are under way/;
/** How long a request is repeated that is refused. */
const REPEATED_FOR_MS = 120_000;
const REPEATED_AFTER_MS = 100;
/** A read waits for what was accepted before it, for 2 s at most (A8, A16). It may miss that only after such a wait. */
const SHORTEST_FULL_WAIT_MS = 1_900;

type StatusAndBody = Pick<Answer, 'status' | 'body'>;

/** Repeats a request until there is room for it. */
async function sentWhereThereIsRoom<A extends StatusAndBody>(send: () => Promise<A>): Promise<A> {
  return repeatedWhile(({ body }) => TOO_MANY.test(String(body['message'])), send);
}

/** Repeats a request that is answered 503, as clients do. A loaded machine answers so. */
export async function repeatedWhileRefused<A extends StatusAndBody>(send: () => Promise<A>): Promise<A> {
  return repeatedWhile(({ status }) => status === 503, send);
}

async function repeatedWhile<A>(isRefused: (answer: A) => boolean, send: () => Promise<A>): Promise<A> {
  const until = performance.now() + REPEATED_FOR_MS;
  for (;;) {
    const answer = await send();
    if (!isRefused(answer) || performance.now() > until) return answer;
    await pause(REPEATED_AFTER_MS);
  }
}

/** Repeats a read that found nothing after a full wait. */
async function repeatedAfterFullWait<A extends StatusAndBody>(read: () => Promise<A>): Promise<A> {
  for (;;) {
    const startedAtMs = performance.now();
    const answer = await read();
    if (answer.status !== 404 || performance.now() - startedAtMs < SHORTEST_FULL_WAIT_MS) return answer;
  }
}

/** The public API as one caller uses it. */
export class Api {
  /** Of the gateway. */
  readonly url: string;
  readonly #key: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, key: string = API_KEY, headers: Readonly<Record<string, string>> = {}) {
    this.url = url;
    this.#key = key;
    this.#headers = headers;
  }

  /** The same installation with another key. */
  as(key: string): Api {
    return new Api(this.url, key);
  }

  /** The same caller, who also sends these headers. */
  with(headers: Readonly<Record<string, string>>): Api {
    return new Api(this.url, this.#key, headers);
  }

  /**
   * Sends a form as a form, anything else as JSON. Repeats a request until there is room for it.
   *
   * @throws Error when the answer is not as the API description says.
   */
  async request(method: string, path: string, sent?: unknown): Promise<Answer> {
    return sentWhereThereIsRoom(() => this.#send(method, path, sent));
  }

  async #send(method: string, path: string, sent: unknown): Promise<Answer> {
    const isForm = sent instanceof FormData;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `GenieKey ${this.#key}`,
        ...this.#headers,
        ...(sent !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: isForm ? sent : JSON.stringify(sent) }),
    });
    const { status, headers } = response;
    const body = isPage(headers) ? { page: await response.text() } : ((await response.json()) as Answer['body']);
    const answer: Answer = { status, body, headers };
    checkAnswer(method, path, answer);
    return answer;
  }

  /**
   * As `request`. Also repeats what a loaded machine refuses for another reason or has not settled yet.
   *
   * @throws Error when the answer is not of `expected`.
   */
  async expect(expected: number, method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.#repeated(expected, method, () => this.request(method, path, body));
    if (answer.status === expected) return answer;
    throw new Error(`${method} ${path} answered ${answer.status}, not ${expected}: ${JSON.stringify(answer.body)}`);
  }

  #repeated(expected: number, method: string, send: () => Promise<Answer>): Promise<Answer> {
    if (expected === 503) return send();
    const sent = () => repeatedWhileRefused(send);
    return method === 'GET' && expected === 200 ? repeatedAfterFullWait(sent) : sent();
  }

  /** `data` of a read. */
  async read<T>(path: string): Promise<T> {
    return (await this.expect(200, 'GET', path)).body['data'] as T;
  }

  /** What a file says, and its headers. */
  async download(path: string): Promise<{ readonly text: string; readonly headers: Headers }> {
    const response = await fetch(this.url + path, { headers: { authorization: `GenieKey ${this.#key}` } });
    const text = await response.text();
    if (response.status === 200) return { text, headers: response.headers };
    throw new Error(`GET ${path} answered ${response.status}: ${text}`);
  }

  /** `data` of a create. */
  async create<T = { readonly id: string }>(path: string, body: unknown): Promise<T> {
    return (await this.expect(201, 'POST', path, body)).body['data'] as T;
  }
}
