import { describe, expect, it } from '@jest/globals';
import {
  type AppError,
  BadGatewayError,
  ConflictError,
  GatewayTimeoutError,
  InUseError,
  InvalidError,
  NotFoundError,
  NotProcessedError,
  ThrottledError,
  UnavailableError,
} from '@tocsin/core';
import { defineRoute, type Route } from './index.ts';
import { outage, service } from './testing/service-app-samples.ts';

const answering = (operation: Route['operation'], handle: () => Promise<never>) => defineRoute({ operation, handle });

describe('an error of a route', () => {
  const refusals: [AppError, number, Record<string, string>][] = [
    [new NotFoundError('m'), 404, {}],
    [new NotProcessedError('m'), 404, { 'x-opsgenie-errortype': 'RequestNotProcessed' }],
    [new ConflictError('m'), 409, {}],
    [new InvalidError('m'), 422, {}],
    [new InUseError('m'), 428, {}],
    [
      new ThrottledError('m', { reason: 'USER', periodSeconds: 3_600, retryAfterSeconds: 3_540 }),
      429,
      {
        'x-ratelimit-state': 'THROTTLED',
        'x-ratelimit-reason': 'USER',
        'x-ratelimit-period-in-sec': '3600',
        'retry-after': '3540',
      },
    ],
    [new BadGatewayError('m'), 502, {}],
    [new UnavailableError('m', { cause: new Error('10.0.0.7 is down') }), 503, { 'retry-after': '1' }],
    [new GatewayTimeoutError('m'), 504, {}],
  ];

  it.each(refusals)('%p is answered in its own words alone (E1, E2)', async (error, status, headers) => {
    const { send, defects } = await service([answering('get-alert', () => Promise.reject(error))]);
    const response = await send('get', '/v2/alerts/x').expect(status);
    expect(Object.keys(response.body as object)).toEqual(['message', 'took', 'requestId']);
    expect(response.body).toMatchObject({ message: 'm' });
    expect(response.headers).toMatchObject(headers);
    expect(defects).toEqual([]);
  });

  it('that is not expected is a 500 without details, and is reported once', async () => {
    const error = new Error('secret');
    const { send, defects } = await service([answering('get-alert', () => Promise.reject(error))]);
    const response = await send('get', '/v2/alerts/x').expect(500);
    expect(response.body).toMatchObject({ message: 'Internal Server Error' });
    expect(response.text).not.toContain('secret');
    expect(defects).toEqual([[error, response.headers['x-request-id']]]);
  });

  it('are 503 where the service knows its failure for an outage', async () => {
    const { send, defects } = await service([answering('get-alert', () => Promise.reject(outage))]);
    const response = await send('get', '/v2/alerts/x');
    expect(response.status).toBe(503);
    expect(response.headers).toHaveProperty('retry-after');
    expect(defects).toEqual([]);
  });
});
