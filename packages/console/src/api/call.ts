import { CallError, failureOfLostWrite, refusalOf } from './call-error.ts';
import { noteDate } from './server-clock.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface CallRequest {
  readonly method?: Method;
  /** Of the API, such as `/v2/alerts`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON, or as the form that it is. */
  readonly body?: object;
  /** How long the answer may take; as usual unless given. */
  readonly timeoutMs?: number;
  /** Whether the server does it again each time that it is sent, such as adding a note. */
  readonly isDoneEachTime?: boolean;
  readonly signal?: AbortSignal;
}

/** How long an answer may take. A page reads again soon, so it waits for a read less long than for a write. */
const READ_TIMEOUT_MS = 8_000;
const WRITE_TIMEOUT_MS = 30_000;

/**
 * Calls an operation as the signed-in person, by the cookie of their session.
 *
 * @throws CallError where the answer is a refusal, or none came.
 */
export async function call<T>(request: CallRequest): Promise<T> {
  try {
    return (await send(request)) as T;
  } catch (error) {
    throw request.isDoneEachTime === true ? failureOfLostWrite(error) : error;
  }
}

/**
 * Reads an answer that is a text, such as a calendar.
 *
 * @throws CallError as `call`.
 */
export async function readText(request: Pick<CallRequest, 'path' | 'query' | 'signal'>): Promise<string> {
  const response = await responseTo(request);
  return response.ok ? textOf(response) : String(await bodyOf(response));
}

async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw interruption(error);
  }
}

const send = async (request: CallRequest): Promise<unknown> => bodyOf(await responseTo(request));

async function responseTo(request: CallRequest): Promise<Response> {
  const { body, method = 'GET', path, query = {}, signal } = request;
  const { timeoutMs = method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS } = request;
  const requestedAt = Date.now();
  const response = await answered(`${path}${queryText(query)}`, {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      'X-Tocsin-Console': '1',
      // The browser names the type of a form, with the boundary of its parts.
      ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]),
  });
  noteDate({ date: response.headers.get('Date'), requestedAt, answeredAt: Date.now() });
  return response;
}

async function answered(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw interruption(error);
  }
}

/**
 * The body of an answer.
 *
 * @throws CallError where the answer is a refusal, or its body is not complete: then the result of the call is not known.
 */
export async function bodyOf(response: Response): Promise<unknown> {
  try {
    const body: unknown = await response.json();
    if (response.ok) return body;
    throw refusalOf(response.status, (name) => response.headers.get(name), body);
  } catch (error) {
    if (error instanceof CallError) throw error;
    if (response.ok) throw interruption(error);
    throw refusalOf(response.status, (name) => response.headers.get(name), undefined);
  }
}

/** What to throw for a call that was cancelled, or whose answer did not come or broke off. */
export const interruption = (error: unknown): unknown =>
  error instanceof DOMException && error.name === 'AbortError'
    ? error
    : new CallError({ status: 0, message: 'The server cannot be reached. Check the connection of this device.' });

/** The query of a URL with its `?`, or nothing. What is undefined is left out. */
export function queryText(query: NonNullable<CallRequest['query']>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
