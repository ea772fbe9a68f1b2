import { hash } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether `text` has the form of an API key: a UUID in any letter case (K2). */
export function isKeyShaped(text: string): boolean {
  return UUID.test(text);
}

/** The only form in which a key is stored or looked up (K2): SHA-256 of its lower-case spelling, as 64 lower-case hex digits. */
export function hashKey(key: string): string {
  return hash('sha256', key.toLowerCase(), 'hex');
}
