import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { json, key, teamKey } from '../testing/stage.ts';
import { read, Transfers } from '../testing/transfers.ts';

let transfers: Transfers;

beforeEach(async () => {
  transfers = await Transfers.start();
});

afterEach(async () => {
  await transfers.stop();
});

const create = (port: number, withKey: string, body: RequestInit['body'] = '{}'): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/v2/alerts`, {
    method: 'POST',
    headers: { Authorization: `GenieKey ${withKey}`, 'Content-Type': 'application/json' },
    body,
  });

/** The requests that the service has not answered. */
function held(): ServerResponse[] {
  const responses: ServerResponse[] = [];
  transfers.behave = (request, response) => {
    request.resume();
    responses.push(response);
  };
  return responses;
}

const OVER_ITS_SHARE = {
  message: 'Too many requests of this caller are under way. Please try again.',
  took: expect.any(Number),
  requestId: expect.any(String),
};

describe('a key that floods the gateway', () => {
  it('with bodies that do not end holds its share of the bytes, and others are served (F1)', async () => {
    transfers.behave = json(202, {});
    const port = await transfers.gateway({ bodies: { held: { inAll: 100_000, each: 75_000 } } });
    const head = `POST /v2/alerts HTTP/1.1\r\nHost: a\r\nAuthorization: GenieKey ${key}\r\nContent-Length: 200000\r\n\r\n`;
    const stalled = Array.from({ length: 20 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    const refusals = stalled.map(async (socket) => String((await once(socket, 'data'))[0]));
    for (const socket of stalled) socket.write(head + 'x'.repeat(10_000));
    const first = await Promise.race(refusals);
    expect(first).toMatch(/^HTTP\/1.1 503 .*\r\n[^]*Retry-After: 1\r\n[^]*of this caller/);
    await eventually(async () => {
      expect((await create(port, key, 'x'.repeat(10_000))).status).toBe(503);
    });
    expect((await create(port, teamKey, 'x'.repeat(10_000))).status).toBe(202);
    for (const socket of stalled) socket.destroy();
    await eventually(async () => {
      expect((await create(port, key, 'x'.repeat(10_000))).status).toBe(202);
    });
  });

  it('with slow requests has its share of the connections, gets 503 beyond it, and others are served (F1)', async () => {
    await transfers.limit({ connections: { inAll: 4, each: 3 } });
    const port = await transfers.gateway();
    const responses = held();
    // Three are at the service and three wait.
    const asked = Array.from({ length: 6 }, () => create(port, key));
    await eventually(() => {
      expect([responses.length]).toEqual([3]);
    });
    const refused = await create(port, key);
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '1',
      OVER_ITS_SHARE,
    ]);
    transfers.behave = json(202, {});
    expect((await create(port, teamKey)).status).toBe(202);
    for (const response of responses) json(202, {})(response.req, response);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 202).length).toBeGreaterThanOrEqual(3);
    expect(new Set([...statuses, 202, 503])).toEqual(new Set([202, 503]));
  });

  it('with files has its share of the places for those, and others can still send one (F1)', async () => {
    await transfers.limit({ transfers: { inAll: 2, each: 1 } });
    const port = await transfers.gateway();
    const responses = held();
    const stalled = await transfers.upload({}, { port });
    stalled.request.write('a');
    await eventually(() => {
      expect([responses.length]).toEqual([1]);
    });
    const second = await transfers.upload({}, { port });
    second.request.end('a');
    const refused = await second.answer;
    expect([refused.statusCode, JSON.parse((await read(refused)).toString())]).toEqual([503, OVER_ITS_SHARE]);
    transfers.behave = json(201, {});
    const other = await transfers.upload({}, { port, withKey: teamKey });
    other.request.end('a');
    expect((await other.answer).statusCode).toBe(201);
    stalled.request.destroy();
  });

  it('and an address that follows links without a key, has no more than its share either', async () => {
    await transfers.limit({ transfers: { inAll: 2, each: 1 } });
    const port = await transfers.gateway();
    transfers.behave = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.write('the beginning');
    };
    expect((await transfers.download({ port })).statusCode).toBe(200);
    expect((await transfers.download({ port })).statusCode).toBe(503);
    expect((await transfers.download({ port, localAddress: '127.0.0.2' })).statusCode).toBe(200);
  });
});

describe('a caller that sends requests and does not read the answers', () => {
  it('is cut off, and what was held for them is free again', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(200_000) });
    transfers.behave = json(200, text);
    const bodies = { held: { inAll: 4_000_000, each: 3_000_000 } };
    const port = await transfers.gateway({
      bodies,
      transferTimeout: { timeoutMs: 3_000, leastBytesPerSecond: 1_000_000_000 },
    });
    const head = `GET /v2/alerts HTTP/1.1\r\nHost: a\r\nAuthorization: GenieKey ${key}\r\n\r\n`;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    // More than the system keeps between the two ends.
    socket.write(head.repeat(200));
    await eventually(() => {
      expect(transfers.connections.map(({ destroyed }) => destroyed)).toEqual([true]);
    });
    socket.destroy();
    expect((await create(port, key, 'x'.repeat(260_000))).status).toBe(200);
  });
});
