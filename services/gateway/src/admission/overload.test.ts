import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHttpServer } from '@tocsin/http';
import supertest from 'supertest';
import { Pool } from 'undici';
import type { EventLoop } from './event-loop-limit.ts';
import { allOf, clock, json, key, Stage, teamKey } from '../testing/stage.ts';
import type { Upstream } from '../forward/upstream.ts';

/** The capacity of the service: the number of concurrent requests, and the time of each. */
const [AT_ONCE, EACH_MS] = [5, 50];
const CAPACITY = (AT_ONCE * 1_000) / EACH_MS;
const SECONDS = 5;
/** How often a request waits for the event loop, which gateway, service and callers share here. */
const TURNS = 10;

interface TimedAnswer {
  readonly status: number;
  readonly retryAfter: unknown;
  /** Since the request reached the gateway: on the way there the event loop is shared with all that play the callers. */
  readonly afterMs: number;
}

let stage: Stage;
let upstream: Upstream;
let gateway: Server;
let callers: Pool;

beforeEach(async () => {
  stage = await Stage.start();
  upstream = stage.upstreamAt(stage.service, { connections: allOf(AT_ONCE) });
  const app = stage.gateway({ upstreams: new Map([['alert-ingest', upstream]]) });
  gateway = createHttpServer({ clock }, app);
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  callers = new Pool(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, { connections: 5_000 });
});

afterEach(async () => {
  await callers.destroy();
  gateway.closeAllConnections();
  gateway.close();
  await upstream.close();
  await stage.stop();
});

async function create(): Promise<TimedAnswer> {
  const headers = { authorization: `GenieKey ${key}`, 'content-type': 'application/json' };
  const answer = await callers.request({ method: 'POST', path: '/v2/alerts', headers, body: '{"message":"m"}' });
  await answer.body.dump();
  const retryAfter = answer.headers['retry-after'];
  return { status: answer.statusCode, retryAfter, afterMs: 1_000 * Number(answer.headers['x-response-time']) };
}

/** Sends `rate` requests a second, also while others wait. Resolves with all answers and the largest delay of this process. */
async function storm(rate: number): Promise<{ answers: readonly TimedAnswer[]; lagMs: number }> {
  const sent: Promise<TimedAnswer>[] = [];
  const startedAt = performance.now();
  let lagMs = 0;
  while (sent.length < rate * SECONDS) {
    const wakeAt = performance.now() + 10;
    await pause(10);
    lagMs = Math.max(lagMs, performance.now() - wakeAt);
    const due = Math.min(rate * SECONDS, ((performance.now() - startedAt) * rate) / 1_000);
    while (sent.length < due) sent.push(create());
  }
  return { answers: await Promise.all(sent), lagMs };
}

describe('at twice what a service can do', () => {
  it('every request is answered within 2 s, as accepted or with a 503 that says when to try again (F3)', async () => {
    stage.answerWith = (request, response) => {
      setTimeout(() => {
        json(202, {})(request, response);
      }, EACH_MS);
    };
    for (let warm = 0; warm < 20; warm += 1) await create();
    stage.seen.length = 0;
    const { answers, lagMs } = await storm(2 * CAPACITY);
    const accepted = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status === 503);
    expect(accepted.length + refused.length).toBe(2 * CAPACITY * SECONDS);
    expect(stage.seen).toHaveLength(accepted.length);
    expect([accepted.length, refused.length].every((count) => count > 0)).toBe(true);
    expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['1']));
    expect(Math.max(...answers.map(({ afterMs }) => afterMs))).toBeLessThan(2_000 + TURNS * lagMs);
  });
});

describe('while the event loop of the gateway is busy', () => {
  let nowMs: number;
  let app: RequestListener;
  const ends: (() => void)[] = [];

  beforeEach(() => {
    nowMs = 0;
    const loop: EventLoop = { now: () => nowMs, idleMs: () => 0, whenTurnEnds: (ended) => void ends.push(ended) };
    app = stage.gateway({ loop });
  });

  const statusOf = async (withKey: string) => (await stage.request('get', '/v2/alerts/a1', { app, withKey })).status;

  /** The next turn finds that the loop was busy, and has lasted 30 ms after its first request. */
  async function busyTurn(first: () => Promise<unknown>): Promise<void> {
    nowMs += 1_000;
    for (const end of ends.splice(0)) end();
    await first();
    nowMs += 30;
  }

  it('the key that floods is refused, and a key that sends little is accepted (F3)', async () => {
    for (let request = 0; request < 20; request += 1) expect(await statusOf(key)).toBe(202);
    await busyTurn(() => statusOf(key));
    expect(await statusOf(key)).toBe(503);
    expect(await statusOf(teamKey)).toBe(202);
    nowMs += 400;
    expect(await statusOf(teamKey)).toBe(503);
  });

  it.each([
    ['with OPTIONS', 'options', '/v2/alerts', 200],
    ['without a key', 'get', '/v2/alerts', 401],
    ['for paths that do not exist', 'get', '/v2/nowhere', 404],
  ] as const)('an address that floods it %s counts as a caller', async (_, method, path, status) => {
    const flood = async () => (await supertest(app)[method](path)).status;
    for (let sent = 0; sent < 20; sent += 1) expect(await flood()).toBe(status);
    await busyTurn(flood);
    expect(await statusOf(key)).toBe(202);
  });
});
