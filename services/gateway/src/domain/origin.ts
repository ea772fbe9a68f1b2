/** Where a request came from, by its connection and its headers. */
export interface Origin {
  /** The other end of the connection. */
  readonly socketAddress: string | undefined;
  /** `X-Forwarded-For`: each proxy adds at the end the address that it was called from. */
  readonly forwardedFor: string | undefined;
  /** `X-Forwarded-Proto`. */
  readonly forwardedProto: string | undefined;
  readonly host: string | undefined;
  /** How many proxies of ours stand in front, 0 or more. The caller can forge what came before them. */
  readonly trustedProxies: number;
}

/**
 * The address of the first hop that is not ours (A3), or the other end of the connection where the header has no address there.
 * Who bypasses the proxies may write any text, and each text would count as a caller of its own.
 */
export function callerAddress({ socketAddress = '', forwardedFor = '', trustedProxies }: Origin): string {
  if (trustedProxies === 0 || forwardedFor === '') return socketAddress;
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  const hop = withoutPort(hops.at(-Math.min(trustedProxies, hops.length)) ?? '');
  return ADDRESS.test(hop) ? hop : socketAddress;
}

/** What an IPv4 or an IPv6 address is written with, its zone included. */
const ADDRESS = /^(?:[\d.]{7,15}|[\da-f:.]{2,45}(?:%[\w.-]{1,15})?)$/i;

/** Some proxies write the port of the connection behind the address. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop) ?? [];
  return v6 ?? v4 ?? hop;
}

/** Scheme and host that the caller used, for links that it can follow (A12). */
export function calledUrl({ host = 'localhost', forwardedProto = '', trustedProxies }: Origin): string {
  const [outermost = ''] = forwardedProto.split(',', 1);
  const secure = trustedProxies > 0 && outermost.trim().toLowerCase() === 'https';
  return `${secure ? 'https' : 'http'}://${host}`;
}

const LONGEST_HOST = 261;
/** A name or an address, and perhaps a port. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a `Host` can stand in a link (A12). */
export function isHost(written: string): boolean {
  return written.length <= LONGEST_HOST && HOST.test(written);
}
