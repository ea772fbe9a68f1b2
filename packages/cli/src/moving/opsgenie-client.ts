import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import { reasonOf } from '../connection-failure.ts';
import type { Profile } from '../profiles.ts';
import { type Advice, OPSGENIE_ADVICE } from './advice.ts';
import { type HttpAnswer, ApiReadError, type Reading, readingOf } from './answer.ts';
import { isJson, type Json, numberIn, objectIn, objectsIn, textIn } from './json.ts';
import { Pace, type RequestLimit } from './pace.ts';

export type Query = Readonly<Record<string, string | number>>;

/** A request that changes something, of Tocsin alone. It has no further effect when it is repeated. */
export interface Write {
  readonly method: 'PUT' | 'DELETE';
  readonly body?: Json;
}

/** The time and the output of a command that reads an account of Opsgenie. */
export interface ReadingContext {
  /** Whether the side may be written: Tocsin, never Opsgenie. */
  readonly mayWrite?: boolean;
  /** Aborted when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** How long one request may take. */
  readonly requestTimeoutMs: number;
  /** Shows the user why the command waits. */
  readonly progress: (text: string) => void;
  /** What an error advises where the key or the address is wrong; by default as for Opsgenie. */
  readonly advice?: Advice;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** How often a request is sent in all. The pauses between them take about a minute, where no answer asks for longer ones. */
const MAX_TRIES = 8;
const FIRST_PAUSE_MS = 500;
/** The longest pause that an answer may ask for. */
const MAX_PAUSE_MS = 300_000;
const PAGE_SIZE = 100;
/** No account has so many of one kind. */
const MAX_ITEMS = 200_000;
/** How often a list is read that changes while it is read. */
const MAX_READINGS = 5;
/** The groups of operations whose limits are kept, as the backup tool of the vendor does. */
const LIMITED_DOMAINS: ReadonlySet<string> = new Set(['search', 'configuration']);
const LONGEST_PERIOD_SECONDS = 86_400;

/** Reads the API of Opsgenie, which Tocsin answers too. It sends GET alone, unless its context says that it may write. */
export class OpsgenieClient {
  readonly #side: Profile;
  readonly #context: Required<ReadingContext>;
  #pace: Promise<Pace> | undefined;
  #requests = 0;

  constructor(side: Profile, context: ReadingContext) {
    this.#side = side;
    this.#context = {
      advice: OPSGENIE_ADVICE,
      mayWrite: false,
      now: () => performance.now(),
      pause: (ms, signal) => sleep(ms, undefined, { signal }),
      ...context,
    };
  }

  get url(): string {
    return this.#side.url;
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.#requests;
  }

  /**
   * The body of the answer. The first request reads the limits of the account, and all later ones keep to 80 % of them. A request that is
   * answered 429 or 5xx, or that gets no whole answer, is sent again up to seven times.
   *
   * @throws ApiReadError that says what to do; CliError when the user interrupts.
   */
  async get(path: string, query: Query = {}): Promise<Json> {
    this.#pace ??= this.#readPace();
    const pace = await this.#pace;
    return this.#send(path, query, pace);
  }

  /** Writes, and repeats it as {@link get} does. @throws as {@link get}; Error where the side may not be written. */
  async write(path: string, write: Write): Promise<Json> {
    if (!this.#context.mayWrite) throw new Error(`${this.url} is only read.`);
    this.#pace ??= this.#readPace();
    return this.#send(path, {}, await this.#pace, write);
  }

  /** `data` of an answer, an object. @throws as {@link get}. */
  async object(path: string, query: Query = {}): Promise<Json> {
    const { data } = await this.get(path, query);
    if (isJson(data)) return data;
    throw new ApiReadError('answer', `${this.url} answered ${path} without an object in data.`);
  }

  /** The objects of a list that comes at once, also one that is null, or wrapped in an object. @throws as {@link get}. */
  async list(path: string, query: Query = {}): Promise<readonly Json[]> {
    return this.#objectsOf(await this.get(path, query), path);
  }

  /** The objects of a list that comes in pages. One that changes meanwhile is read again. @throws as {@link get}. */
  async pages(path: string, query: Query = {}): Promise<readonly Json[]> {
    for (let readings = 1; ; readings += 1) {
      const { fault, items } = await this.#pagesOnce(path, query);
      if (fault === undefined) return items;
      if (readings >= MAX_READINGS)
        throw new ApiReadError('answer', `The list ${path} is not whole: ${fault}, in each of ${readings} readings.`, [
          'Try again when the account is not being changed.',
        ]);
    }
  }

  /** `totalCount` of a list that comes in pages, or its length where the answer has none. */
  async count(path: string): Promise<number> {
    const body = await this.get(path, { limit: 1 });
    return numberIn(body, 'totalCount') ?? (await this.pages(path)).length;
  }

  async #pagesOnce(path: string, query: Query): Promise<{ readonly items: readonly Json[]; readonly fault?: string }> {
    const items: Json[] = [];
    const ids = new Set<string>();
    let expected: number | undefined;
    for (;;) {
      const body = await this.get(path, { ...query, limit: PAGE_SIZE, offset: items.length });
      const page = this.#objectsOf(body, path);
      const total = numberIn(body, 'totalCount');
      // After a deletion the items of later pages move up, so that one would be missed.
      if (items.length > 0 && total !== expected) return { items, fault: 'its length changes while it is read' };
      expected = total;
      for (const item of page) ids.add(identityOf(item));
      items.push(...page);
      if (ids.size < items.length) return { items, fault: 'its pages overlap' };
      if (items.length > MAX_ITEMS)
        throw new ApiReadError('answer', `The list ${path} has more than ${MAX_ITEMS} items.`);
      if (hasNext(body, page, items.length, total)) continue;
      const isWhole = total === undefined || items.length === total;
      return isWhole ? { items } : { items, fault: `${items.length} of ${total} items came` };
    }
  }

  #objectsOf(body: Json, path: string): readonly Json[] {
    const list = listIn(body);
    if (Array.isArray(list) && list.every(isJson)) return list;
    throw new ApiReadError('answer', `${this.url} answered ${path} without a list of objects in data.`);
  }

  async #readPace(): Promise<Pace> {
    try {
      return new Pace(limitsIn(await this.#send('/v2/request-limits', {}, new Pace([]))));
    } catch (error) {
      if (error instanceof ApiReadError && error.fault === 'missing') return new Pace([]);
      throw error;
    }
  }

  async #send(path: string, query: Query, pace: Pace, write?: Write): Promise<Json> {
    for (let tries = 1; ; tries += 1) {
      const { headers, reading } = await this.#once(path, query, pace, write);
      if ('body' in reading) return reading.body;
      if (!reading.mayRetry || tries >= MAX_TRIES) throw reading.error;
      const ms = pauseMs(headers, tries);
      this.#context.progress(`${reading.error.message} Trying again in ${Math.ceil(ms / 1_000)} s`);
      await this.#pause(ms);
    }
  }

  async #once(
    path: string,
    query: Query,
    pace: Pace,
    write: Write | undefined,
  ): Promise<{ readonly headers: Headers; readonly reading: Reading }> {
    const { now, requestTimeoutMs, signal } = this.#context;
    const at = now();
    const wait = pace.take(at) - at;
    if (wait > 0) await this.#pause(wait);
    this.#requests += 1;
    // Not `AbortSignal.timeout`: it lives until its time is over, also when the answer came.
    const end = new AbortController();
    const stop = (): void => {
      end.abort();
    };
    const timer = setTimeout(stop, requestTimeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    try {
      this.#throwIfInterrupted();
      const answer = await this.#fetched(path, query, end.signal, write);
      return {
        headers: answer.headers,
        reading: readingOf(answer, { url: this.url, path, advice: this.#context.advice }),
      };
    } catch (error) {
      this.#throwIfInterrupted();
      const reason = end.signal.aborted ? `no answer within ${requestTimeoutMs / 1_000} s` : reasonOf(error);
      const unreached = new ApiReadError('unavailable', `No answer of ${this.url}: ${reason}.`, [
        'Check the address and the network, and run the same command again.',
      ]);
      return { headers: new Headers(), reading: { error: unreached, mayRetry: true } };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async #fetched(path: string, query: Query, signal: AbortSignal, write?: Write): Promise<HttpAnswer> {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method: write?.method ?? 'GET',
      ...(write?.body !== undefined && { body: JSON.stringify(write.body) }),
      // Followed elsewhere, a redirect would carry the key to a host that the user did not name.
      redirect: 'manual',
      signal,
      headers: {
        accept: 'application/json',
        authorization: `GenieKey ${this.#side.key}`,
        'user-agent': 'tocsin-import',
        ...(write?.body !== undefined && { 'content-type': 'application/json' }),
      },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async #pause(ms: number): Promise<void> {
    try {
      await this.#context.pause(ms, this.#context.signal);
    } catch (error) {
      this.#throwIfInterrupted();
      throw error;
    }
  }

  #throwIfInterrupted(): void {
    const { signal } = this.#context;
    if (signal.aborted) throw signal.reason instanceof CliError ? signal.reason : new Error('Aborted');
  }
}

/** The list in an answer: none is shorter because a part of it is missing. */
function listIn(body: Json): unknown {
  // An object without `data` is an answer of the API where it names its request.
  const { data = textIn(body, 'requestId') === undefined ? undefined : null } = body;
  if (data === null) return [];
  if (!isJson(data)) return data;
  const values = Object.values(data);
  return values.find((value) => Array.isArray(value)) ?? (values.includes(null) ? [] : undefined);
}

const identityOf = (item: Json): string => textIn(item, 'id') ?? JSON.stringify(item);

/** The address of the next page names another host where a proxy is between, so only its presence counts. */
function hasNext(body: Json, page: readonly Json[], count: number, total: number | undefined): boolean {
  if (page.length === 0) return false;
  return total === undefined ? textIn(objectIn(body, 'paging'), 'next') !== undefined : count < total;
}

/** The limits that count for reading. An account that reports none is read as fast as it answers. */
function limitsIn(body: Json): readonly RequestLimit[] {
  return objectsIn(body['data'], 'rateLimits')
    .filter((each) => LIMITED_DOMAINS.has(textIn(each, 'domain') ?? ''))
    .flatMap((each) => objectsIn(each, 'limits'))
    .flatMap((each) => {
      const [limit, seconds] = [numberIn(each, 'limit'), numberIn(each, 'periodInSeconds')];
      const isUsable = limit !== undefined && seconds !== undefined && limit >= 1 && seconds > 0;
      return isUsable ? [limitOf(limit, seconds)] : [];
    });
}

/** A limit of a longer period is kept as its share of a day. */
function limitOf(limit: number, seconds: number): RequestLimit {
  const share = Math.min(1, LONGEST_PERIOD_SECONDS / seconds);
  return { limit: Math.max(1, Math.floor(limit * share)), periodMs: seconds * share * 1_000 };
}

/** What the answer asks for, else twice as long as before. */
function pauseMs(headers: Headers, tries: number): number {
  const asked = Number(headers.get('retry-after') ?? headers.get('x-ratelimit-period-in-sec') ?? NaN);
  const ms = Number.isFinite(asked) && asked >= 0 ? asked * 1_000 : FIRST_PAUSE_MS * 2 ** (tries - 1);
  return Math.min(Math.max(ms, FIRST_PAUSE_MS), MAX_PAUSE_MS);
}
