import { createHmac, hash } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether `text` has the form of an API key: a UUID in any letter case (K2). */
export function isKeyShaped(text: string): boolean {
  return UUID.test(text);
}

/** The only form in which a key is stored or looked up (K2): SHA-256 of its lower-case spelling, as 64 lower-case hex digits. */
export function hashKey(key: string): string {
  return hash('sha256', key.toLowerCase(), 'hex');
}

/** The function that derives a signing secret from a key; a receiver uses the same, so it never changes. */
const WEBHOOK_PURPOSE = 'tocsin-webhook-v1';

/**
 * The secret with which webhooks of the integration that has `key` are signed (P12), as 64 lower-case hex digits: HMAC-SHA256 of
 * a fixed text under the lower-case key. A caller that knows the key can compute it; neither {@link hashKey} nor this leads to the
 * other or to the key.
 */
export function webhookSecretOf(key: string): string {
  return createHmac('sha256', key.toLowerCase()).update(WEBHOOK_PURPOSE).digest('hex');
}
