import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { allOf, json, Stage } from '../testing/stage.ts';
import type { Upstream } from './upstream.ts';

let stage: Stage;
let nowMs: number;
let upstream: Upstream;
let app: RequestListener;
/** For a service that does not answer. */
const SHORT_TIMEOUT = { timeoutMs: 200 };

/** A gateway that refuses callers after two failures in a row, and lets one try again after a second of its clock. */
function start(options: Parameters<Stage['upstreamAt']>[1] = {}): void {
  const circuit = { failures: 2, retryMs: 1_000, now: () => nowMs };
  upstream = stage.upstreamAt(stage.service, { circuit, ...options });
  app = stage.gateway({ upstreams: new Map([['alert-ingest', upstream]]) });
  nowMs += 1_000;
}

beforeEach(async () => {
  stage = await Stage.start();
  nowMs = 0;
});

afterEach(async () => {
  stage.service.closeAllConnections();
  await upstream.close();
  await stage.stop();
});

const statuses = async (count: number): Promise<readonly number[]> => {
  const all: number[] = [];
  for (let index = 0; index < count; index += 1) all.push((await stage.request('post', '/v2/alerts', { app })).status);
  return all;
};

const gauge = async (): Promise<string | undefined> =>
  /^tocsin_upstream_circuit_open\{upstream="alert-ingest".*$/m
    .exec((await stage.metrics.text()).body)?.[0]
    .split(' ')
    .at(-1);

const IS_UNAVAILABLE = { message: 'A service is not available. Please try again.' };

describe('a service that does not answer', () => {
  it('refuses requests at once after the first few, and is tried by one request at a time', async () => {
    stage.answerWith = () => undefined;
    start(SHORT_TIMEOUT);
    expect(await statuses(2)).toEqual([504, 504]);
    const refused = await stage.request('post', '/v2/alerts', { app }).expect(503);
    expect([refused.headers['retry-after'], refused.body]).toMatchObject(['1', IS_UNAVAILABLE]);
    expect([stage.seen.length, await gauge()]).toEqual([2, '1']);
    nowMs += 1_000;
    const both = await Promise.all([statuses(1), statuses(1)]);
    expect([both.flat().toSorted(), stage.seen.length]).toEqual([[503, 504], 3]);
    expect(stage.log).toEqual([['warn', 'a service does not answer']]);
  });

  it('whose port is dead serves all callers again with the first try after its return', async () => {
    start();
    const { port } = stage.service.address() as AddressInfo;
    stage.service.close();
    await once(stage.service, 'close');
    expect(await statuses(4)).toEqual([503, 503, 503, 503]);
    expect(await gauge()).toBe('1');
    await once(stage.service.listen(port, '127.0.0.1'), 'listening');
    expect([await statuses(1), stage.seen]).toEqual([[503], []]);
    nowMs += 1_000;
    expect([await statuses(3), await gauge()]).toEqual([[202, 202, 202], '0']);
    expect(stage.log).toEqual([
      ['warn', 'a service does not answer'],
      ['info', 'a service answers again'],
    ]);
  });

  it('is noticed too by requests whose callers gave up waiting', async () => {
    start();
    for (let count = 1; count <= 2; count += 1) {
      const arrived = new Promise<void>((resolve) => {
        stage.answerWith = () => {
          resolve();
        };
      });
      const { request, server } = await stage.open({}, { app });
      request.end();
      await arrived;
      request.destroy();
      server.close();
    }
    await eventually(async () => {
      expect(await gauge()).toBe('1');
    });
    expect(stage.seen).toHaveLength(2);
  });

  it('gets none of the requests that waited for others meanwhile', async () => {
    stage.answerWith = () => undefined;
    start({ ...SHORT_TIMEOUT, connections: allOf(1), circuit: { failures: 1, retryMs: 1_000, now: () => nowMs } });
    const all = await Promise.all([statuses(1), statuses(1)]);
    expect([all.flat().toSorted(), stage.seen.length]).toEqual([[503, 504], 1]);
  });

  it('refuses an upload before it is sent', async () => {
    stage.answerWith = () => undefined;
    start(SHORT_TIMEOUT);
    await statuses(2);
    const { request, answer, server } = await stage.open({ 'Content-Length': '1000' }, { app });
    request.flushHeaders();
    expect((await answer).statusCode).toBe(503);
    request.destroy();
    server.close();
  });
});

describe('a service that answers', () => {
  it.each([500, 503, 404, 429])('with %d, again and again, gets each request', async (status) => {
    stage.answerWith = json(status, { message: 'no' });
    start();
    expect(await statuses(6)).toEqual(Array.from({ length: 6 }, () => status));
    expect([stage.seen.length, await gauge()]).toEqual([6, '0']);
  });

  it('some of its callers, as one of several replicas behind an address may, gets each request', async () => {
    start();
    for (let round = 0; round < 3; round += 1) {
      stage.answerWith = json(202, {});
      expect(await statuses(1)).toEqual([202]);
      nowMs += 999;
      stage.answerWith = (request) => request.socket.destroy();
      expect(await statuses(3)).toEqual([502, 502, 502]);
    }
    expect(stage.log).toEqual([]);
  });
});
