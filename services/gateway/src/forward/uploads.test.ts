import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ATTACHMENT_LIMITS } from '@tocsin/api';
import { json } from '../testing/stage.ts';
import { MULTIPART, ok, read, Transfers } from '../testing/transfers.ts';

const MAX_UPLOAD_BYTES = ATTACHMENT_LIMITS.bytes + 65_536;

let transfers: Transfers;

beforeEach(async () => {
  transfers = await Transfers.start();
});

afterEach(async () => {
  await transfers.stop();
});

describe('a long body', () => {
  it.each([
    ['of announced length', true],
    ['in pieces', false],
  ])('%s arrives whole, and what was announced is announced again', async (_, announced) => {
    const bytes = randomBytes(5_000_000);
    const seen: { headers: IncomingMessage['headers']; body: Buffer }[] = [];
    transfers.behave = (request, response) => {
      void read(request).then((body) => {
        seen.push({ headers: request.headers, body });
        ok(request, response);
      });
    };
    const { request, answer } = await transfers.upload(announced ? { 'Content-Length': String(bytes.length) } : {});
    await pipeline(Readable.from([bytes.subarray(0, 1_000), bytes.subarray(1_000)]), request);
    expect((await answer).statusCode).toBe(201);
    const [{ headers, body } = { headers: {}, body: Buffer.of() }] = seen;
    expect(body.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': MULTIPART,
      [announced ? 'content-length' : 'transfer-encoding']: announced ? '5000000' : 'chunked',
    });
  });

  it('is forwarded before it is whole', async () => {
    const arrived = new Promise<string>((resolve) => {
      transfers.behave = (request, response) => {
        request.once('data', (chunk: Buffer) => {
          resolve(chunk.toString());
        });
        request.once('end', () => {
          ok(request, response);
        });
      };
    });
    const { request, answer } = await transfers.upload();
    request.write('the beginning');
    expect(await arrived).toBe('the beginning');
    request.end();
    expect((await answer).statusCode).toBe(201);
  });

  it('is read from the caller no faster than the service reads it', async () => {
    const waiting: IncomingMessage[] = [];
    transfers.behave = (request) => waiting.push(request.pause());
    const { request } = await transfers.upload();
    let sent = 0;
    const piece = Buffer.alloc(65_536);
    // The caller is held up for good once every buffer on the way is full.
    const heldUp = new Promise<void>((resolve) => {
      const go = (): void => {
        let room = true;
        while (room && sent < MAX_UPLOAD_BYTES) {
          room = request.write(piece);
          sent += piece.length;
        }
        if (sent >= MAX_UPLOAD_BYTES) return;
        const held = setTimeout(resolve, 500);
        request.once('drain', () => {
          clearTimeout(held);
          go();
        });
      };
      go();
    });
    await heldUp;
    expect(sent).toBeLessThan(MAX_UPLOAD_BYTES / 2);
    request.destroy();
  });

  it('whose Content-Length is over 50 MB is refused before it is forwarded', async () => {
    transfers.behave = () => {
      throw new Error('asked');
    };
    const { request, answer } = await transfers.upload({ 'Content-Length': String(MAX_UPLOAD_BYTES + 1) });
    request.flushHeaders();
    expect((await answer).statusCode).toBe(413);
    request.destroy();
  });

  it('that turns out to be over 50 MB is refused, and the request to the service ends', async () => {
    const left = new Promise<void>((resolve) => {
      transfers.behave = (request) => {
        request
          .resume()
          .once('error', () => undefined)
          .once('close', resolve);
      };
    });
    const { request, answer } = await transfers.upload();
    request.write(Buffer.alloc(MAX_UPLOAD_BYTES));
    request.end(Buffer.alloc(1));
    const response = await answer;
    expect(response.statusCode).toBe(413);
    expect(JSON.parse((await read(response)).toString())).toMatchObject({ message: expect.stringContaining('50 MB') });
    await left;
    expect(transfers.stage.log).toEqual([]);
  });

  it('may be slower than a service may be silent', async () => {
    transfers.behave = (request, response) => {
      request.resume().once('end', () => {
        ok(request, response);
      });
    };
    const timeoutMs = 2_000;
    await transfers.limit({ timeoutMs });
    const { request, answer } = await transfers.upload();
    const dripping = setInterval(() => request.write('drip'), 150);
    await pause(2 * timeoutMs);
    clearInterval(dripping);
    request.end();
    expect((await answer).statusCode).toBe(201);
  });

  it('that is empty is forwarded as none', async () => {
    transfers.behave = (request, response) => {
      void read(request).then((body) => {
        json(422, { length: body.length })(request, response);
      });
    };
    const { request, answer } = await transfers.upload({ 'Content-Length': '0' });
    request.end();
    expect((await answer).statusCode).toBe(422);
  });
});
