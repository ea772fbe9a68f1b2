import { type RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { key, Stage, teamKey } from './testing/app-samples.ts';

let stage: Stage;
let app: RequestListener;

beforeEach(async () => {
  stage = await Stage.start();
  app = stage.gateway({}, { whileBehind: { perSecond: 1, burst: 2 } });
});

afterEach(() => stage.stop());

const create = (withKey = key) => stage.ask('post', '/v2/alerts', { app, withKey }).send({ message: 'm' });
const behind = (): void => {
  for (const ageMs of [5_000, 5_200]) {
    stage.backlog?.heard('scheduling/0', { consumer: 'scheduling', ageMs, records: 1_000 });
    stage.nowMs += 200;
  }
};

async function statuses(count: number, withKey?: string): Promise<readonly number[]> {
  const heard: number[] = [];
  for (let sent = 0; sent < count; sent += 1) heard.push((await create(withKey)).status);
  return heard;
}

describe('a key that sends many alerts while alerts wait to be processed (F3)', () => {
  it('hears 503 with Retry-After, and the service hears nothing', async () => {
    behind();
    expect(await statuses(2)).toEqual([202, 202]);
    const refused = await create().expect(503);
    expect(refused.body).toMatchObject({ message: 'Too many alerts wait to be processed. Please try again.' });
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-state': 'OK' });
    expect(stage.seen).toHaveLength(2);
    expect(stage.throttled).toEqual(['backlog']);
    expect(stage.defects).toEqual([]);
  });

  it('may read, and do what makes less to do, and nobody else is refused', async () => {
    behind();
    expect(await statuses(3)).toEqual([202, 202, 503]);
    for (const end of ['close', 'acknowledge', 'snooze'])
      await stage.ask('post', `/v2/alerts/a1/${end}`, { app }).send({}).expect(202);
    await stage.ask('delete', '/v2/alerts/a1', { app }).expect(202);
    await stage.ask('get', '/v2/alerts/a1', { app }).expect(202);
    expect(await statuses(2, teamKey)).toEqual([202, 202]);
  });

  it.each(['notes', 'tags', 'details', 'responders', 'teams', 'escalate', 'assign', 'unacknowledge', 'actions/fix'])(
    'is refused %s as well: they wait in the same queue',
    async (action) => {
      behind();
      expect(await statuses(2)).toEqual([202, 202]);
      await stage.ask('post', `/v2/alerts/a1/${action}`, { app }).send({}).expect(503);
    },
  );

  it('is taken again when it comes back after Retry-After', async () => {
    behind();
    await statuses(3);
    stage.nowMs += 1_000;
    expect(await statuses(1)).toEqual([202]);
  });

  it('is taken as ever while no alerts wait', async () => {
    expect(await statuses(4)).toEqual([202, 202, 202, 202]);
  });
});
