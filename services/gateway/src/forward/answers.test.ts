import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { eventually } from '@tocsin/testkit';
import { allOf, json, readKey, Stage, UUID_V7 } from '../testing/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.start();
});

afterEach(() => stage.stop());

describe('a failure of a service', () => {
  it('that is unavailable is a 503 that may be tried again, said once in the log', async () => {
    stage.service.close();
    const app = stage.gateway();
    const response = await stage.request('post', '/v2/alerts', { app }).expect(503);
    await stage.request('post', '/v2/alerts', { app }).expect(503);
    expect(response.headers['retry-after']).toBe('1');
    expect(stage.log).toEqual([['warn', 'a service does not answer']]);
  });

  it('that is silent is a 504', async () => {
    stage.answerWith = () => undefined;
    const quick = stage.upstreamAt(stage.service, { timeoutMs: 200 });
    await stage
      .request('post', '/v2/alerts', { app: stage.gateway({ upstreams: new Map([['alert-ingest', quick]]) }) })
      .expect(504);
    await eventually(() => {
      expect(stage.seen).toHaveLength(1);
    });
    stage.service.closeAllConnections();
    await quick.close();
  });

  it('that breaks off its answer is a 502, and only a GET is tried once more', async () => {
    stage.answerWith = (_, response) => {
      response.writeHead(200, { 'Content-Length': '100', 'Content-Type': 'text/plain', 'X-Half': 'yes' });
      response.write('{"result"');
      setImmediate(() => response.destroy());
    };
    const response = await stage.request('post', '/v2/alerts').expect(502);
    expect(response.headers).not.toHaveProperty('x-half');
    expect(response.body).toHaveProperty('message');
    expect(stage.seen).toHaveLength(1);
    await stage.request('get', '/v2/alerts').expect(502);
    expect(stage.seen).toHaveLength(3);
  });

  it('that hangs up once on a GET is not noticed by the caller', async () => {
    stage.answerWith = (request) => {
      stage.answerWith = json(200, { data: [] });
      request.socket.destroy();
    };
    const response = await stage.request('get', '/v2/alerts').expect(200);
    expect(response.body).toEqual({ data: [] });
  });

  it('that breaks off a long answer cuts the connection of the caller', async () => {
    stage.answerWith = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('[');
      setTimeout(() => response.destroy(), 20);
    };
    await expect(stage.request('get', '/v2/alerts')).rejects.toThrow('aborted');
  });

  it('does not follow from a caller that leaves in the middle of a long answer: the request to the service ends', async () => {
    const over = new Promise<void>((resolve) => {
      stage.answerWith = (_, response) => {
        response.once('close', resolve);
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.write('[');
      };
    });
    const { request, answer, server } = await stage.open({}, { method: 'GET' });
    request.end();
    (await answer).destroy();
    await over;
    server.close();
    expect(stage.log).toEqual([]);
  });

  it('that has too much to do already is a 503', async () => {
    const full = stage.upstreamAt(stage.service, { connections: allOf(0) });
    await stage
      .request('post', '/v2/alerts', { app: stage.gateway({ upstreams: new Map([['alert-ingest', full]]) }) })
      .expect(503);
    await full.close();
    expect(stage.seen).toEqual([]);
  });

  it('is over when the service answers again', async () => {
    const app = stage.gateway();
    stage.answerWith = (request) => request.socket.destroy();
    await stage.request('post', '/v2/alerts', { app }).expect(502);
    stage.answerWith = json(202, {});
    await stage.request('post', '/v2/alerts', { app }).expect(202);
    expect(stage.log).toEqual([
      ['warn', 'a service does not answer'],
      ['info', 'a service answers again'],
    ]);
  });
});

describe('an answer', () => {
  it('of any length arrives whole', async () => {
    const data = 'x'.repeat(3_000_000);
    stage.answerWith = json(200, { data });
    const announced = await stage.request('get', '/v2/alerts').expect(200);
    expect(announced.body).toEqual({ data });
    stage.answerWith = (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data }));
    const chunked = await stage.request('get', '/v2/alerts').expect(200);
    expect(chunked.body).toEqual({ data });
  });

  it('always has its request id, its time and the state of the rate limit (E3)', async () => {
    stage.answerWith = json(200, {}, { 'X-Request-ID': 'other', 'X-Response-Time': '0' });
    const responses = [
      await stage.request('get', '/v2/alerts').expect(200),
      await stage.request('post', '/v2/alerts', { withKey: readKey }).expect(403),
      await supertest(stage.gateway()).get('/nowhere').expect(404),
      await supertest(stage.gateway()).get('/healthz').expect(200),
      await stage.request('put', '/v2/alerts').expect(405),
    ];
    stage.service.closeAllConnections();
    stage.service.close();
    responses.push(await stage.request('post', '/v2/alerts').expect(503));
    for (const { headers } of responses) {
      expect(headers['x-request-id']).toMatch(UUID_V7);
      expect(Number(headers['x-response-time'])).toBeGreaterThanOrEqual(0.001);
      expect(headers['x-ratelimit-state']).toBe('OK');
    }
    for (const { headers, body } of responses.slice(1)) {
      expect((body as { requestId: string }).requestId).toBe(headers['x-request-id']);
    }
    expect(new Set(responses.map(({ headers }) => headers['x-request-id'])).size).toBe(responses.length);
  });

  it('of a service that limits a rate says so (E3)', async () => {
    stage.answerWith = json(429, {}, { 'X-RateLimit-State': 'THROTTLED' });
    const response = await stage.request('get', '/v2/alerts').expect(429);
    expect(response.headers['x-ratelimit-state']).toBe('THROTTLED');
  });

  it('to a defect says nothing of it, and the defect is reported', async () => {
    const broken = {
      isFull: () => false,
      check: () => undefined,
      forward: () => Promise.reject(new TypeError('secret')),
    };
    const app = stage.gateway({ upstreams: new Map([['alert-ingest', broken]]) });
    const response = await stage.request('post', '/v2/alerts', { app }).expect(500);
    expect(response.body).toMatchObject({ message: 'Internal Server Error' });
    expect(stage.defects).toHaveLength(1);
  });
});
