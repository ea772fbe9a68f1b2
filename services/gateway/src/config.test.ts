import { describe, expect, it } from '@jest/globals';
import { bodyBounds, Config, connectionBounds } from './config.ts';

const least = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  INTERNAL_SIGNING_KEY: 'x'.repeat(32),
};
const of = (settings: Record<string, string> = {}): Config => Config.parse({ ...least, ...settings });

describe('the settings of the gateway', () => {
  it('leave a quarter of everything to the other callers, by default', () => {
    expect(bodyBounds(of())).toEqual({
      bodies: { held: { inAll: 67_108_864, each: 50_331_648, least: 2_097_152 }, idleMs: 10_000, totalMs: 30_000 },
      transferTimeout: { timeoutMs: 60_000, leastBytesPerSecond: 16_384 },
    });
    expect(connectionBounds(of())).toEqual({ maxConnections: 16_384, maxConnectionsPerAddress: 12_288 });
    expect(bodyBounds(of({ HELD_BYTES: '8388608', KEY_SHARE_PERCENT: '25' })).bodies).toMatchObject({
      held: { inAll: 8_388_608, each: 2_097_152 },
    });
  });

  it('do not bound an address behind trusted proxies, which all callers share, by default', () => {
    const proxied = { TRUSTED_PROXIES: '1', MAX_CONNECTIONS: '100' };
    expect(connectionBounds(of(proxied))).toEqual({ maxConnections: 100, maxConnectionsPerAddress: 100 });
    expect(connectionBounds(of({ ...proxied, MAX_CONNECTIONS_PER_ADDRESS: '10' }))).toEqual({
      maxConnections: 100,
      maxConnectionsPerAddress: 10,
    });
  });

  it('take the origins of several pages', () => {
    expect(of({ CORS_ORIGINS: 'https://status.example.com, http://localhost:8080' }).corsOrigins).toEqual([
      'https://status.example.com',
      'http://localhost:8080',
    ]);
    expect(of().corsOrigins).toBeUndefined();
  });

  it('take the origin of Opsgenie, with https or on this machine', () => {
    for (const origin of ['https://api.opsgenie.com', 'https://api.eu.opsgenie.com', 'http://127.0.0.1:8080'])
      expect(of({ FORWARD_TO_OPSGENIE: origin }).forwardToOpsgenie).toBe(origin);
    expect(of().forwardToOpsgenie).toBeUndefined();
  });

  it('refuse bytes of which the share of a key is less than one body needs, and say so', () => {
    const { error } = Config.safeParse({ ...least, HELD_BYTES: '4000000', KEY_SHARE_PERCENT: '50' });
    expect(error?.issues).toMatchObject([
      { path: ['HELD_BYTES'], message: expect.stringContaining('50 % of 4000000 (KEY_SHARE_PERCENT) is less') },
    ]);
  });

  it.each([
    { HELD_BYTES: '1000' },
    { BODY_IDLE_MS: '0' },
    { BODY_TOTAL_MS: 'soon' },
    { CORS_ORIGINS: '*' },
    { CORS_ORIGINS: 'null' },
    { CORS_ORIGINS: 'status.example.com' },
    { CORS_ORIGINS: 'https://status.example.com/' },
    { CORS_ORIGINS: 'https://status.example.com:443' },
    { CORS_ORIGINS: 'https://Status.example.com' },
    { CORS_ORIGINS: 'https://status.example.com,,https://b.example.com' },
    { CORS_ORIGINS: 'chrome-extension://abc' },
    { FORWARD_TO_OPSGENIE: 'http://api.opsgenie.com' },
    { FORWARD_TO_OPSGENIE: 'https://api.opsgenie.com/v2' },
    { FORWARD_TO_OPSGENIE: 'https://user:secret@api.opsgenie.com' },
    { FORWARD_TO_OPSGENIE: 'api.opsgenie.com' },
    { FORWARD_TO_OPSGENIE: 'ftp://127.0.0.1' },
    { CIRCUIT_FAILURES: '0' },
    { CIRCUIT_RETRY_MS: '99' },
    { BUSY_TURN_MS: '0' },
    { FILES_AT_ONCE: '0' },
    { LEAST_BYTES_PER_SECOND: '0' },
    { KEY_SHARE_PERCENT: '101' },
    { MAX_CONNECTIONS: '0' },
    { MAX_CONNECTIONS_PER_ADDRESS: '-1' },
  ])('refuse %j', (settings) => {
    const { error } = Config.safeParse({ ...least, ...settings });
    expect(error?.issues.map(({ path }) => path)).toEqual([Object.keys(settings)]);
  });
});
