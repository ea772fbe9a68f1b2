import type { ClientRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { allOf, json } from '../testing/stage.ts';
import { ok, read, Transfers } from '../testing/transfers.ts';

let transfers: Transfers;

beforeEach(async () => {
  transfers = await Transfers.start();
});

afterEach(async () => {
  await transfers.stop();
});

describe('a long body that does not come to its end', () => {
  it('that the caller breaks off is broken off for the service, and does not count against the service', async () => {
    const left = new Promise<boolean>((resolve) => {
      transfers.behave = (request) => {
        request.once('data', () => callers.destroy());
        request
          .once('error', () => undefined)
          .once('close', () => {
            resolve(request.complete);
          });
      };
    });
    const { request: callers } = await transfers.upload({ 'Content-Length': '1000000' });
    callers.write(Buffer.alloc(1_000));
    expect(await left).toBe(false);
    expect(transfers.stage.log).toEqual([]);
  });

  it.each([
    ['falls silent', 0],
    ['sends a little now and again', 1],
  ])('of a caller who %s is a 408 that ends the connection, and the service is let go', async (_, bytes) => {
    let underWay = 0;
    transfers.behave = (request) => {
      underWay += 1;
      request
        .resume()
        .once('error', () => undefined)
        .once('close', () => (underWay -= 1));
    };
    const transferTimeout = { timeoutMs: 300, leastBytesPerSecond: 1_000 };
    const { request, answer } = await transfers.upload({}, { transferTimeout });
    const closed = new Promise((resolve) => request.once('close', resolve));
    request.write('a');
    const trickle = setInterval(() => bytes > 0 && request.write(Buffer.alloc(bytes)), 20);
    const response = await answer;
    expect([response.statusCode, response.headers.connection]).toEqual([408, 'close']);
    expect(JSON.parse((await read(response)).toString())).toEqual({
      message: 'Request body did not arrive in time.',
      took: expect.any(Number),
      requestId: response.headers['x-request-id'],
    });
    await closed;
    clearInterval(trickle);
    await eventually(() => {
      expect(underWay).toBe(0);
    });
    expect(transfers.stage.log).toEqual([]);
  });

  it('that the service refuses before its end is refused to the caller, who may still be sending', async () => {
    transfers.behave = json(404, { message: 'Alert does not exist' });
    const { request, answer } = await transfers.upload({ 'Content-Length': '30000000' });
    request.end(Buffer.alloc(30_000_000));
    const response = await answer;
    expect([response.statusCode, (await read(response)).toString()]).toEqual([
      404,
      '{"message":"Alert does not exist"}',
    ]);
  });

  it('is a 503 when the service is unavailable', async () => {
    transfers.owner.close();
    const { request, answer } = await transfers.upload();
    request.end(Buffer.alloc(3_000_000));
    expect((await answer).statusCode).toBe(503);
    expect(transfers.stage.log).toEqual([['warn', 'a service does not answer']]);
  });

  it('is a 502 when the service dies on the way, and is not sent twice', async () => {
    let asked = 0;
    transfers.behave = (request) => {
      asked += 1;
      request.once('data', () => request.socket.destroy());
    };
    const { request, answer } = await transfers.upload();
    request.end(Buffer.alloc(3_000_000));
    expect([(await answer).statusCode, asked]).toEqual([502, 1]);
  });

  it('is a 504 when the service reads it and does not answer', async () => {
    transfers.behave = (request) => request.resume();
    await transfers.limit({ timeoutMs: 300 });
    const { request, answer } = await transfers.upload();
    request.end('all');
    expect((await answer).statusCode).toBe(504);
  });

  it('waits for no other: what is too much at once is a 503', async () => {
    await transfers.limit({ transfers: allOf(0) });
    const { request, answer } = await transfers.upload();
    request.end('all');
    expect((await answer).statusCode).toBe(503);
  });

  it('leaves room for the next, however it ended', async () => {
    await transfers.limit({ transfers: allOf(1) });
    const bytes = Buffer.alloc(500_000);
    const ends: ((request: ClientRequest, gone: Promise<unknown>) => Promise<unknown>)[] = [
      (request, gone) => (request.flushHeaders(), request.destroy(), gone),
      (request, gone) => (request.write('a', () => request.destroy()), gone),
      (request, gone) => (request.write(bytes, () => request.destroy()), gone),
    ];
    for (const end of ends)
      for (let round = 0; round < 5; round += 1) {
        transfers.behave = (request) => request.resume();
        const { request } = await transfers.upload();
        await end(request, new Promise((resolve) => request.once('close', resolve)));
      }
    transfers.behave = (request, response) => {
      request.resume().once('end', () => {
        ok(request, response);
      });
    };
    await eventually(async () => {
      const { request, answer } = await transfers.upload();
      request.end(bytes);
      expect((await answer).statusCode).toBe(201);
    });
  });
});
