import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { errorAnswer, BodyBuffer, send, type BodyBounds } from './index.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A service that holds each body until the test lets it answer. */
async function holding(bounds: BodyBounds) {
  const bodies = new BodyBuffer(bounds);
  const answers: (() => void)[] = [];
  const server = createServer((request, response) => {
    bodies.collect(request, response, { holder: request.url ?? '' }).then(
      (body) => answers.push(() => response.end(String(body?.length ?? 0))),
      (error: unknown) => {
        send(response, errorAnswer(error, { took: 0.001, requestId: 'r' }));
      },
    );
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const post = (
    bytes: number | undefined,
    path = '/',
  ): { request: ClientRequest; answer: Promise<IncomingMessage> } => {
    const headers = bytes === undefined ? {} : { 'Content-Length': String(bytes) };
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path, headers, agent: false });
    const answer = once(
      request.on('error', () => undefined),
      'response',
    ).then(([response]) => response as IncomingMessage);
    answer.then((response) => response.resume()).catch(() => undefined);
    return { request, answer };
  };
  return { post, answers, bodies };
}

describe('the bodies that are held', () => {
  it('are none of callers who fall silent within a body: these get 408, and their connections are closed', async () => {
    const { post } = await holding({ idleMs: 100 });
    const { request, answer } = post(1_000);
    request.write('a');
    const { statusCode, headers } = await answer;
    expect([statusCode, headers.connection]).toEqual([408, 'close']);
  });

  it('are none of callers who send a little now and again for too long', async () => {
    const { post } = await holding({ idleMs: 10_000, totalMs: 300 });
    const { request, answer } = post(1_000_000);
    const trickle = setInterval(() => request.write('a'), 20);
    expect((await answer).statusCode).toBe(408);
    clearInterval(trickle);
  });

  it('take no more than their share together: one that is too much is 503 until another is answered', async () => {
    const { post, answers } = await holding({ held: { inAll: 10_000, each: 10_000 } });
    const first = post(6_000);
    first.request.end(Buffer.alloc(6_000));
    await eventually(() => {
      expect(answers).toHaveLength(1);
    });
    const second = post(6_000);
    second.request.end(Buffer.alloc(6_000));
    const refused = await second.answer;
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    answers[0]?.();
    expect((await first.answer).statusCode).toBe(200);
    await eventually(async () => {
      const third = post(6_000);
      let isRefused = false;
      void third.answer.then(() => (isRefused = true));
      third.request.end(Buffer.alloc(6_000));
      await eventually(() => {
        expect(isRefused || answers.length > 1).toBe(true);
      });
      expect(isRefused).toBe(false);
      answers.at(-1)?.();
      expect((await third.answer).statusCode).toBe(200);
    });
  });

  it('of one holder take no more than its share, and of another no more than its share of the rest', async () => {
    const { post, answers } = await holding({ held: { inAll: 10_000, each: 6_000 } });
    const first = post(5_000, '/a');
    first.request.end(Buffer.alloc(5_000));
    await eventually(() => {
      expect(answers).toHaveLength(1);
    });
    const refused = [post(4_000, '/a'), post(4_000, '/b')];
    for (const { request } of refused) request.end(Buffer.alloc(4_000));
    for (const { answer } of refused) expect((await answer).statusCode).toBe(503);
    const other = post(2_500, '/b');
    other.request.end(Buffer.alloc(2_500));
    await eventually(() => {
      expect(answers).toHaveLength(2);
    });
    for (const answer of answers) answer();
    expect([(await first.answer).statusCode, (await other.answer).statusCode]).toEqual([200, 200]);
  });

  it('count with what their pieces cost: one in pieces of a byte takes far more than its bytes', async () => {
    const { post } = await holding({ held: { inAll: 100_000, each: 100_000 } });
    const { request, answer } = post(undefined);
    request.flushHeaders();
    const [socket] = (await once(request, 'socket')) as [Socket];
    socket.write('1\r\na\r\n'.repeat(1_000));
    expect((await answer).statusCode).toBe(503);
    request.destroy();
  });

  it('are those of answers too, until they are taken', async () => {
    const { post, answers, bodies } = await holding({ held: { inAll: 10_000, each: 6_000 } });
    const server = createServer();
    servers.push(server);
    const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    httpRequest({ port, host: '127.0.0.1', agent: false }, (response) => response.resume()).end();
    const [, response] = await asked;
    expect([bodies.hold(6_001, response, '/a'), bodies.hold(6_000, response, '/a')]).toEqual([false, true]);
    const refused = post(1, '/a');
    refused.request.end('a');
    expect((await refused.answer).statusCode).toBe(503);
    response.end('answer');
    await once(response, 'close');
    const taken = post(5_000, '/a');
    taken.request.end(Buffer.alloc(5_000));
    await eventually(() => {
      expect(answers).toHaveLength(1);
    });
    answers[0]?.();
    expect([(await taken.answer).statusCode, bodies.hold(1, response, '/a')]).toEqual([200, false]);
  });
});
