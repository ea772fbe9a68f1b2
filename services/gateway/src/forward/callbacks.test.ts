import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { PrincipalVerifier } from '@tocsin/http';
import { clock, json, key, SIGNING_KEY, Stage } from '../testing/stage.ts';

const URL = '/callbacks/twilio?token=a.1.b';
const FORM = 'MessageStatus=delivered&To=%2B15551234567';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.start();
  stage.answerWith = json(200, { result: 'Taken' });
});

afterEach(() => stage.stop());

/** A provider calls, which has no key. */
const call = (app: RequestListener = stage.gateway(), body = FORM) =>
  supertest(app).post(URL).type('form').set('X-Twilio-Signature', 'abc=').send(body);

describe('the call of a provider', () => {
  it('reaches the notifier with its form, its URL and its signature as they came, without a key', async () => {
    await call().expect(200);
    const [seen] = stage.seen;
    expect(seen).toMatchObject({ method: 'POST', url: URL, body: FORM });
    expect(seen?.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': 'abc=',
    });
    const word = String(seen?.headers['x-tocsin-principal']);
    const verifier = new PrincipalVerifier([SIGNING_KEY], 'notifier');
    expect(await verifier.verify(word, clock.now())).toEqual({ service: 'gateway' });
  });

  it('gets the TwiML of the notifier unchanged, with the headers of every answer (E3)', async () => {
    const twiml = '<Response><Say>Alert 7: your acknowledgement is accepted.</Say></Response>';
    stage.answerWith = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8', 'Cache-Control': 'no-store' }).end(twiml);
    };
    const { headers, text } = await call().expect(200);
    expect(text).toBe(twiml);
    expect(headers).toMatchObject({
      'content-type': 'text/xml; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
      'x-ratelimit-state': 'OK',
    });
  });

  it('is the only request whose signature is forwarded', async () => {
    await stage.request('post', '/v2/alerts').set('X-Twilio-Signature', 'abc=').send({ message: 'm' });
    expect(stage.seen[0]?.headers).not.toHaveProperty('x-twilio-signature');
  });

  it('is bounded to 64 KiB, and refused before it reaches the notifier', async () => {
    await call(stage.gateway(), 'x'.repeat(65_536)).expect(200);
    const refused = await call(stage.gateway(), 'x'.repeat(65_537)).expect(413);
    expect(refused.body).toMatchObject({ message: 'Request body is larger than 64 KiB.' });
    expect(stage.seen).toHaveLength(1);
  });

  it('has a rate limit by its address, and uses nothing of those of keys', async () => {
    const rate = { perSecond: 1, burst: 2 };
    const app = stage.gateway({}, { callbacks: rate });
    const statuses = [await call(app), await call(app), await call(app)].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(stage.throttled).toEqual(['callbacks']);
    await stage.request('post', '/v2/alerts', { app, withKey: key }).send({ message: 'm' }).expect(200);
  });

  it.each([403, 404])(
    'that is refused with %d counts as a key that does not exist does, and one that is taken does not',
    async (status) => {
      const app = stage.gateway({}, { failedAuth: { perSecond: 1, burst: 2 } });
      const taken = [await call(app), await call(app), await call(app)];
      expect(taken.map((answer) => answer.status)).toEqual([200, 200, 200]);
      stage.answerWith = json(status, {});
      const refused = [await call(app), await call(app), await call(app)];
      expect(refused.map((answer) => answer.status)).toEqual([status, status, 429]);
      expect(stage.seen).toHaveLength(5);
      expect(stage.throttled).toEqual(['refused-callbacks']);
    },
  );

  it('is a POST', async () => {
    const { headers } = await supertest(stage.gateway()).get(URL).expect(405);
    expect(headers['allow']).toBe('POST, OPTIONS');
  });
});
