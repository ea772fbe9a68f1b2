import { setTimeout as pause } from 'node:timers/promises';
import { checkAnswer, isPage, type Answer } from './described-answers.ts';

/** The key of `Default API` in every installation of a test. */
export const API_KEY = '5f1d0a52-6d2b-4e0f-9d3f-2f6f3c1f5a11';

/** What the gateway says where it refuses a request before it reads it, so that it may be sent again. */
const TOO_MANY = 'Too many requests are under way. Please try again.';
const SENT_AGAIN_AFTER_MS = 100;

/** Sends until the gateway has room for the request, as clients do. */
export async function sentWhereThereIsRoom<A extends Pick<Answer, 'status' | 'body'>>(
  send: () => Promise<A>,
): Promise<A> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503 || answer.body['message'] !== TOO_MANY) return answer;
    await pause(SENT_AGAIN_AFTER_MS);
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
   * A form is sent as a form, anything else as JSON.
   *
   * @throws Error when the answer is not as the API description says.
   */
  async request(method: string, path: string, sent?: unknown): Promise<Answer> {
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

  /** @throws Error when the answer is not of `expected`. */
  async expect(expected: number, method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await sentWhereThereIsRoom(() => this.request(method, path, body));
    if (answer.status === expected) return answer;
    throw new Error(`${method} ${path} answered ${answer.status}, not ${expected}: ${JSON.stringify(answer.body)}`);
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
