import { createHmac } from 'node:crypto';

/**
 * The value of the header `X-Tocsin-Signature`: when it was signed, in seconds, and an HMAC-SHA256 of that, a dot and the body
 * under each secret, the present one first. A receiver believes a body of which one signature is right, and that is not old.
 */
export function signature(body: string, secrets: readonly string[], now: Date): string {
  const at = Math.floor(now.getTime() / 1_000);
  const signed = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`);
  return [`t=${at}`, ...signed].join(',');
}
