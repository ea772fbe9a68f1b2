import { setTimeout as pause } from 'node:timers/promises';
import { isPage, type Answer } from './answer.ts';
import type * as Described from './described-answers.ts';

/** Gives the module that Node loads once for all test files of this process: to read the API description takes a second. */
declare const importOnce: (url: string) => Promise<typeof Described>;
const describedAnswers = () => importOnce(new URL('described-answers.ts', import.meta.url).href);

/** The key of `Default API` in every installation of a test. */
export const API_KEY = '5f1d0a52-6d2b-4e0f-9d3f-2f6f3c1f5a11';

/** The message with which a service refuses a request before it reads it, so that the request can be repeated. */
const TOO_MANY = /^Too many requests( of this caller)? are under way/;
/** How long a request is repeated. */
const REPEAT_FOR_MS = 120_000;
const REPEAT_AFTER_MS = 100;
/** A read waits up to 2 s for commands that were accepted before it (A8, A16). Only after that wait may it miss them. */
const MIN_FULL_WAIT_MS = 1_900;

type StatusAndBody = Pick<Answer, 'status' | 'body'>;

/** Repeats a request that is refused because too many are under way. */
async function repeatWhileTooMany<A extends StatusAndBody>(send: () => Promise<A>): Promise<A> {
  return repeatWhile(({ body, status }) => status === 503 && TOO_MANY.test(String(body['message'])), send);
}

/** Repeats a request that is answered 503, as clients do. A loaded machine may answer so. */
export async function repeatWhile503<A extends StatusAndBody>(send: () => Promise<A>): Promise<A> {
  return repeatWhile(({ status }) => status === 503, send);
}

/** Repeats a read that found nothing after a full wait. */
async function repeatAfterFullWait<A extends StatusAndBody>(read: () => Promise<A>): Promise<A> {
  return repeatWhile(({ status }, tookMs) => status === 404 && tookMs >= MIN_FULL_WAIT_MS, read);
}

/** Repeats a request for 2 minutes at most. */
async function repeatWhile<A>(isRepeated: (answer: A, tookMs: number) => boolean, send: () => Promise<A>): Promise<A> {
  const untilMs = performance.now() + REPEAT_FOR_MS;
  for (;;) {
    const sentAtMs = performance.now();
    const answer = await send();
    const answeredAtMs = performance.now();
    if (!isRepeated(answer, answeredAtMs - sentAtMs) || answeredAtMs > untilMs) return answer;
    await pause(REPEAT_AFTER_MS);
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
   * Sends a form as a form, anything else as JSON. Repeats a request that is refused because too many are under way.
   *
   * @throws Error when the answer is not as the API description says.
   */
  async request(method: string, path: string, sent?: unknown): Promise<Answer> {
    return repeatWhileTooMany(() => this.#send(method, path, sent));
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
    const { checkAnswer } = await describedAnswers();
    checkAnswer(method, path, answer);
    return answer;
  }

  /**
   * As `request`. On a loaded machine other requests are answered 503 too, and a write may be settled after the wait of a read for
   * it. So this also repeats a request that is answered 503, and a GET that waited and found nothing, unless these are expected.
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
    const sent = () => repeatWhile503(send);
    return method === 'GET' && expected === 200 ? repeatAfterFullWait(sent) : sent();
  }

  /** `data` of a read. */
  async read<T>(path: string): Promise<T> {
    return (await this.expect(200, 'GET', path)).body['data'] as T;
  }

  /** The content of a file, and its headers. */
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
