import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AddressGuard, AddressRanges, rangeProblem } from './address-guard.ts';

const guard = new AddressGuard();

const REFUSED = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '169.254.1.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '::',
  '::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '3fff::1',
  '2001::1',
  '2002:7f00:1::',
  '2002:808:808::',
  '100::1',
  '64:ff9b:1::7f00:1',
  '5f00::1',
  '4000::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:a00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  'example.com',
  '',
  '127.1',
  '0x7f.0.0.1',
];

const TAKEN = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::5',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
];

describe('AddressGuard', () => {
  it.each(REFUSED)('refuses %s', (address) => {
    expect(guard.refusal(address)).toEqual(expect.stringMatching(/ is (?:an?|no) /));
  });

  it.each(TAKEN)('takes %s', (address) => {
    expect(guard.refusal(address)).toBeUndefined();
  });

  it('says which address it was, and of what kind', () => {
    expect(guard.refusal('10.0.0.3')).toBe('10.0.0.3 is a private address');
    expect(guard.refusal('::ffff:a00:3')).toBe('10.0.0.3 is a private address');
  });

  it('takes what is allowed, and nothing beside it', () => {
    const within = new AddressGuard(['10.1.0.0/16', 'fd12::/16', '127.0.0.1']);
    for (const address of ['10.1.255.255', '::ffff:10.1.0.1', 'fd12::1', '127.0.0.1', '8.8.8.8'])
      expect(within.refusal(address)).toBeUndefined();
    for (const address of ['10.2.0.0', 'fd13::1', '127.0.0.2', '::1']) expect(within.refusal(address)).toBeDefined();
  });

  it('understands private as the private networks, without the machine itself and its neighbours', () => {
    const within = new AddressGuard(['Private']);
    for (const address of ['10.0.0.1', '172.16.0.1', '192.168.0.1', 'fd00::1'])
      expect(within.refusal(address)).toBeUndefined();
    for (const address of ['127.0.0.1', '::1', '169.254.1.1', 'fe80::1', '100.64.0.1'])
      expect(within.refusal(address)).toBeDefined();
  });

  it('takes a metadata address when it is named, never as part of a range', () => {
    const within = new AddressGuard(['private', '169.254.0.0/16', 'fd00::/8']);
    expect(within.refusal('169.254.1.1')).toBeUndefined();
    for (const address of ['169.254.169.254', 'fd00:ec2::254', 'fd00:0ec2:0::254', '::ffff:169.254.169.254'])
      expect(within.refusal(address)).toMatch(/metadata/);
    expect(new AddressGuard(['169.254.169.254/32']).refusal('169.254.169.254')).toBeUndefined();
    expect(new AddressGuard(['FD00:EC2::254']).refusal('fd00:ec2::254')).toBeUndefined();
  });

  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:42::42',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '::ffff:100.100.100.200',
    'fe80::a9fe:a9fe',
  ])('refuses the metadata address %s under private and within a range', (address) => {
    const within = new AddressGuard([
      'private',
      '100.64.0.0/10',
      '169.254.0.0/16',
      '192.0.0.0/24',
      'fd00::/8',
      'fe80::/10',
    ]);
    expect(within.refusal(address)).toMatch(/is a metadata address$/);
  });

  it('judges an address of IPv4 alike in every way in which IPv6 writes it', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.boolean(), (address, isTranslated) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const prefix = isTranslated ? '64:ff9b::' : '::ffff:';
        for (const written of [address, hex, hex.toUpperCase()].map((end) => `${prefix}${end}`))
          expect(guard.refusal(written)).toBe(guard.refusal(address));
      }),
    );
  });

  it('says of any text, without failing, whether it may be called', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4Extended(), fc.ipV6()), (text) => {
        expect(['string', 'undefined']).toContain(typeof guard.refusal(text));
      }),
    );
  });

  it.each([
    '10.0.0.0/33',
    '::/129',
    '10.0.0',
    'example.com',
    '',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    'fe80::1%a',
  ])('does not begin with the range %p', (range) => {
    expect(rangeProblem(range)).toMatch(/should be an address, a range/);
    expect(() => new AddressGuard([range])).toThrow(RangeError);
  });
});

describe('a set of addresses', () => {
  it.each([
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['192.168.0.1', true],
    ['198.51.100.7', true],
    ['198.51.100.8', false],
    ['2001:db8:1::9', true],
    ['2001:db8:2::9', false],
    ['127.0.0.1', false],
    ['fe80::1%eth0', false],
    ['mail.example.com', false],
    ['', false],
  ])('has %j: %j', (address, expected) => {
    expect(new AddressRanges(['private', '198.51.100.7', '2001:db8:1::/48']).has(address)).toBe(expected);
  });
});
