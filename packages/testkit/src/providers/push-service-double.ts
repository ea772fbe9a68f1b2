import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';

/** A subscription as a browser hands it over: `PushSubscription.toJSON()`. */
export interface BrowserSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** A message as the browser gets it: decrypted. */
export interface BrowserMessage {
  /** Of the subscription. */
  readonly endpoint: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly ttl: number;
  readonly urgency: string | undefined;
  readonly topic: string | undefined;
  /** Whom its sender names. */
  readonly subject: string;
}

/** A double of the push service of a browser (RFC 8030, 8291, 8292), which can also decrypt what it was sent. */
export interface PushService extends ProviderDouble<BrowserMessage> {
  /** A browser that subscribes, for messages that the holder of `serverKey` has signed. */
  subscribe(serverKey: string, path?: string): BrowserSubscription;
  /** From now on it answers 410 to messages for this subscription. */
  unsubscribe(subscription: BrowserSubscription): void;
}

interface Subscriber {
  readonly keys: ECDH;
  readonly auth: Buffer;
  readonly serverKey: string;
  isGone: boolean;
}

/** Starts a double of a push service. It answers 201, 400 to a message that it cannot decrypt, and 403 to a signature that is not right. */
export async function startPushService(): Promise<PushService> {
  const subscribers = new Map<string, Subscriber>();
  const double = await startDouble<BrowserMessage>((request) => reading(request, subscribers));
  return {
    ...double,
    subscribe: (serverKey, path = `/push/${randomBytes(24).toString('base64url')}`) => {
      const keys = createECDH('prime256v1');
      keys.generateKeys();
      const auth = randomBytes(16);
      subscribers.set(path, { keys, auth, serverKey, isGone: false });
      const p256dh = keys.getPublicKey('base64url', 'uncompressed');
      return { endpoint: `${double.url}${path}`, keys: { p256dh, auth: auth.toString('base64url') } };
    },
    unsubscribe: ({ endpoint }) => {
      const subscriber = subscribers.get(new URL(endpoint).pathname);
      if (subscriber !== undefined) subscriber.isGone = true;
    },
  };
}

function reading(
  { bytes, headers, method, path }: SeenRequest,
  subscribers: ReadonlyMap<string, Subscriber>,
): Reading<BrowserMessage> {
  const subscriber = subscribers.get(path);
  if (method !== 'POST' || subscriber === undefined) return refused(404, 'unknown endpoint');
  if (subscriber.isGone) return refused(410, 'unsubscribed');
  const origin = `http://${headers.host ?? ''}`;
  const signed = signature(headers.authorization ?? '', { origin, serverKey: subscriber.serverKey });
  if (typeof signed === 'string') return refused(403, signed);
  const fault = headerFault(headers);
  if (fault !== undefined) return refused(400, fault);
  const text = decrypted(bytes, subscriber);
  if (text === undefined) return refused(400, 'it cannot be decrypted');
  const message = {
    endpoint: `${origin}${path}`,
    payload: JSON.parse(text) as Readonly<Record<string, unknown>>,
    ttl: Number(headers['ttl']),
    urgency: header(headers['urgency']),
    topic: header(headers['topic']),
    subject: signed.subject,
  };
  return { message, said: { status: 201, body: 'created' } };
}

function headerFault(headers: SeenRequest['headers']): string | undefined {
  if (!/^\d+$/.test(header(headers['ttl']) ?? '')) return 'no TTL';
  return headers['content-encoding'] === 'aes128gcm' ? undefined : 'unknown encoding';
}

const header = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const refused = (status: number, body: string): Reading<never> => ({ refused: { status, body } });

const DAY_SECONDS = 86_400;

/** Who signed (RFC 8292), or why the signature does not count. */
function signature(
  authorization: string,
  { origin, serverKey }: { readonly origin: string; readonly serverKey: string },
): { readonly subject: string } | string {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  if (key !== serverKey) return 'not the key of the subscription';
  if (!isSignedBy(token, key)) return 'the signature is not right';
  const [, claims = ''] = token.split('.');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
  if (aud !== origin) return 'it is signed for another push service';
  if (!isInTime(exp)) return 'it has expired, or is valid for too long';
  return isContact(sub) ? { subject: sub } : 'it names no sender';
}

const isContact = (subject: unknown): subject is string =>
  typeof subject === 'string' && /^(?:mailto:|https:)/.test(subject);

function isInTime(expiresAt: unknown): boolean {
  const now = Date.now() / 1_000;
  return typeof expiresAt === 'number' && expiresAt > now && expiresAt <= now + DAY_SECONDS;
}

/** Whether the holder of the private key of `key`, a point as base64url, signed the token (ES256). */
function isSignedBy(token: string, key: string): boolean {
  const [head = '', claims = '', signed = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signed, 'base64url'));
}

const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** A record ends with it, and may have zeros behind it. */
const LAST_RECORD = 2;

/** The text of one encrypted record (RFC 8188, 8291); undefined for anything else. */
function decrypted(body: Buffer, { auth, keys }: Subscriber): string | undefined {
  try {
    const salt = body.subarray(0, SALT_BYTES);
    const recordBytes = body.readUInt32BE(SALT_BYTES);
    const keyLength = body.readUInt8(SALT_BYTES + 4);
    const start = SALT_BYTES + 5 + keyLength;
    const sender = body.subarray(SALT_BYTES + 5, start);
    const record = body.subarray(start);
    if (record.length > recordBytes || body.length > 4_096) return undefined;
    const own = keys.getPublicKey(null, 'uncompressed');
    const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender]);
    const secret = derived(keys.computeSecret(sender), { salt: auth, info: keyInfo, length: 32 });
    const key = derived(secret, { salt, info: Buffer.from('Content-Encoding: aes128gcm\0'), length: 16 });
    const nonce = derived(secret, { salt, info: Buffer.from('Content-Encoding: nonce\0'), length: 12 });
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(record.subarray(-TAG_BYTES));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
    const end = padded.lastIndexOf(LAST_RECORD);
    return padded.subarray(0, end).toString();
  } catch {
    return undefined;
  }
}

interface Derivation {
  readonly salt: Buffer;
  readonly info: Buffer;
  readonly length: number;
}

const derived = (secret: Buffer, { info, length, salt }: Derivation): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));
