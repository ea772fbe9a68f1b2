import { ECDH } from 'node:crypto';
import { type AddressGuard, addressIn, urlProblem } from '@tocsin/http';

/** Names of the machine itself and of networks that are not the public internet. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal)\.?$/i;

/**
 * Why messages may not be sent to an endpoint of a push service; undefined where they may. Only the owner of an address that is allowed
 * by a setting may leave out TLS. What a name leads to is checked each time that a message is sent.
 */
export function endpointFault(endpoint: string, guard: Pick<AddressGuard, 'allows' | 'refusal'>): string | undefined {
  const problem = urlProblem(endpoint);
  if (problem !== undefined) return `is refused: ${problem}`;
  const { hostname, protocol } = new URL(endpoint);
  const address = addressIn(endpoint);
  const refusal = address === undefined ? undefined : guard.refusal(address);
  if (refusal !== undefined) return `is refused: ${refusal}`;
  if (LOCAL_NAME.test(hostname)) return 'is refused: the name is not public';
  const mayBePlain = address !== undefined && guard.allows(address);
  return protocol === 'https:' || mayBePlain ? undefined : 'should begin with https://';
}

/** Whether the text is a point of the curve P-256, uncompressed, as base64url. */
export function isPublicKey(text: string): boolean {
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url');
    return text.startsWith('B');
  } catch {
    return false;
  }
}
