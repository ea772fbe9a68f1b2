import type { IncomingMessage } from 'node:http';
import { MalformedError } from '@tocsin/core';
import { plainAddress } from '@tocsin/http';

/** Where a request came from, by its connection and its headers. */
export interface Origin {
  /** The other end of the connection. */
  readonly socketAddress: string | undefined;
  /** `X-Forwarded-For`: each proxy adds at the end the address that it was called from. */
  readonly forwardedFor: string | undefined;
  /** `X-Forwarded-Proto`. */
  readonly forwardedProto: string | undefined;
  readonly host: string | undefined;
  /** How many trusted proxies stand before the gateway, 0 or more. The caller can forge what they did not add. */
  readonly trustedProxies: number;
}

/** The origin of a request. */
export function originOf({ headers, socket }: IncomingMessage, trustedProxies: number): Origin {
  return {
    socketAddress: plainAddress(socket.remoteAddress),
    forwardedFor: headerValue(headers['x-forwarded-for']),
    forwardedProto: headerValue(headers['x-forwarded-proto']),
    host: headers.host,
    trustedProxies,
  };
}

/** The address of the caller ({@link callerAddress}). */
export function addressOf(request: IncomingMessage, { trustedProxies }: { readonly trustedProxies: number }): string {
  return callerAddress(originOf(request, trustedProxies));
}

/** The value of a header that a caller may send several times. */
export function headerValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

/**
 * The address that the outermost trusted proxy was called from (A3), or the other end of the connection where the header has no
 * address there: a caller that bypasses the proxies can write any text, and each text would count as a caller of its own.
 */
export function callerAddress({ socketAddress = '', forwardedFor = '', trustedProxies }: Origin): string {
  if (trustedProxies === 0 || forwardedFor === '') return socketAddress;
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  const hop = withoutPort(hops.at(-Math.min(trustedProxies, hops.length)) ?? '');
  return ADDRESS.test(hop) ? hop : socketAddress;
}

/** The characters of an IPv4 or an IPv6 address, its zone included. */
const ADDRESS = /^(?:[\d.]{7,15}|[\da-f:.]{2,45}(?:%[\w.-]{1,15})?)$/i;

/** Some proxies add the port of the connection to the address. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop) ?? [];
  return v6 ?? v4 ?? hop;
}

/** Scheme and host that the caller used, for links to this installation (A12). */
export function calledUrl({ host = 'localhost', forwardedProto = '', trustedProxies }: Origin): string {
  const [outermost = ''] = forwardedProto.split(',', 1);
  const secure = trustedProxies > 0 && outermost.trim().toLowerCase() === 'https';
  return `${secure ? 'https' : 'http'}://${host}`;
}

const MAX_HOST_LENGTH = 261;
/** A name or an address, and perhaps a port. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Checks that `Host` can stand in a link (A12). Requests of HTTP/1.0 may have none.
 *
 * @throws MalformedError
 */
export function checkHost({ headers: { host }, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>): void {
  if (host === undefined ? httpVersion !== '1.0' : host.length > MAX_HOST_LENGTH || !HOST.test(host))
    throw new MalformedError('The header Host is not a host.');
}
