import { once } from 'node:events';
import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ManualClock, ConflictError, MalformedError } from '@tocsin/core';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from './authentication/index.ts';
import { createServiceApp, defineInternalRoute, InternalClient, rawBody, type RawBody, type Reply } from './index.ts';

const KEYS = ['a-signing-key-of-the-installation'];
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
const caller = { service: 'alert-ingest' } as const;

const opened: { server: Server; client: InternalClient }[] = [];

afterEach(async () => {
  for (const { server, client } of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
    await client.close();
  }
});

/** A service with one route that reads its body itself. */
async function serve(handle: (body: RawBody) => Promise<Reply>) {
  const defects: unknown[] = [];
  const app = createServiceApp({
    routes: [],
    internalRoutes: [
      defineInternalRoute({
        method: 'POST',
        path: '/internal/bytes',
        body: rawBody,
        handle: ({ body }) => handle(body),
      }),
    ],
    verifier: new PrincipalVerifier(KEYS, 'scheduling'),
    clock,
    onDefect: (error) => defects.push(error),
    meaningOf: (error) => error,
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const signer = new PrincipalSigner(KEYS);
  const client = new InternalClient({
    baseUrl: `http://127.0.0.1:${port}`,
    signer,
    caller: caller.service,
    audience: 'scheduling',
    clock,
  });
  opened.push({ server, client });
  const open = async (headers: Record<string, string> = {}): Promise<ClientRequest> => {
    const vouched = { [PRINCIPAL_HEADER]: await signer.sign(caller, 'scheduling', clock.now()), ...headers };
    const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', path: '/internal/bytes', headers: vouched });
    return request.on('error', () => undefined);
  };
  return { client, open, defects };
}

async function sizeOf({ bytes }: RawBody): Promise<number> {
  let size = 0;
  for await (const chunk of bytes) size += (chunk as Buffer).length;
  return size;
}

const answerTo = async (request: ClientRequest): Promise<IncomingMessage> =>
  ((await once(request, 'response')) as [IncomingMessage])[0];

describe('a body that its route reads itself', () => {
  it('may be of any length and type, and is announced or not', async () => {
    const { client, open } = await serve(async (body) => ({
      body: { type: body.type, length: body.length, size: await sizeOf(body) },
    }));
    const announced = await client.postBytes('/internal/bytes', Buffer.alloc(3_000_000));
    expect(announced.body).toMatchObject({ type: 'application/octet-stream', length: 3_000_000, size: 3_000_000 });
    const pieces = Readable.from([Buffer.alloc(1_000_000), Buffer.alloc(1_000_000)], { objectMode: false });
    const streamed = await client.postBytes('/internal/bytes?x=1', pieces);
    expect(streamed.body).toMatchObject({ type: 'application/octet-stream', size: 2_000_000 });
    expect(streamed.body).not.toHaveProperty('length');
    const none = await open();
    none.end();
    expect((await answerTo(none)).statusCode).toBe(200);
  });

  it('that is left half-read is dropped, and the refusal reaches a caller who sends all before reading', async () => {
    const { client } = await serve(async ({ bytes }) => {
      for await (const chunk of bytes) if ((chunk as Buffer).length > 0) break;
      throw new ConflictError('Enough.');
    });
    expect(await client.postBytes('/internal/bytes', Buffer.alloc(20_000_000))).toMatchObject({
      status: 409,
      body: { message: 'Enough.' },
    });
  });

  it('that was never read is dropped as well', async () => {
    const { open } = await serve(() => Promise.reject(new ConflictError('Enough.')));
    const request = await open();
    request.write(Buffer.alloc(5_000_000));
    expect((await answerTo(request)).statusCode).toBe(409);
    await new Promise<void>((resolve) => {
      request.end(Buffer.alloc(5_000_000), resolve);
    });
  });

  it('ends with a refusal when the caller breaks off, which is no defect', async () => {
    let fail: (error: unknown) => void;
    const failure = new Promise<unknown>((resolve) => {
      fail = resolve;
    });
    const { open, defects } = await serve(async (body) => {
      body.bytes.once('data', () => request.destroy());
      await sizeOf(body).catch((error: unknown) => {
        fail(error);
        throw error;
      });
      return { body: {} };
    });
    const request = await open({ 'Content-Length': '1000000' });
    request.write(Buffer.alloc(1_000));
    expect(await failure).toBeInstanceOf(MalformedError);
    expect(defects).toEqual([]);
  });

  it('can not be compressed', async () => {
    const { open } = await serve(async (body) => ({ body: { size: await sizeOf(body) } }));
    const request = await open({ 'Content-Encoding': 'gzip' });
    request.end('x');
    expect((await answerTo(request)).statusCode).toBe(415);
  });

  it('whose stream fails at the caller is a failed request, and the service is let go', async () => {
    const { client } = await serve(async (body) => ({ body: { size: await sizeOf(body) } }));
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(100_000);
      await Promise.resolve();
      throw new Error('the mail broke off');
    }
    const bytes = Readable.from(failing(), { objectMode: false });
    await expect(client.postBytes('/internal/bytes', bytes)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('has a time of its own to be sent in', async () => {
    const { client } = await serve(() => new Promise<Reply>(() => undefined));
    const waiting = client.postBytes('/internal/bytes', Buffer.of(1), { timeoutMs: 100 });
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
  });
});
