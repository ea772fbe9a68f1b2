import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { ATTACHMENT_LIMITS } from '@tocsin/contracts';
import { PRINCIPAL_HEADER, PrincipalVerifier } from '@tocsin/key-auth';
import type { GatewayOptions } from './app.ts';
import { clock, json, key, SIGNING_KEY, Stage } from './app.samples.ts';
import type { Upstream } from './http/upstream.ts';

const PATH = '/v2/alerts/x/attachments';
const MOST = ATTACHMENT_LIMITS.bytes + 65_536;
const MULTIPART = 'multipart/form-data; boundary=B';

type Service = (request: IncomingMessage, response: Parameters<ReturnType<typeof json>>[1]) => void;

let stage: Stage;
let behave: Service;
let owner: Server;
let upstream: Upstream;
const opened: Server[] = [];

async function listening(server: Server): Promise<number> {
  opened.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

beforeEach(async () => {
  stage = await Stage.start();
  owner = createServer((request, response) => {
    behave(request, response);
  });
  await listening(owner);
  upstream = stage.upstreamAt(owner);
});

afterEach(async () => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await upstream.close();
  await stage.stop();
  if (stage.defects.length > 0) throw new AggregateError(stage.defects, 'unexpected defects');
});

/** An upload on a real connection, the course of which is up to the test. */
async function upload(
  headers: Record<string, string> = {},
  options: Partial<GatewayOptions> = {},
): Promise<{ request: ClientRequest; answer: Promise<IncomingMessage> }> {
  const gateway = createServer(stage.gateway({ upstreams: new Map([['alert-processor', upstream]]), ...options }));
  const request = httpRequest({
    ...{ port: await listening(gateway), host: '127.0.0.1', method: 'POST', path: PATH },
    headers: { Authorization: `GenieKey ${key}`, 'Content-Type': MULTIPART, ...headers },
  });
  const answer = once(request, 'response').then(([response]) => response as IncomingMessage);
  answer.catch(() => undefined);
  request.on('error', () => undefined);
  return { request, answer };
}

async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const ok = json(201, { result: 'Created' });

describe('a long body', () => {
  it.each([
    ['of announced length', true],
    ['in pieces', false],
  ])('%s arrives whole, and what was announced is announced again', async (_, announced) => {
    const bytes = randomBytes(5_000_000);
    const seen: { headers: IncomingMessage['headers']; body: Buffer }[] = [];
    behave = (request, response) => {
      void read(request).then((body) => {
        seen.push({ headers: request.headers, body });
        ok(request, response);
      });
    };
    const { request, answer } = await upload(announced ? { 'Content-Length': String(bytes.length) } : {});
    await pipeline(Readable.from([bytes.subarray(0, 1_000), bytes.subarray(1_000)]), request);
    expect((await answer).statusCode).toBe(201);
    const [{ headers, body } = { headers: {}, body: Buffer.of() }] = seen;
    expect(body.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': MULTIPART,
      [announced ? 'content-length' : 'transfer-encoding']: announced ? '5000000' : 'chunked',
    });
  });

  it('goes on before it is whole', async () => {
    const arrived = new Promise<string>((resolve) => {
      behave = (request, response) => {
        request.once('data', (chunk: Buffer) => {
          resolve(chunk.toString());
        });
        request.once('end', () => {
          ok(request, response);
        });
      };
    });
    const { request, answer } = await upload();
    request.write('the beginning');
    expect(await arrived).toBe('the beginning');
    request.end();
    expect((await answer).statusCode).toBe(201);
  });

  it('is taken from the caller no faster than the service takes it', async () => {
    const waiting: IncomingMessage[] = [];
    behave = (request) => waiting.push(request.pause());
    const { request } = await upload();
    let sent = 0;
    const piece = Buffer.alloc(65_536);
    // The caller is held up for good once every buffer on the way is full.
    const heldUp = new Promise<void>((resolve) => {
      const go = (): void => {
        let room = true;
        while (room && sent < MOST) {
          room = request.write(piece);
          sent += piece.length;
        }
        if (sent >= MOST) return;
        const held = setTimeout(resolve, 500);
        request.once('drain', () => {
          clearTimeout(held);
          go();
        });
      };
      go();
    });
    await heldUp;
    expect(sent).toBeLessThan(MOST / 2);
    request.destroy();
  }, 30_000);

  it('that is announced to be over 50 MB is refused unheard', async () => {
    behave = () => {
      throw new Error('asked');
    };
    const { request, answer } = await upload({ 'Content-Length': String(MOST + 1) });
    request.flushHeaders();
    expect((await answer).statusCode).toBe(413);
    request.destroy();
  });

  it('that turns out to be over 50 MB is refused, and the service is let go', async () => {
    const left = new Promise<void>((resolve) => {
      behave = (request) => {
        request
          .resume()
          .once('error', () => undefined)
          .once('close', resolve);
      };
    });
    const { request, answer } = await upload();
    request.write(Buffer.alloc(MOST));
    request.end(Buffer.alloc(1));
    const response = await answer;
    expect(response.statusCode).toBe(413);
    expect(JSON.parse((await read(response)).toString())).toMatchObject({ message: expect.stringContaining('50 MB') });
    await left;
    expect(stage.log).toEqual([]);
  }, 30_000);

  it('that the caller breaks off is broken off for the service, and nobody is blamed', async () => {
    const left = new Promise<boolean>((resolve) => {
      behave = (request) => {
        request.once('data', () => callers.destroy());
        request
          .once('error', () => undefined)
          .once('close', () => {
            resolve(request.complete);
          });
      };
    });
    const { request: callers } = await upload({ 'Content-Length': '1000000' });
    callers.write(Buffer.alloc(1_000));
    expect(await left).toBe(false);
    expect(stage.log).toEqual([]);
  });

  it('of a caller who falls silent is broken off', async () => {
    const left = new Promise<void>((resolve) => {
      behave = (request) => {
        request
          .resume()
          .once('error', () => undefined)
          .once('close', resolve);
      };
    });
    const { request } = await upload({}, { callerTimeoutMs: 200 });
    request.write('a');
    const closed = new Promise((resolve) => request.once('close', resolve));
    await Promise.all([left, closed]);
    expect(stage.log).toEqual([]);
  });

  it('may be slower than a service may be silent', async () => {
    behave = (request, response) => {
      request.resume().once('end', () => {
        ok(request, response);
      });
    };
    await upstream.close();
    upstream = stage.upstreamAt(owner, { timeoutMs: 300 });
    const { request, answer } = await upload();
    let pieces = 0;
    const dripping = setInterval(() => {
      pieces += 1;
      if (pieces < 12) request.write('drip');
      else {
        clearInterval(dripping);
        request.end();
      }
    }, 150);
    expect((await answer).statusCode).toBe(201);
  });

  it('that the service refuses before its end is refused to the caller, who may still be sending', async () => {
    behave = json(404, { message: 'Alert does not exist' });
    const { request, answer } = await upload({ 'Content-Length': '30000000' });
    request.end(Buffer.alloc(30_000_000));
    const response = await answer;
    expect([response.statusCode, (await read(response)).toString()]).toEqual([
      404,
      '{"message":"Alert does not exist"}',
    ]);
  });

  it('is a 503 when the service is away', async () => {
    owner.close();
    const { request, answer } = await upload();
    request.end(Buffer.alloc(3_000_000));
    expect((await answer).statusCode).toBe(503);
    expect(stage.log).toEqual([['warn', 'a service does not answer']]);
  });

  it('is a 502 when the service dies on the way, and is not sent twice', async () => {
    let asked = 0;
    behave = (request) => {
      asked += 1;
      request.once('data', () => request.socket.destroy());
    };
    const { request, answer } = await upload();
    request.end(Buffer.alloc(3_000_000));
    expect([(await answer).statusCode, asked]).toEqual([502, 1]);
  });

  it('is a 504 when the service takes it and says nothing', async () => {
    behave = (request) => request.resume();
    await upstream.close();
    upstream = stage.upstreamAt(owner, { timeoutMs: 300 });
    const { request, answer } = await upload();
    request.end('all');
    expect((await answer).statusCode).toBe(504);
  });

  it('waits for no other: what is too much at once is a 503', async () => {
    await upstream.close();
    upstream = stage.upstreamAt(owner, { maxUnderWay: 0 });
    const { request, answer } = await upload();
    request.end('all');
    expect((await answer).statusCode).toBe(503);
  });

  it('that is empty goes on as none', async () => {
    behave = (request, response) => {
      void read(request).then((body) => {
        json(422, { length: body.length })(request, response);
      });
    };
    const { request, answer } = await upload({ 'Content-Length': '0' });
    request.end();
    expect((await answer).statusCode).toBe(422);
  });
});

describe('a link to a file', () => {
  it('needs no key, and the gateway vouches for itself alone (K6)', async () => {
    stage.answerWith = json(200, {});
    await supertest(stage.gateway()).get('/v2/attachments/token').expect(200);
    await supertest(stage.gateway()).get('/v2/attachments/token').set('Authorization', 'GenieKey 42').expect(200);
    const word = stage.seen[0]?.headers[PRINCIPAL_HEADER] as string;
    const verifier = new PrincipalVerifier([SIGNING_KEY]);
    expect(await verifier.verify(word, clock.now())).toEqual({ service: 'gateway' });
  });

  it('is read from the service no faster than the caller takes it', async () => {
    let [sent, isOver] = [0, false];
    const total = 60_000_000;
    behave = (_, response) => {
      response.writeHead(200, { 'Content-Length': String(total) });
      const piece = Buffer.alloc(100_000);
      const go = (): void => {
        while (sent < total) {
          sent += piece.length;
          if (!response.write(piece)) {
            response.once('drain', go);
            return;
          }
        }
        isOver = true;
        response.end();
      };
      go();
    };
    const gateway = createServer(stage.gateway({ upstreams: new Map([['alert-processor', upstream]]) }));
    const request = httpRequest({ port: await listening(gateway), host: '127.0.0.1', path: '/v2/attachments/token' });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.pause();
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect([isOver, sent < total / 2]).toEqual([false, true]);
    const left = once(response.resume(), 'end');
    let length = 0;
    response.on('data', (chunk: Buffer) => (length += chunk.length));
    await left;
    expect([isOver, length]).toEqual([true, total]);
  }, 30_000);

  it('is not read for ever for a caller who takes nothing: the service is let go', async () => {
    await upstream.close();
    upstream = stage.upstreamAt(owner, { callerTimeoutMs: 300 });
    const left = new Promise<void>((resolve) => {
      behave = (_, response) => {
        response.writeHead(200, { 'Content-Length': '60000000' }).once('close', resolve);
        Readable.from(Array.from({ length: 600 }, () => Buffer.alloc(100_000))).pipe(response);
      };
    });
    const gateway = createServer(stage.gateway({ upstreams: new Map([['alert-processor', upstream]]) }));
    const request = httpRequest({ port: await listening(gateway), host: '127.0.0.1', path: '/v2/attachments/token' });
    request.on('error', () => undefined).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined).pause();
    await left;
    expect(stage.log).toEqual([]);
  }, 30_000);
});
