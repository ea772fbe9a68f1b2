import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { UnavailableError } from '@tocsin/core';
import { integration, key, readKey, Stage, teamKey } from '../testing/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.start();
});

afterEach(() => stage.stop());

describe('a key', () => {
  it.each([
    ['absent', undefined, 401, 'Could not authenticate'],
    ['unknown', 'GenieKey 9f8fad5b-d9cb-469f-a165-70867728950e', 401, 'Could not authenticate'],
    ['of the wrong form', 'GenieKey 42', 422, 'Key format is not valid!'],
  ])('that is %s is refused (E4)', async (_, authorization, status, message) => {
    const request = supertest(stage.gateway()).post('/v2/alerts');
    const response = await (authorization === undefined ? request : request.set('Authorization', authorization)).expect(
      status,
    );
    expect(response.body).toMatchObject({ message });
    expect(stage.seen).toEqual([]);
  });

  it('of a disabled integration is refused (K2)', async () => {
    stage.integrations.put('1', integration('1', key, { enabled: false }));
    await stage.request('post', '/v2/alerts').expect(401);
    expect(stage.seen).toEqual([]);
  });

  it('that cannot be looked up gives 503, not 401 (E2)', async () => {
    stage.integrations.refuseWith(new UnavailableError('unavailable'));
    const response = await stage
      .request('post', '/v2/alerts', { withKey: '9f8fad5b-d9cb-469f-a165-70867728950e' })
      .expect(503);
    expect(response.headers['retry-after']).toBe('1');
  });

  it('without the right is refused before the request reaches the service (K3, K8)', async () => {
    const reading = await stage.request('post', '/v2/alerts', { withKey: readKey }).expect(403);
    expect(reading.text).toMatch(/^\{"code":40301,"message":"To perform this action, use an API key/);
    await stage.request('get', '/v2/users', { withKey: readKey }).expect(403);
    const ofTeam = await stage.request('post', '/v2/teams', { withKey: teamKey }).expect(403);
    expect(ofTeam.body).toMatchObject({ message: 'Team API Keys are not authorized to perform this action.' });
    expect(stage.seen).toEqual([]);
  });
});
