const GROUPS = 8;
/** Of an IPv6 address, what names a network: one customer usually has all of it. */
const NETWORK_GROUPS = 4;

const IPV4_IN_IPV6 = '::ffff:';

/** An address as people write it: a socket that takes IPv6 too shows IPv4 addresses as IPv6 ones. */
export function plainAddress(address = ''): string {
  return address.startsWith(IPV4_IN_IPV6) && address.includes('.') ? address.slice(IPV4_IN_IPV6.length) : address;
}

/** Whose share a connection or request without a key takes: an IPv4 address, or the /64 network of an IPv6 one. */
export function addressHolder(written: string): string {
  const address = plainAddress(written);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = groupsOf(head);
  const behind = groupsOf(tail ?? '');
  const skipped = Array.from({ length: Math.max(0, GROUPS - before.length - behind.length) }, () => '0');
  return `${[...before, ...skipped, ...behind].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':');
}
