import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { UnavailableError } from '@tocsin/core';
import { hashKey } from '@tocsin/http';
import { eventually } from '@tocsin/testkit';
import supertest from 'supertest';
import { Upstream } from '../forward/upstream.ts';
import { allOf, clock, integration, json, key, Stage } from '../testing/stage.ts';
import { isOfTools, OpsgenieForwarding } from './forwarding.ts';
import { LearnedKeys } from './learned-keys.ts';

/** A key that Tocsin does not know. */
const THEIRS = '9f8fad5b-d9cb-469f-a165-70867728950e';
const ACCEPTED = {
  result: 'Request will be processed',
  took: 0.302,
  requestId: '43a29c5c-3dbf-4fa4-9c26-f4f71023e120',
};
const HEADERS = { 'X-Request-Id': ACCEPTED.requestId, 'X-Response-Time': '0.302', 'X-RateLimit-State': 'OK' };

interface Taken {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

let stage: Stage;
let opsgenie: Server;
let upstream: Upstream;
let learned: LearnedKeys;
let outcomes: string[];
let taken: Taken[];
let answerWith: RequestListener;
let tries: string[];
let isIngestAway: boolean;
let switched: { areHandledHere: boolean };

beforeEach(async () => {
  stage = await Stage.start();
  [learned, outcomes, taken, tries] = [new LearnedKeys(), [], [], []];
  isIngestAway = false;
  switched = { areHandledHere: false };
  answerWith = json(202, ACCEPTED, HEADERS);
  opsgenie = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const { method, rawHeaders, url } = request;
      taken.push({ method, url, rawHeaders, body: Buffer.concat(chunks) });
      answerWith(request, response);
    });
  });
  opsgenie.listen(0, '127.0.0.1');
  await once(opsgenie, 'listening');
  upstream = stage.upstreamAt(opsgenie, { circuit: { failures: 1, retryMs: 0, subject: 'Opsgenie' } });
});

afterEach(async () => {
  opsgenie.closeAllConnections();
  opsgenie.close();
  await upstream.close();
  await stage.stop();
});

/** A gateway that forwards. */
function gateway(limits: Parameters<Stage['gateway']>[1] = {}): RequestListener {
  const forwarding = new OpsgenieForwarding({
    upstream,
    keys: {
      held: (keyHash) => stage.integrations.find('keyHash', keyHash),
      find: (keyHash) => {
        tries.push(keyHash);
        if (stage.integrations.find('keyHash', keyHash) !== undefined)
          return stage.integrations.fetch('keyHash', keyHash);
        return isIngestAway
          ? Promise.reject(new UnavailableError('alert-ingest does not answer.'))
          : Promise.resolve(undefined);
      },
    },
    unknownKeys: { spend: () => tries.push('spent'), giveBack: () => tries.push('given back') },
    learned,
    importedKeys: switched,
    schemes: ['GenieKey'],
    metrics: { forwarded: (outcome) => outcomes.push(outcome) },
    clock,
  });
  return stage.gateway({ opsgenie: forwarding }, limits);
}

const create = (app = gateway(), withKey = THEIRS): supertest.Test =>
  stage.request('post', '/v2/alerts', { withKey, app }).send({ message: 'Disk full' });

describe('the operations that are forwarded', () => {
  it('are those by which tools of Opsgenie send, by their rights', () => {
    const forwarded = OPERATIONS.filter(isOfTools).map(({ id }) => id);
    expect(forwarded).toEqual(
      expect.arrayContaining([
        'create-alert',
        'close-alert',
        'add-attachment',
        'get-request-status',
        'list-alerts',
        'ping-heartbeat',
        'take-vendor-hook',
        'authenticate-integration',
        'list-request-limits',
      ]),
    );
    for (const id of [
      'take-hook',
      'take-event',
      'create-integration',
      'import-key',
      'set-shadow',
      'list-users',
      'list-schedules',
    ])
      expect(forwarded).not.toContain(id);
  });
});

describe('a request of a tool with a key that Tocsin does not know (M5)', () => {
  it('reaches Opsgenie as the tool wrote it, and the tool gets the answer of Opsgenie without what acts on a browser', async () => {
    const body = gzipSync('{"message" : "Disk full"}');
    const packed = gzipSync(JSON.stringify(ACCEPTED));
    answerWith = (_, response) => {
      response.writeHead(202, {
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        'Content-Length': packed.length,
        Date: 'Thu, 01 Jan 2026 00:00:00 GMT',
        'Set-Cookie': ['a=1', 'b=2'],
        'Access-Control-Allow-Origin': '*',
        'Clear-Site-Data': '*',
        'X-Of-Connection': '1',
        Connection: 'keep-alive, x-of-connection',
        ...HEADERS,
      });
      response.end(packed);
    };
    const answer = await supertest(gateway())
      .post('/v2/alerts?x=%41&apiKey=y')
      .set({ 'X-Special': 'Grüße', Cookie: 'tocsin-session=secret', 'X-Hop': '1' })
      .set({ Connection: 'x-hop, authorization', 'X-Forwarded-For': '10.0.0.1', 'X-Tocsin-Principal': 'forged' })
      .set('Authorization', `GenieKey ${THEIRS}`)
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .serialize((sent: unknown) => sent as string)
      .send(body)
      .expect(202);
    const [request] = taken;
    expect([request?.method, request?.url, request?.body]).toEqual(['POST', '/v2/alerts?x=%41&apiKey=y', body]);
    const sent = new Map(request?.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [[name, all[at + 1]]] : [])));
    expect(sent.get('Authorization')).toBe(`GenieKey ${THEIRS}`);
    expect(sent.get('X-Special')).toBe('Grüße');
    expect(sent.get('Content-Encoding')).toBe('gzip');
    const names = [...sent.keys()].map((name) => name.toLowerCase());
    for (const name of ['cookie', 'x-hop', 'x-tocsin-principal', 'x-forwarded-for']) expect(names).not.toContain(name);
    expect(answer.body).toEqual(ACCEPTED);
    expect(answer.headers).toMatchObject({
      date: 'Thu, 01 Jan 2026 00:00:00 GMT',
      'x-request-id': ACCEPTED.requestId,
      'x-response-time': '0.302',
      'content-encoding': 'gzip',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    for (const name of ['x-of-connection', 'set-cookie', 'access-control-allow-origin', 'clear-site-data'])
      expect(answer.headers).not.toHaveProperty(name);
    expect([stage.seen, outcomes]).toEqual([[], ['accepted']]);
  });

  it.each([
    ['a refusal', 422, 'refused'],
    ['an error', 500, 'failed'],
    ['a redirect', 302, 'refused'],
  ])('gets %s of Opsgenie as it is, and none is followed', async (_, status, outcome) => {
    answerWith = json(status, { message: 'theirs' }, { Location: 'http://127.0.0.1:1/' });
    const answer = await create().expect(status);
    expect(answer.body).toEqual({ message: 'theirs' });
    expect(answer.headers).not.toHaveProperty('x-ratelimit-state');
    expect([outcomes, taken.length]).toEqual([[outcome], 1]);
  });

  it('is found by its key in the query, and in the body of /v1/json', async () => {
    const app = gateway();
    await supertest(app).post(`/v1/json/prometheus?apiKey=${THEIRS}`).send({ a: 1 }).expect(202);
    await supertest(app).post('/v1/json/integrations/webhooks/grafana').send({ apiKey: THEIRS }).expect(202);
    await supertest(app).get(`/v2/heartbeats/backup/ping?apiKey=${THEIRS}`).expect(202);
    expect(taken.map(({ url }) => url)).toEqual([
      `/v1/json/prometheus?apiKey=${THEIRS}`,
      '/v1/json/integrations/webhooks/grafana',
      `/v2/heartbeats/backup/ping?apiKey=${THEIRS}`,
    ]);
    expect(JSON.parse(taken[1]?.body.toString() ?? '')).toEqual({ apiKey: THEIRS });
  });

  it('is one of a tool: keys of Tocsin, other operations and requests without a key are answered by Tocsin', async () => {
    const app = gateway();
    await create(app, key).expect(202);
    await stage.request('get', '/v2/users', { withKey: THEIRS, app }).expect(401);
    await stage.request('post', '/v2/integrations', { withKey: THEIRS, app }).send({}).expect(401);
    await supertest(app).post(`/hooks/${THEIRS}`).send({}).expect(401);
    await supertest(app).post('/v2/alerts').send({}).expect(401);
    await create(app, 'no-key').expect(422);
    expect([taken, stage.seen.length]).toEqual([[], 1]);
  });

  it('may have a file, which is sent as it comes', async () => {
    await stage
      .request('post', '/v2/alerts/x/attachments', { withKey: THEIRS, app: gateway() })
      .attach('file', Buffer.alloc(400_000, 'x'), 'log.txt')
      .expect(202);
    expect(taken[0]?.body.length).toBeGreaterThan(400_000);
  });

  it('is refused before it is forwarded where its body is too long, and where its key is over its rate', async () => {
    const one = { perSecond: 1, burst: 1 };
    const rates = {
      alert: one,
      heartbeat: one,
      integration: one,
      configuration: one,
      search: one,
      'schedule-oncalls': one,
    };
    const app = gateway({ rates });
    const long = stage.request('post', '/v2/alerts', {
      withKey: '8f8fad5b-d9cb-469f-a165-70867728950e',
      app: gateway(),
    });
    await long.send({ message: 'x'.repeat(300_000) }).expect(413);
    // Until Opsgenie has accepted the key, its requests count against the address.
    await create(app).expect(202);
    await create(app).expect(202);
    const answer = await create(app).expect(429);
    expect(answer.text).not.toContain(THEIRS);
    expect([taken.length, outcomes]).toEqual([2, ['refused', 'accepted', 'accepted']]);
  });
});

describe('a tool whose request Opsgenie does not answer', () => {
  /** The text of the answer to a create, when to repeat it, and what is counted. */
  const refusal = async (): Promise<unknown> => {
    const answer = await create().expect(503);
    const { message } = answer.body as { readonly message: string };
    return [message, answer.headers['retry-after'], outcomes];
  };
  const refusedBy = (text: string) => [`Opsgenie ${text}. Please try again.`, '1', ['no-answer']];

  it('gets 503 where the connection is refused', async () => {
    opsgenie.close();
    expect(await refusal()).toEqual(refusedBy('is not available'));
  });

  it('gets 503 where its name does not resolve', async () => {
    await upstream.close();
    upstream = new Upstream({
      url: 'http://opsgenie.invalid',
      timeoutMs: 1_000,
      connections: allOf(1),
      transfers: allOf(1),
      circuit: { failures: 1, retryMs: 0, onChange: () => undefined, subject: 'Opsgenie' },
    });
    expect(await refusal()).toEqual(refusedBy('is not available'));
  });

  it('gets 503 where the connection is cut, and a write is not sent again', async () => {
    answerWith = (request) => request.socket.destroy();
    expect(await refusal()).toEqual(refusedBy('ended before it answered'));
    expect(taken).toHaveLength(1);
  });

  it('gets 503 where the answer takes too long', async () => {
    await upstream.close();
    const circuit = { failures: 1, retryMs: 0, subject: 'Opsgenie' };
    upstream = stage.upstreamAt(opsgenie, { timeoutMs: 200, circuit });
    answerWith = () => undefined;
    expect(await refusal()).toEqual(refusedBy('did not answer in time'));
  });

  it('and leaves has its request ended, which is no failure of Opsgenie', async () => {
    const closed = new Promise<void>((resolve) => {
      answerWith = (request) => request.socket.once('close', resolve);
    });
    const { request, server } = await stage.open({ Authorization: `GenieKey ${THEIRS}` }, { app: gateway() });
    request.end('{}');
    await eventually(() => {
      expect(taken).toHaveLength(1);
    });
    request.destroy();
    await closed;
    await eventually(() => {
      expect(outcomes).toEqual(['cancelled']);
    });
    expect(stage.log).toEqual([]);
    server.close();
  });
});

describe('a request of a tool with a key that was imported (M8)', () => {
  const importedKeyHashes = [hashKey(THEIRS)];

  beforeEach(() => {
    stage.integrations.put('4', integration('4', THEIRS, { importedKeyHashes, enabled: false }));
  });

  it('is answered by Opsgenie until shadow has ended, and by Tocsin from then on', async () => {
    const app = gateway();
    stage.answerWith = json(202, { result: 'ours' });
    expect((await create(app).expect(202)).body).toEqual(ACCEPTED);
    stage.integrations.put('4', integration('4', THEIRS, { importedKeyHashes }));
    switched.areHandledHere = true;
    expect((await create(app).expect(202)).body).toEqual({ result: 'ours' });
    switched.areHandledHere = false;
    expect((await create(app).expect(202)).body).toEqual(ACCEPTED);
    expect([taken.length, stage.seen.length]).toEqual([2, 1]);
  });

  it('is answered by Opsgenie also after shadow where Tocsin would refuse it: it was replaced, or is of a disabled integration', async () => {
    const later = '7f8fad5b-d9cb-469f-a165-70867728950e';
    const retiringKeys = [{ keyHash: hashKey(THEIRS), validUntil: '2025-01-01T00:00:00Z' }];
    stage.integrations.put('4', integration('4', later, { importedKeyHashes, retiringKeys }));
    const app = gateway();
    await create(app).expect(202);
    await create(app, later).expect(202);
    switched.areHandledHere = true;
    await create(app).expect(202);
    stage.integrations.put('4', integration('4', THEIRS, { importedKeyHashes, enabled: false }));
    await create(app).expect(202);
    expect([taken.length, stage.seen.length]).toEqual([3, 1]);
  });

  it('is refused with 503 where shadow begins while its body comes, so that Opsgenie gets the repeat', async () => {
    stage.integrations.put('4', integration('4', THEIRS, { importedKeyHashes }));
    switched.areHandledHere = true;
    const headers = { Authorization: `GenieKey ${THEIRS}`, 'Content-Length': '2', Expect: '100-continue' };
    const { answer, request, server } = await stage.open(headers, { app: gateway() });
    request.flushHeaders();
    await once(request, 'continue');
    switched.areHandledHere = false;
    request.end('{}');
    expect((await answer).statusCode).toBe(503);
    server.close();
    await create().expect(202);
    expect([taken.length, stage.seen]).toEqual([1, []]);
  });
});

describe('a key of a tool', () => {
  it('is looked up until Opsgenie accepts it, and again once Opsgenie refuses it', async () => {
    const app = gateway();
    const hash = hashKey(THEIRS);
    await create(app).expect(202);
    await create(app).expect(202);
    expect(tries).toEqual([hash, 'given back']);
    answerWith = json(401, { message: 'Could not authenticate' });
    await create(app).expect(401);
    await create(app).expect(401);
    expect(tries).toEqual([hash, 'given back', hash]);
    expect(learned.has(hash)).toBe(false);
  });

  it('is not learned from a request with a second key, because Opsgenie may have read the other one', async () => {
    const app = gateway();
    const other = 'apiKey=6f8fad5b-d9cb-469f-a165-70867728950e';
    await stage.request('post', `/v2/alerts?${other}`, { withKey: THEIRS, app }).send({ message: 'x' }).expect(202);
    expect([outcomes, learned.hashes()]).toEqual([['accepted'], []]);
  });

  it('counts no longer among the unknown ones of its address once Opsgenie answers other than that it refuses it', async () => {
    const app = gateway();
    answerWith = json(404, { message: 'No handler' });
    await create(app).expect(404);
    answerWith = json(403, { message: 'Forbidden' });
    await create(app).expect(403);
    const hash = hashKey(THEIRS);
    expect(tries).toEqual([hash, 'given back', hash]);
  });

  it('is forwarded within the limit of its address while alert-ingest does not answer', async () => {
    isIngestAway = true;
    await create().expect(202);
    expect(tries).toEqual([hashKey(THEIRS), 'spent', 'given back']);
  });
});
