import { describe, expect, it } from '@jest/globals';
import { callerAddress, calledUrl, type Origin } from './origin.ts';

const origin: Origin = {
  socketAddress: '10.0.0.1',
  forwardedFor: undefined,
  forwardedProto: undefined,
  host: 'tocsin.example.com',
  trustedProxies: 0,
};

describe('callerAddress', () => {
  it('is the other end of the connection where no proxy is trusted, with any header', () => {
    expect(callerAddress({ ...origin, forwardedFor: '198.51.100.1' })).toBe('10.0.0.1');
  });

  it.each([
    [1, '198.51.100.1', '198.51.100.1'],
    [1, 'claimed, 198.51.100.1', '198.51.100.1'],
    [2, 'claimed, 198.51.100.1 , 10.0.0.2', '198.51.100.1'],
    [5, '198.51.100.1, 10.0.0.2', '198.51.100.1'],
    [1, '', '10.0.0.1'],
    [1, '198.51.100.1:50123', '198.51.100.1'],
    [1, '[2001:db8::1]:50123', '2001:db8::1'],
    [1, '2001:db8::1', '2001:db8::1'],
    [1, '::ffff:198.51.100.1', '::ffff:198.51.100.1'],
    [1, 'fe80::1%eth0', 'fe80::1%eth0'],
  ])('is the first hop before %d trusted proxies in "%s"', (trustedProxies, forwardedFor, address) => {
    expect(callerAddress({ ...origin, trustedProxies, forwardedFor })).toBe(address);
  });
});

describe('a hop that is no address', () => {
  it.each(['unknown', '_hidden', '', ',', 'x'.repeat(30_000), `2001:db8::${'1'.repeat(30_000)}`])(
    'that is no address is ignored: the caller is the other end of the connection (%#)',
    (forwardedFor) => {
      expect(callerAddress({ ...origin, trustedProxies: 1, forwardedFor })).toBe('10.0.0.1');
    },
  );
});

describe('calledUrl', () => {
  it('has the host of the request', () => {
    expect(calledUrl(origin)).toBe('http://tocsin.example.com');
    expect(calledUrl({ ...origin, host: undefined })).toBe('http://localhost');
  });

  it('is https where a trusted proxy says so', () => {
    expect(calledUrl({ ...origin, forwardedProto: 'https', trustedProxies: 1 })).toBe('https://tocsin.example.com');
    expect(calledUrl({ ...origin, forwardedProto: 'https' })).toBe('http://tocsin.example.com');
    expect(calledUrl({ ...origin, forwardedProto: 'ftp', trustedProxies: 1 })).toBe('http://tocsin.example.com');
  });
});
