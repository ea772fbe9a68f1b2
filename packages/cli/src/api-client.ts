import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from './connection-failure.ts';
import type { Profile } from './profiles.ts';
import { EXIT, CliError, type ExitCode } from './cli-error.ts';

/** A JSON object as the API answers it. */
export type Json = Readonly<Record<string, unknown>>;

/** The query and the body of a request. Undefined values of a query are left out. */
export interface ApiRequest {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** Whether the request has a further effect when it is repeated. */
  readonly onceOnly?: boolean;
}

/** The time and the output of the command. */
export interface CommandContext {
  /** Aborted when the time of the command is over, or the user presses Ctrl-C. */
  readonly signal: AbortSignal;
  readonly timeoutSeconds: number;
  /** Shows the user why the command waits. */
  readonly progress: (text: string) => void;
}

/** The API accepted the request and has not processed it yet (A8). */
export class NotProcessed extends CliError {}

/** How often a request is sent again after 429 or 503. */
const MAX_REPEATS = 5;
/** The longest time of a command. A timer of more than 24 days would not wait at all. */
const MAX_PAUSE_SECONDS = 3_600;
const KEY_FORMAT = 'Key format is not valid!';

/** The API of one installation, with one key. */
export class ApiClient {
  readonly #to: Profile;
  readonly #context: CommandContext;

  constructor(to: Profile, context: CommandContext) {
    this.#to = to;
    this.#context = context;
  }

  /** Of the installation, without a slash at its end. */
  get url(): string {
    return this.#to.url;
  }

  /** `data` of a read. @throws CliError, as {@link ApiClient.send}. */
  async read<T>(path: string, query: ApiRequest['query'] = {}): Promise<T> {
    return (await this.send('GET', path, { query }))['data'] as T;
  }

  /**
   * The body of a successful answer. A request that is answered 429 or 503 is sent again up to five times, within the time of the
   * command. A request that is answered 503 may still be carried out, by brokers that come back late. So a request that must be
   * carried out once only is sent again after 429 alone, which means that it was not carried out.
   *
   * @throws CliError with the message of the API, each field's error and the id of the request.
   */
  async send(method: string, path: string, request: ApiRequest = {}): Promise<Json> {
    for (let repeats = 0; ; repeats += 1) {
      const response = await this.#fetched(method, path, request);
      const body = await this.#bodyOf(response);
      if (response.ok && body !== undefined) return body;
      const waitSeconds = repeats < MAX_REPEATS ? waitOf(response, request) : undefined;
      if (waitSeconds === undefined) throw refusal(response, body, this.#to.url);
      const message = textOf(body?.['message']) ?? `HTTP ${response.status}`;
      this.#context.progress(`${message} Trying again in ${waitSeconds} s`);
      await this.#pause(waitSeconds * 1_000, () => refusal(response, body, this.#to.url));
    }
  }

  /** Waits. @throws the error of `late` when the time of the command ends first; CliError when it is interrupted. */
  async #pause(ms: number, late: () => CliError): Promise<void> {
    try {
      await pause(ms, undefined, { signal: this.#context.signal });
    } catch (error) {
      throw this.#ended(error, late);
    }
  }

  async #fetched(method: string, path: string, { query = {}, body }: ApiRequest): Promise<Response> {
    const url = new URL(this.#to.url + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    try {
      return await fetch(url, {
        method,
        // Followed elsewhere, a redirect would carry the request to a host that the user did not name.
        redirect: 'manual',
        signal: this.#context.signal,
        headers: {
          accept: 'application/json',
          authorization: `GenieKey ${this.#to.key}`,
          'user-agent': 'tocsin-cli',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw this.#ended(error, () => this.#silence());
    }
  }

  /** Undefined where the answer is not JSON. */
  async #bodyOf(response: Response): Promise<Json | undefined> {
    try {
      const text = await response.text();
      const parsed: unknown = JSON.parse(text);
      return typeof parsed === 'object' && parsed !== null ? (parsed as Json) : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw this.#ended(error, () => this.#silence());
    }
  }

  #silence(): CliError {
    return new CliError(
      EXIT.unavailable,
      `No answer from ${this.#to.url} within ${this.#context.timeoutSeconds} s (--timeout).`,
    );
  }

  #ended(error: unknown, late: () => CliError): CliError {
    const { signal } = this.#context;
    if (!signal.aborted)
      return new CliError(EXIT.unavailable, `No connection to ${this.#to.url}: ${reasonOf(error)}.`, [], {
        cause: error,
      });
    return signal.reason instanceof CliError ? signal.reason : late();
  }
}

/** The seconds until the request is sent again; undefined where it is not. */
function waitOf({ status, headers }: Response, { onceOnly = false }: ApiRequest): number | undefined {
  if (status !== 429 && (status !== 503 || onceOnly)) return undefined;
  const seconds = Number(headers.get('retry-after') ?? '1');
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, MAX_PAUSE_SECONDS) : 1;
}

function refusal({ status, headers }: Response, body: Json | undefined, url: string): CliError {
  const requestId = headers.get('x-request-id') ?? textOf(body?.['requestId']);
  const details = [...fieldErrors(body), ...(requestId === undefined ? [] : [`request ${requestId}`])];
  const location = headers.get('location');
  const message = textOf(body?.['message']);
  if (headers.get('x-opsgenie-errortype') === 'RequestNotProcessed')
    return new NotProcessed(EXIT.unsettled, message ?? '', details);
  if (message !== undefined) return new CliError(exitCodeOf(status, message), message, details);
  const answered = location === null ? `answered ${status} without JSON` : `sends on to ${location} (${status})`;
  const code = status < 400 ? EXIT.failed : exitCodeOf(status, '');
  return new CliError(code, `${url} ${answered}. Is it the URL of a Tocsin?`, details);
}

function fieldErrors(body: Json | undefined): readonly string[] {
  const errors = body?.['errors'];
  if (typeof errors !== 'object' || errors === null) return [];
  return Object.entries(errors).map(([field, reason]) => `${field}: ${String(reason)}`);
}

function exitCodeOf(status: number, message: string): ExitCode {
  if (status === 401 || status === 403 || message === KEY_FORMAT) return EXIT.denied;
  if (status === 404) return EXIT.missing;
  return status === 429 || status >= 500 ? EXIT.unavailable : EXIT.failed;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
