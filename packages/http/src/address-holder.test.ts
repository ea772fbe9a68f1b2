import { describe, expect, it } from '@jest/globals';
import { addressHolder, networkHolder, plainAddress } from './address-holder.ts';

describe('an address', () => {
  it('is written as the IPv4 address that it is', () => {
    expect(plainAddress('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(plainAddress('2001:db8::1')).toBe('2001:db8::1');
    expect(plainAddress(undefined)).toBe('');
  });
});

describe('the holder of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('of %j is %j', (address, holder) => {
    expect(addressHolder(address)).toBe(holder);
  });
});

describe('the holder of a network', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8:1:ff::9', '2001:db8:1::/48'],
    ['2001:db8::9', '2001:db8:0::/48'],
  ])('of %j is %j', (address, holder) => {
    expect(networkHolder(address)).toBe(holder);
  });
});
