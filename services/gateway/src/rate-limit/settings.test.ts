import { describe, expect, it } from '@jest/globals';
import { Config } from '../config.ts';

const least = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  INTERNAL_SIGNING_KEY: 'x'.repeat(32),
};
const of = (settings: Record<string, string> = {}): Config => Config.parse({ ...least, ...settings });

describe('the setting of the rates', () => {
  const defaults = {
    alert: { perSecond: 100, burst: 1_000 },
    heartbeat: { perSecond: 100, burst: 1_000 },
    integration: { perSecond: 200, burst: 2_000 },
    configuration: { perSecond: 200, burst: 2_000 },
    search: { perSecond: 200, burst: 2_000 },
    'schedule-oncalls': { perSecond: 200, burst: 2_000 },
  };

  it('has the defaults of F6, of which it may change some, and may limit none', () => {
    expect(of()).toMatchObject({ rateLimits: defaults, failedAuthLimit: { perSecond: 10, burst: 100 } });
    expect(of({ RATE_LIMITS: '', FAILED_AUTH_LIMIT: '' }).rateLimits).toEqual(defaults);
    expect(of({ RATE_LIMITS: 'alert=5/50, schedule-oncalls=1/1', FAILED_AUTH_LIMIT: '1/2' })).toMatchObject({
      rateLimits: { ...defaults, alert: { perSecond: 5, burst: 50 }, 'schedule-oncalls': { perSecond: 1, burst: 1 } },
      failedAuthLimit: { perSecond: 1, burst: 2 },
    });
    expect(of({ RATE_LIMITS: 'alert=100000/1000000' }).rateLimits).toMatchObject({
      alert: { perSecond: 100_000, burst: 1_000_000 },
    });
    expect(of({ RATE_LIMITS: 'off', FAILED_AUTH_LIMIT: 'off' })).toMatchObject({
      rateLimits: 'off',
      failedAuthLimit: 'off',
    });
  });

  it.each([
    'on',
    'alert',
    'alert=100',
    'alert=0/10',
    'alert=10/9',
    'alert=100001/1000000',
    'alert=1/1000001',
    'alert=1.5/10',
    'alert=-1/10',
    'alert=1/1/1',
    'alert=off',
    'account=1/1',
    'alert=1/1,alert=2/2',
    'alert=1/1,',
  ])('of %j is refused, by its name and with what it should be', (written) => {
    const { error } = Config.safeParse({ ...least, RATE_LIMITS: written });
    expect(error?.issues).toMatchObject([
      {
        path: ['RATE_LIMITS'],
        message: expect.stringMatching(/^should be off, or each of alert, heartbeat, .*such as 100\/1000/),
      },
    ]);
  });

  it.each(['on', '1', '1/', '5/1', '0/0', 'alert=1/1'])('of unknown keys of %j is refused too', (written) => {
    const { error } = Config.safeParse({ ...least, FAILED_AUTH_LIMIT: written });
    expect(error?.issues).toMatchObject([
      { path: ['FAILED_AUTH_LIMIT'], message: expect.stringMatching(/^should be off, or such as 100\/1000/) },
    ]);
  });
});
