import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';

type Json = Record<string, unknown>;

/** An answer in place of the usual one. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

const PATH = /^\/v2\/imports\/([\w-]+)\/(.+)$/;

/** Takes imports as a Tocsin that has nothing does, and keeps them. Its lists stay empty. */
export class TocsinDouble {
  /** By `kind/id`, in the order in which they came. */
  readonly imported = new Map<string, Json>();
  readonly requests: string[] = [];
  /** What is answered to an import in place of the usual answer; undefined for the usual one. */
  answer: (key: string, tries: number) => ScriptedAnswer | 'silence' | undefined = () => undefined;
  /** `data` of a GET in place of an empty list; undefined for the usual answer. */
  data: (url: URL) => unknown = () => undefined;
  /** `data` of the answer to another write. */
  answerTo: (request: string, body: Json) => unknown = () => ({});
  /** The bodies of other writes, by method and path. */
  readonly written = new Map<string, Json>();
  readonly #tries = new Map<string, number>();
  readonly #server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      this.requests.push(`${method} ${url}`);
      const answer = method === 'GET' ? this.#get(url) : this.#write(method, url, text);
      if (answer === 'silence') return;
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(JSON.stringify(answer.body ?? {}));
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #get(url: string): ScriptedAnswer {
    const data = this.data(new URL(url, 'http://tocsin'));
    return data === undefined ? read(url) : { status: 200, body: { data } };
  }

  #write(method: string, url: string, text: string): ScriptedAnswer | 'silence' {
    const [, kind, id] = PATH.exec(url) ?? [];
    if (method === 'PUT' && kind !== undefined && id !== undefined) return this.#import(kind, id, text);
    const [request, body] = [`${method} ${url}`, JSON.parse(text) as Json];
    this.written.set(request, body);
    return { status: 200, body: { result: 'Updated', data: this.answerTo(request, body) } };
  }

  #import(kind: string, id: string, text: string): ScriptedAnswer | 'silence' {
    const key = `${kind}/${decodeURIComponent(id)}`;
    const tries = (this.#tries.get(key) ?? 0) + 1;
    this.#tries.set(key, tries);
    const scripted = this.answer(key, tries);
    if (scripted !== undefined) return scripted;
    const [before, body] = [this.imported.get(key), JSON.parse(text) as Json];
    // A new user or team has rules, which an import changes.
    const isNew = before === undefined && !['notification-rules', 'routing-rules'].includes(kind);
    const result = isNew ? 'Created' : isDeepStrictEqual(before, body) ? 'Unchanged' : 'Updated';
    this.imported.set(key, body);
    return { status: 200, body: { result, data: { id } } };
  }
}

function read(url: string): ScriptedAnswer {
  if (url.includes('type=Nagios')) return { status: 422, body: { message: 'type: is not a known type' } };
  const empty = url.startsWith('/v2/request-limits') ? { rateLimits: [] } : [];
  return { status: 200, body: { data: empty, totalCount: 0 } };
}
