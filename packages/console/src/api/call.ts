import { CallError, refusalOf } from './call-error.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface CallRequest {
  readonly method?: Method;
  /** Of the API, such as `/v2/alerts`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

/** How long an answer may take. */
const CALL_TIMEOUT_MS = 30_000;

/**
 * Calls an operation as the signed-in person, by the cookie of their session.
 *
 * @throws CallError where the answer is a refusal, or none came.
 */
export async function call<T>({ body, method = 'GET', path, query = {}, signal }: CallRequest): Promise<T> {
  const response = await answered(`${path}${queryText(query)}`, {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      'X-Tocsin-Console': '1',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([AbortSignal.timeout(CALL_TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusalOf(response.status, (name) => response.headers.get(name), answer);
  return answer as T;
}

async function answered(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new CallError({ status: 0, message: 'The server cannot be reached. Check the connection of this device.' });
  }
}

/** The query of a URL with its `?`, or nothing. What is undefined is left out. */
export function queryText(query: NonNullable<CallRequest['query']>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
