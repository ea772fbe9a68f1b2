import type { IncomingMessage } from 'node:http';
import { ForbiddenError } from '@tocsin/core';
import { type ConsoleCookies, consoleCookies, isLoopback, plainAddress } from '@tocsin/http';

/** The header that only a script of the own origin can send: of another origin it needs a preflight request, which is refused. */
const CONSOLE_HEADER = 'x-tocsin-console';
/** The headers that a proxy adds to a request that it forwards. */
const PROXY_HEADER = /^(?:via$|forwarded$|x-forwarded-)/;
const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/** The headers about the origin of a request. */
type Connected = Pick<IncomingMessage, 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/**
 * The cookies of people at this request (K22): those of the setting `PUBLIC_URL` over https, or those of loopback where neither the
 * setting nor the host of the request leads elsewhere. Without the setting the other end of the connection has to be this machine too,
 * because a caller elsewhere can write any host. Undefined: people have no sessions here.
 */
export function cookiesOf(request: Connected, publicUrl: string | undefined): ConsoleCookies | undefined {
  if (publicUrl?.startsWith('https://') === true) return consoleCookies(publicUrl);
  const called = `http://${request.headers.host ?? ''}`;
  if (!isLoopback(URL.parse(called)?.hostname ?? '')) return undefined;
  if (publicUrl === undefined && !isOfThisMachine(request)) return undefined;
  return consoleCookies(publicUrl ?? called);
}

/** Whether a process of this machine sent the request. One with a header of a proxy may come from elsewhere. */
function isOfThisMachine({ headers, socket: { remoteAddress } }: Connected): boolean {
  if (Object.keys(headers).some((name) => PROXY_HEADER.test(name))) return false;
  const address = plainAddress(remoteAddress);
  return isLoopback(address.includes(':') ? `[${address}]` : address);
}

/**
 * Refuses requests that a page of another origin may have caused (K22). Browsers say where a request began. A read may lack that, because
 * the cookie comes from no other site; a write may not.
 *
 * @throws ForbiddenError
 */
export function checkOrigin({ headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): void {
  const site = headers['sec-fetch-site'];
  if (READS.has(method)) {
    if (site === undefined || site === 'same-origin' || site === 'none') return;
    throw new ForbiddenError('A page of another origin can not use the session of a person.');
  }
  if (site !== 'same-origin' || headers[CONSOLE_HEADER] !== '1')
    throw new ForbiddenError(
      'A write of a person needs the headers Sec-Fetch-Site: same-origin, which browsers send, and X-Tocsin-Console: 1.',
    );
}
