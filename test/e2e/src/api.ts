import type { ScenarioApi } from '@tocsin/testkit';
import { API_KEY } from './stack/services.ts';

const ANSWERED_WITHIN_MS = 30_000;

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The public API for one caller. */
export class Api implements ScenarioApi {
  readonly #url: () => string;

  /** `url` is called before each request: a container that is started again gets another port on this machine. */
  constructor(url: () => string) {
    this.#url = url;
  }

  /** A file of the gateway that needs no key. */
  async file(path: string): Promise<{ readonly status: number; readonly type: string | null; readonly text: string }> {
    const response = await fetch(this.#url() + path, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  }

  async request(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(this.#url() + path, {
      method,
      headers: { authorization: `GenieKey ${API_KEY}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  async expect(expected: number, method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.request(method, path, body);
    if (answer.status === expected) return answer;
    throw new Error(`${method} ${path} answered ${answer.status}, not ${expected}: ${JSON.stringify(answer.body)}`);
  }

  async read<T>(path: string): Promise<T> {
    return (await this.expect(200, 'GET', path)).body['data'] as T;
  }

  async create<T = { readonly id: string }>(path: string, body: unknown): Promise<T> {
    return (await this.expect(201, 'POST', path, body)).body['data'] as T;
  }
}
