import { once } from 'node:events';
import { createServer, get as httpGet, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { UserState } from '@tocsin/events';
import { hashSessionToken } from '@tocsin/http';
import { eventually } from '@tocsin/testkit';
import { ada, key, Stage } from '../testing/stage.ts';
import { ChangeStreams, type ChangeStreamsOptions } from './streams.ts';

const PATH = '/console/api/changes';
const TOKENS = { ada: 'a'.repeat(43), bob: 'b'.repeat(43) };
type Person = keyof typeof TOKENS;

const userOf = (id: Person): UserState => ({
  ...ada,
  id,
  username: `${id}@example.com`,
  fullName: id,
  role: 'stakeholder',
});

let stage: Stage;
let streams: ChangeStreams;
let server: Server;
let followed: string[];
let responses: ServerResponse[];
let open: (IncomingMessage | Socket)[];

beforeEach(async () => {
  stage = await Stage.start();
  for (const id of ['ada', 'bob'] as const) signIn(id);
  [followed, responses, open] = [[], [], []];
});

afterEach(async () => {
  streams.stop();
  for (const each of open) each.destroy();
  server.closeAllConnections();
  server.close();
  await stage.stop();
});

function signIn(id: Person): void {
  stage.users.put(id, userOf(id));
  stage.sessions.put(`session-${id}`, {
    id: `session-${id}`,
    userId: id,
    tokenHash: hashSessionToken(TOKENS[id]),
    lastUsedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-08T00:00:00.000Z',
  });
}

/** A gateway on a port, which sends each batch at once. */
async function start(options: Partial<ChangeStreamsOptions> = {}): Promise<void> {
  streams = new ChangeStreams({
    inAll: 100,
    batchMs: 0,
    alerts: {
      follow: () => {
        followed.push('follow');
        return Promise.resolve();
      },
      unfollow: () => followed.push('unfollow'),
    },
    ...options,
  });
  const app = stage.gateway({ changes: streams });
  server = createServer((request, response) => {
    responses.push(response);
    app(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

const port = () => (server.address() as AddressInfo).port;
const headersOf = (person: Person) => ({ Cookie: `tocsin-session=${TOKENS[person]}` });

async function ask(
  headers: Record<string, string>,
  method: 'GET' | 'HEAD' = 'GET',
): Promise<{ answer: IncomingMessage; text: () => string }> {
  const request = httpGet({ host: '127.0.0.1', port: port(), path: PATH, method, headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  open.push(answer);
  let text = '';
  answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  answer.on('error', () => undefined);
  return { answer, text: () => text };
}

const follow = (person: Person = 'ada') => ask(headersOf(person));
const ended = async ({ answer }: { readonly answer: IncomingMessage }) => {
  if (!answer.readableEnded) await once(answer, 'end');
};

/** A reader that asks and then reads nothing. */
async function stall(): Promise<Socket> {
  const socket = connect(port(), '127.0.0.1');
  open.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${headersOf('bob').Cookie}\r\n\r\n`);
  return socket;
}

/** Sends batches of many entities until `isDone`, as fast as they are sent. */
async function flood(isDone: () => boolean): Promise<void> {
  for (let version = 0; !isDone() && version < 100_000; version += 1) {
    for (let n = 0; n < 50; n += 1)
      streams.hint('users', `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, `${version}`);
    await setImmediate();
  }
}

describe('GET /console/api/changes (L1)', () => {
  it('sends `ready`, and then ids and versions of what changes', async () => {
    await start();
    const { answer, text } = await follow();
    expect([answer.statusCode, answer.headers]).toMatchObject([
      200,
      {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-response-time': expect.any(String) as unknown,
      },
    ]);
    streams.hint('schedules', 'nights', '1.2');
    streams.hint('alerts', 'disk', '7');
    await eventually(() => {
      expect(text()).toBe(
        'retry: 5000\nevent: ready\ndata: {}\n\n' +
          'event: changes\ndata: {"schedules":[{"id":"nights","version":"1.2"}],"alerts":[{"id":"disk","version":"7"}]}\n\n',
      );
    });
  });

  it('says `many` of a kind of which many entities change at once, and comments', async () => {
    await start();
    const { text } = await follow();
    for (let n = 0; n < 10_000; n += 1) streams.hint('alerts', `alert-${n}`, '1');
    streams.comment();
    await eventually(() => {
      expect(text()).toContain('event: changes\ndata: {"alerts":"many"}\n\n');
      expect(text()).toContain('\n\n:\n\n');
    });
  });

  it('follows alerts from the first stream to the last, and wants no hints otherwise', async () => {
    await start();
    expect(streams.isWanted('alerts')).toBe(false);
    const [first, second] = [await follow(), await follow('bob')];
    expect([streams.isWanted('alerts'), followed]).toEqual([true, ['follow', 'follow']]);
    first.answer.destroy();
    await eventually(() => {
      expect(streams.size).toBe(1);
    });
    expect(followed).toEqual(['follow', 'follow']);
    second.answer.destroy();
    await eventually(() => {
      expect([streams.size, followed.at(-1), streams.isWanted('alerts')]).toEqual([0, 'unfollow', false]);
    });
  });

  it('is refused without a session, to a key, and to pages of other origins', async () => {
    await start();
    const statuses = [
      await ask({}),
      await ask({ Authorization: `GenieKey ${key}` }),
      await ask({ ...headersOf('ada'), Authorization: `GenieKey ${key}` }),
      await ask({ ...headersOf('ada'), 'Sec-Fetch-Site': 'cross-site' }),
    ].map(({ answer }) => answer.statusCode);
    expect([statuses, streams.size, followed]).toEqual([[401, 403, 403, 403], 0, []]);
  });

  it('answers HEAD with its head alone', async () => {
    await start();
    const head = await ask(headersOf('ada'), 'HEAD');
    await ended(head);
    expect([head.answer.statusCode, head.answer.headers['content-type'], streams.size]).toEqual([
      200,
      'text/event-stream',
      0,
    ]);
  });

  it('leaves nothing behind of a caller who leaves before it begins', async () => {
    const gate = Promise.withResolvers<undefined>();
    await start({ alerts: { follow: () => gate.promise, unfollow: () => followed.push('unfollow') } });
    const request = httpGet({ host: '127.0.0.1', port: port(), path: PATH, headers: headersOf('ada') });
    request.on('error', () => undefined);
    await eventually(() => {
      expect(responses).toHaveLength(1);
    });
    const closed = responses.map((response) => once(response, 'close'));
    request.destroy();
    await Promise.all(closed);
    gate.resolve(undefined);
    for (let n = 0; n < 8; n += 1) expect((await follow()).answer.statusCode).toBe(200);
    expect([streams.size, stage.defects]).toEqual([8, []]);
  });

  it('is refused while the topic of alerts can not be followed, and leaves nothing behind', async () => {
    await start({
      alerts: { follow: () => Promise.reject(new Error('unavailable')), unfollow: () => followed.push('unfollow') },
    });
    const { answer } = await follow();
    await eventually(() => {
      expect([answer.statusCode, streams.size, followed]).toEqual([500, 0, ['unfollow']]);
    });
    expect(stage.defects).toHaveLength(1);
  });
});

describe('a stream', () => {
  it.each([
    [
      'is removed',
      () => {
        stage.sessions.remove('session-ada');
      },
    ],
    [
      'expires',
      () => {
        stage.sessions.put('session-ada', {
          id: 'session-ada',
          userId: 'ada',
          tokenHash: hashSessionToken(TOKENS.ada),
          lastUsedAt: '2025-12-20T00:00:00.000Z',
          expiresAt: '2026-01-01T00:00:00.000Z',
        });
      },
    ],
    [
      'has a user who is blocked',
      () => {
        stage.users.put('ada', { ...userOf('ada'), blocked: true });
      },
    ],
    [
      'has a user who is deleted',
      () => {
        stage.users.remove('ada');
      },
    ],
  ])('ends when its session %s, and no other does', async (_, change) => {
    await start();
    const [mine, other] = [await follow(), await follow('bob')];
    streams.endSignedOut();
    change();
    streams.endSignedOut();
    await ended(mine);
    streams.hint('teams', 'ops', '1.1');
    await eventually(() => {
      expect(other.text()).toContain('ops');
    });
    expect(mine.text()).not.toContain('ops');
    expect((await follow()).answer.statusCode).toBe(401);
  });

  it('is closed once its reader leaves more unread than the gateway holds for it, while others go on', async () => {
    await start();
    const reader = await follow();
    await stall();
    await eventually(() => {
      expect(streams.size).toBe(2);
    });
    const stalled = responses.at(-1);
    let most = 0;
    await flood(() => {
      most = Math.max(most, stalled?.writableLength ?? 0);
      return streams.size === 1;
    });
    expect(streams.size).toBe(1);
    expect(most).toBeLessThan(200_000);
    streams.hint('teams', 'last', '1.1');
    await eventually(() => {
      expect(reader.text()).toContain('last');
    });
  });

  it('is closed when its reader takes nothing from one comment to the next', async () => {
    await start();
    await stall();
    await eventually(() => {
      expect(streams.size).toBe(1);
    });
    await flood(() => (responses[0]?.writableLength ?? 0) > 50_000);
    streams.comment();
    expect(streams.size).toBe(1);
    streams.comment();
    await eventually(() => {
      expect(streams.size).toBe(0);
    });
  });
});

describe('the number of streams', () => {
  it('is bounded for each person, 429 beyond, and one that is left makes room', async () => {
    await start();
    const mine = [];
    for (let n = 0; n < 8; n += 1) mine.push(await follow());
    const { answer } = await follow();
    expect([answer.statusCode, answer.headers]).toMatchObject([
      429,
      { 'retry-after': '30', 'x-ratelimit-state': 'THROTTLED', 'x-ratelimit-reason': 'USER' },
    ]);
    mine[0]?.answer.destroy();
    await eventually(async () => {
      expect((await follow()).answer.statusCode).toBe(200);
    });
    expect((await follow('bob')).answer.statusCode).toBe(200);
  });

  it('is bounded in all, 503 beyond', async () => {
    await start({ inAll: 2 });
    await follow();
    await follow('bob');
    const { answer } = await follow();
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
  });
});

describe('a topic of alerts that cannot be followed any more', () => {
  it('ends every stream, and answers 503 to each new one until it can be followed', async () => {
    let isUnavailable = false;
    const unavailable = () => Promise.reject(new UnavailableError('Kafka cannot be read.'));
    await start({
      alerts: { follow: () => (isUnavailable ? unavailable() : Promise.resolve()), unfollow: () => undefined },
    });
    const reader = await follow();
    isUnavailable = true;
    streams.endAll();
    await ended(reader);
    expect((await follow()).answer.statusCode).toBe(503);
    isUnavailable = false;
    expect((await follow()).answer.statusCode).toBe(200);
  });
});

describe('the stop', () => {
  it('ends every stream, also of a reader that does not read, and begins none', async () => {
    await start();
    const reader = await follow();
    const stalled = await stall();
    await eventually(() => {
      expect(streams.size).toBe(2);
    });
    await flood(() => (responses.at(-1)?.writableLength ?? 0) > 50_000);
    const closed = once(stalled.resume(), 'close');
    streams.stop();
    await ended(reader);
    await closed;
    expect((await follow()).answer.statusCode).toBe(503);
    await eventually(() => {
      expect(streams.size).toBe(0);
    });
  });
});
