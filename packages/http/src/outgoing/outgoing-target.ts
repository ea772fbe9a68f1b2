import { isIP } from 'node:net';
import type { LookupAddress } from 'node:dns';
import type { AddressGuard } from './address-guard.ts';

/** Finds all addresses of a host name, as `dns.promises.lookup` with `all` does. Rejects where there is none. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** A URL, and the addresses of its host, all of them allowed. */
export interface OutgoingTarget {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

/** Why a URL is never called, whatever its host resolves to; undefined where it may be. */
export function urlProblem(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return 'the URL is not well-formed';
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return 'the URL is neither http nor https';
  if (parsed.username !== '' || parsed.password !== '') return 'the URL carries a user name or a password';
  return undefined;
}

/** The address that a URL has as its host; undefined where that is a name. */
export function addressIn(url: string): string | undefined {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

/** Resolves the host of `url` once. Refuses it if one of its addresses is refused. */
export async function outgoingTarget(
  url: string,
  { guard, resolve }: { readonly guard: AddressGuard; readonly resolve: Resolve },
): Promise<OutgoingTarget | { readonly refused: string }> {
  const problem = urlProblem(url);
  if (problem !== undefined) return { refused: problem };
  const parsed = new URL(url);
  const address = addressIn(url);
  const addresses = address === undefined ? await resolve(parsed.hostname) : [{ address, family: isIP(address) }];
  const refused = addresses.map(({ address }) => guard.refusal(address)).find((reason) => reason !== undefined);
  if (refused !== undefined) return { refused };
  return { url: parsed, addresses };
}
