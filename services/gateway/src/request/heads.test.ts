import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHttpServer, GATEWAY_HEAD_BYTES } from '@tocsin/http';
import { clock, json, key, Stage, UUID_V7 } from '../testing/stage.ts';
import { MAX_HEADER_BYTES } from '../forward/headers.ts';
import { MAX_TARGET_BYTES } from './target.ts';

let stage: Stage;
let gateway: Server;

beforeEach(async () => {
  stage = await Stage.start();
  stage.answerWith = (request, response) => {
    json(202, { url: request.url })(request, response);
  };
  gateway = createHttpServer({ clock, maxHeadBytes: GATEWAY_HEAD_BYTES }, stage.gateway());
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
});

afterEach(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await stage.stop();
});

const port = (): number => (gateway.address() as AddressInfo).port;

interface Reply {
  readonly status: number;
  readonly headers: string;
  readonly body: { readonly url?: string; readonly message?: string; readonly requestId?: string };
}

/** The answer to these bytes on a connection of their own. */
async function replyTo(head: string): Promise<Reply> {
  const socket = connect(port(), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(head, 'latin1');
  const [headers = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(headers.split(' ', 2)[1]), headers, body: JSON.parse(body || '{}') as Reply['body'] };
}

const write = (target: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> => {
  const lines = Object.entries({ Host: 'x', Authorization: `GenieKey ${key}`, Connection: 'close', ...headers });
  const named = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return replyTo(`POST ${target} HTTP/1.1\r\n${named}Content-Length: 0\r\n\r\n`);
};

/** Sizes on both sides of a bound, and the bound itself. */
const around = (bound: number): readonly number[] =>
  [-1_000, -300, -150, -40, -2, -1, 0, 1, 2, 40, 150, 1_000].map((distance) => bound + distance);

const longQuery = (bytes: number): string => '/v2/alerts/x/close?q='.padEnd(bytes, 'q');

describe('a request with a long head', () => {
  it('gets its own answer at every size around the bounds, and so do all other requests meanwhile', async () => {
    const heads = [
      ...around(MAX_HEADER_BYTES).map((bytes) => ({ 'User-Agent': 'u'.repeat(bytes) })),
      ...around(GATEWAY_HEAD_BYTES).map((bytes) => ({ 'X-Other': 'o'.repeat(bytes) })),
      ...around(GATEWAY_HEAD_BYTES - MAX_HEADER_BYTES).map((bytes) => ({
        'User-Agent': 'u'.repeat(MAX_HEADER_BYTES),
        'X-Other': 'o'.repeat(bytes),
      })),
    ].map((headers) => () => write('/v2/alerts/x/close', headers));
    const targets = around(MAX_TARGET_BYTES).map((bytes) => () => write(longQuery(bytes)));
    const [long, others]: [Promise<Reply>[], Promise<Reply>[]] = [[], []];
    for (const send of [...targets, ...heads]) {
      for (let each = 0; each < 5; each += 1) others.push(write(`/v2/alerts/a${others.length}/close`));
      long.push(send());
    }
    for (const [index, answer] of others.entries())
      expect(await answer).toMatchObject({ status: 202, body: { url: `/v2/alerts/a${index}/close` } });
    const statuses = (await Promise.all(long)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([202, 414, 431]));
    expect(stage.log).toEqual([]);
  });

  it('is refused in the envelope, with the headers of every answer, where the parser gives up too (E1, E3)', async () => {
    const answers = [
      await write(longQuery(MAX_TARGET_BYTES + 1)),
      await write('/v2/alerts/x/close', { Accept: 'a'.repeat(MAX_HEADER_BYTES + 1) }),
      await write('/v2/alerts/x/close', { 'X-Other': 'o'.repeat(GATEWAY_HEAD_BYTES) }),
      await replyTo('no HTTP at all\r\n\r\n'),
      await replyTo('GET /v2/alerts HTTP/1.1\r\nConnection: close\r\n\r\n'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([414, 431, 431, 400, 400]);
    for (const { headers, body } of answers) {
      expect(body.requestId).toMatch(UUID_V7);
      expect(body).toMatchObject({ message: expect.any(String), took: expect.any(Number) });
      expect(headers).toContain(`X-Request-ID: ${body.requestId ?? ''}`);
      expect(headers).toMatch(/X-Response-Time: [\d.]+/);
      expect(headers).toContain('X-RateLimit-State: OK');
    }
    expect(stage.seen).toEqual([]);
  });

  it('up to the bounds is forwarded whole', async () => {
    const userAgent = 'u'.repeat(MAX_HEADER_BYTES);
    expect((await write(longQuery(MAX_TARGET_BYTES), { 'User-Agent': userAgent })).status).toBe(202);
    expect(stage.seen[0]).toMatchObject({ url: longQuery(MAX_TARGET_BYTES), headers: { 'user-agent': userAgent } });
  });
});
