const GROUPS = 8;
const GROUP_BITS = 16;
/** Of an IPv6 address, what names a network of one machine or household, and what names all that a customer can get. */
const SUBNET_GROUPS = 4;
const NETWORK_GROUPS = 3;

const IPV4_IN_IPV6 = '::ffff:';

/** An address as people write it: a socket that takes IPv6 too shows IPv4 addresses as IPv6 ones. */
export function plainAddress(address = ''): string {
  return address.startsWith(IPV4_IN_IPV6) && address.includes('.') ? address.slice(IPV4_IN_IPV6.length) : address;
}

/** Whose share a connection or request without a key takes: an IPv4 address, or the /64 network of an IPv6 one. */
export const addressHolder = (written: string): string => holderOf(written, SUBNET_GROUPS);

/**
 * Whose share a request takes where few are allowed in all: an IPv4 address, or the /48 network of an IPv6 one. One customer can have
 * thousands of /64 networks.
 */
export const networkHolder = (written: string): string => holderOf(written, NETWORK_GROUPS);

function holderOf(written: string, groups: number): string {
  const address = plainAddress(written);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = groupsOf(head);
  const behind = groupsOf(tail ?? '');
  const skipped = Array.from({ length: Math.max(0, GROUPS - before.length - behind.length) }, () => '0');
  return `${[...before, ...skipped, ...behind].slice(0, groups).join(':')}::/${groups * GROUP_BITS}`;
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':');
}
