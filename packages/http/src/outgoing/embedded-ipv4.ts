import { isIPv6 } from 'node:net';

/** An address without the interface behind its `%`. */
export const withoutZone = (address: string): string => address.replace(/%.*$/s, '');

/**
 * The IPv4 address in a mapped (`::ffff:0:0/96`) or NAT64 (`64:ff9b::/96`) IPv6 address; undefined for any other address.
 */
export function embeddedIpv4(address: string): string | undefined {
  if (!isIPv6(address)) return undefined;
  const groups = groupsOf(address);
  const prefix = groups.slice(0, 6).join(':');
  if (prefix !== MAPPED && prefix !== TRANSLATED) return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

const MAPPED = [0, 0, 0, 0, 0, 0xffff].join(':');
const TRANSLATED = [0x64, 0xff9b, 0, 0, 0, 0].join(':');

/** The eight groups of an IPv6 address in any notation. */
function groupsOf(address: string): readonly number[] {
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const numbers = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const head = numbers(before);
  if (after === undefined) return head;
  const tail = numbers(after);
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
