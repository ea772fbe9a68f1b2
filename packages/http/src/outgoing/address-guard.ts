import { BlockList, isIP, isIPv4 } from 'node:net';
import { embeddedIpv4, withoutZone } from './embedded-ipv4.ts';

/** IPv4 ranges that are not the public internet, each with its name in the refusal. */
const IPV4_RANGES: readonly (readonly [range: string, name: string])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'relay'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
];

/** The same for IPv6. Ranges outside of {@link PUBLIC_IPV6} need not be listed. */
const IPV6_RANGES: readonly (readonly [range: string, name: string])[] = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', 'relay'],
  ['3fff::/20', 'documentation'],
];

/** Global unicast. */
const PUBLIC_IPV6 = '2000::/3';

/**
 * Metadata services of clouds, which give a machine its credentials. An allowed range does not include them; only the address
 * itself does. The other link-local addresses are not `private` either.
 */
const METADATA = [
  // Amazon, Google, Azure and most others, then the tasks of ECS and the pods of EKS.
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  'fd00:ec2::254',
  'fd00:ec2::23',
  // Google.
  'fd20:ce::254',
  // Azure.
  '168.63.129.16',
  // Alibaba.
  '100.100.100.200',
  // Oracle.
  '192.0.0.192',
  // Scaleway.
  '169.254.42.42',
  'fd00:42::42',
  // Tencent.
  '169.254.0.23',
  // OpenStack.
  'fe80::a9fe:a9fe',
];

/** The ranges of the word `private` in the setting. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/**
 * A set of addresses, from addresses, ranges such as `10.1.0.0/16`, and the word `private`, which includes neither loopback nor
 * link-local. An IPv6 address that embeds an IPv4 address counts as that.
 *
 * @throws RangeError for an entry that is no range.
 */
export class AddressRanges {
  readonly #list: BlockList;

  constructor(ranges: readonly string[]) {
    this.#list = listOf(expanded(ranges));
  }

  /** Whether the address is in a range; false for a text that is no address. */
  has(address: string): boolean {
    const plain = withoutZone(address);
    return isIP(plain) !== 0 && covers(this.#list, embeddedIpv4(plain) ?? plain);
  }
}

const expanded = (ranges: readonly string[]): readonly string[] =>
  ranges.flatMap((range) => (range.toLowerCase() === 'private' ? PRIVATE : [range]));

interface Range {
  readonly name: string;
  readonly list: BlockList;
}

/**
 * Which addresses may be called from inside an installation: those of the public internet and of `allowed`, which has addresses,
 * ranges such as `10.1.0.0/16`, or the word `private`. An IPv6 address that embeds an IPv4 address counts as that. `private`
 * includes neither loopback nor link-local. A metadata service is allowed only by its own address.
 *
 * @throws RangeError for an entry that is no range.
 */
export class AddressGuard {
  readonly #allowed: BlockList;
  readonly #named: ReadonlySet<string>;

  constructor(allowed: readonly string[] = []) {
    const ranges = expanded(allowed);
    this.#allowed = listOf(ranges);
    this.#named = new Set(ranges.map((range) => range.replace(/\/(?:32|128)$/, '').toLowerCase()));
  }

  /** Whether a setting allows `address` that is not of the public internet, or names it. */
  allows(address: string): boolean {
    const plain = withoutZone(address);
    return isIP(plain) !== 0 && covers(this.#allowed, embeddedIpv4(plain) ?? plain);
  }

  /** Why `address` may not be called, in a few words; undefined where it may be. */
  refusal(address: string): string | undefined {
    const plain = withoutZone(address);
    if (isIP(plain) === 0) return `${plain} is no address`;
    const judged = embeddedIpv4(plain) ?? plain;
    const metadata = METADATA.find((known) => covers(METADATA_LISTS.get(known), judged));
    if (metadata !== undefined) return this.#named.has(metadata) ? undefined : `${judged} is a metadata address`;
    if (covers(this.#allowed, judged)) return undefined;
    const range = RANGES.find(({ list }) => covers(list, judged));
    if (range !== undefined) return `${judged} is a ${range.name} address`;
    return isIPv4(judged) || covers(PUBLIC, judged) ? undefined : `${judged} is a reserved address`;
  }
}

/** The error in an entry of the allowed ranges; undefined without one. */
export function rangeProblem(range: string): string | undefined {
  if (range.toLowerCase() === 'private') return undefined;
  const [address = '', bits, more] = range.split('/');
  const family = isIP(address);
  const isSize = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
  if (family !== 0 && !address.includes('%') && isSize && more === undefined) return undefined;
  return `${range} should be an address, a range such as 10.1.0.0/16, or the word private`;
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const problem = rangeProblem(range);
    if (problem !== undefined) throw new RangeError(problem);
    const [address = '', bits] = range.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return list;
}

const covers = (list: BlockList | undefined, address: string): boolean =>
  list?.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') ?? false;

const RANGES: readonly Range[] = [...IPV4_RANGES, ...IPV6_RANGES].map(([range, name]) => ({
  name,
  list: listOf([range]),
}));
const PUBLIC = listOf([PUBLIC_IPV6]);
const METADATA_LISTS: ReadonlyMap<string, BlockList> = new Map(METADATA.map((address) => [address, listOf([address])]));
