import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, TrafficCounter } from '@tocsin/core';
import { hashSessionToken } from '@tocsin/http';
import supertest from 'supertest';
import { ada, clock, json, key, readKey, Stage } from '../testing/stage.ts';
import { reportChanged } from './traffic-task.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.start();
});

afterEach(() => stage.stop());

const counted = () => stage.traffic.takeChanged(10);

describe('the requests of an integration (P21)', () => {
  it('are counted when their answers have begun: an alert, another write, a read', async () => {
    await stage.request('post', '/v2/alerts').send({ message: 'm' }).expect(202);
    await stage.request('post', '/v2/alerts/a/close').send({}).expect(202);
    await stage.request('get', '/v2/alerts').expect(202);
    expect(counted()).toMatchObject([{ integrationId: '1', writes: 2, alerts: 1, refused: 0 }]);
    await supertest(stage.gateway()).post(`/hooks/${key}`).send({ message: 'm' }).expect(202);
    expect(counted()).toMatchObject([{ integrationId: '1', writes: 3, alerts: 2, refused: 0 }]);
  });

  it('are counted where the service or the gateway refuses them', async () => {
    stage.answerWith = json(422, { message: 'no' });
    await stage.request('post', '/v2/alerts').send({}).expect(422);
    expect(counted()).toMatchObject([
      {
        writes: 1,
        alerts: 0,
        refused: 1,
        lastAlertAt: undefined,
        lastRefusal: { at: clock.now(), status: 422, operation: 'create-alert' },
      },
    ]);
    await stage.request('post', '/v2/alerts', { withKey: readKey }).send({ message: 'm' }).expect(403);
    expect(counted()).toMatchObject([{ integrationId: '2', refused: 1, lastRefusal: { status: 403 } }]);
  });

  it('are not counted where no key or an unknown one sends them, or a person', async () => {
    stage.users.put('ada', ada);
    stage.sessions.put('s', {
      id: 's',
      userId: 'ada',
      tokenHash: hashSessionToken('a'.repeat(43)),
      lastUsedAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-01-08T00:00:00.000Z',
    });
    const publicUrl = 'https://tocsin.example.com';
    await supertest(stage.gateway()).post('/v2/alerts').send({ message: 'm' }).expect(401);
    await supertest(stage.gateway({ publicUrl }))
      .post('/v2/alerts')
      .set('Cookie', `__Host-tocsin-session=${'a'.repeat(43)}`)
      .set({ 'Sec-Fetch-Site': 'same-origin', 'X-Tocsin-Console': '1' })
      .send({ message: 'm' })
      .expect(202);
    expect(counted()).toEqual([]);
  });
});

describe('a report of traffic (P21)', () => {
  const at = new Date('2026-01-01T08:00:00Z');
  const counterOf = (integrations: number): TrafficCounter => {
    const counter = new TrafficCounter();
    for (let n = 0; n < integrations; n += 1) counter.count({ integrationId: String(n), at, effect: 'alert' });
    return counter;
  };
  const reportsTo = (counter: TrafficCounter, status: number, seen: unknown[] = []) => ({
    counter,
    clock: new ManualClock(at),
    source: 'gateway-1',
    alertIngest: {
      post: (_: string, body: unknown) => {
        seen.push(body);
        return Promise.resolve({ status, body: {} });
      },
    },
  });

  it('has all that has changed, a thousand counts in each request, and nothing after it', async () => {
    const counter = counterOf(1_001);
    const seen: { readonly source: string; readonly counts: readonly unknown[] }[] = [];
    await reportChanged(reportsTo(counter, 200, seen));
    expect(seen.map(({ counts, source }) => [source, counts.length])).toEqual([
      ['gateway-1', 1_000],
      ['gateway-1', 1],
    ]);
    await reportChanged(reportsTo(counter, 200, seen));
    expect(seen).toHaveLength(2);
  });

  it('that is refused is part of the next one', async () => {
    const counter = counterOf(1);
    await expect(reportChanged(reportsTo(counter, 503))).rejects.toThrow('503');
    expect(counter.takeChanged(10)).toHaveLength(1);
  });
});
