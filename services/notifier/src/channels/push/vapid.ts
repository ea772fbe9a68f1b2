import { createECDH } from 'node:crypto';
import { z } from 'zod';

/** The keys by which push services know the installation (VAPID, RFC 8292), and whom their operators may ask. */
export interface VapidKeys {
  /** 65 bytes as base64url: browsers subscribe with it. */
  readonly publicKey: string;
  /** 32 bytes as base64url. */
  readonly privateKey: string;
  /** `mailto:…` or `https://…`. */
  readonly subject: string;
}

const PRIVATE_KEY_BYTES = 32;

/** The public key of a private key; undefined where that is none. */
function publicKeyOf(privateKey: Buffer): string | undefined {
  try {
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(privateKey);
    return curve.getPublicKey('base64url', 'uncompressed');
  } catch {
    return undefined;
  }
}

/** Hexadecimal digits or base64 of either alphabet. */
const bytesOf = (written: string): Buffer => Buffer.from(written, /^[\da-f]{64}$/i.test(written) ? 'hex' : 'base64');

/** The settings of Web Push. */
export const WEB_PUSH_SETTINGS = {
  /**
   * 32 random bytes in base64 or hexadecimal. Unset: no browser can be registered. Another key ends all subscriptions.
   */
  VAPID_PRIVATE_KEY: z
    .string()
    .trim()
    .transform(bytesOf)
    .refine(
      (key) => key.length === PRIVATE_KEY_BYTES && publicKeyOf(key) !== undefined,
      'should be 32 random bytes in base64, as `openssl rand -base64 32` prints them',
    )
    .transform((key) => key.toString('base64url'))
    .optional(),
  /** Whom operators of push services may ask about the messages. Unset: `PUBLIC_URL` where it is https, else `MAIL_FROM`. */
  VAPID_SUBJECT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'should be mailto:ops@example.com or an https URL')
    .optional(),
} as const;

export interface WebPushConfig {
  readonly vapidPrivateKey: string | undefined;
  readonly vapidSubject: string | undefined;
  readonly publicUrl: string | undefined;
  readonly mailFrom: string;
}

/** The keys of the installation; undefined without `VAPID_PRIVATE_KEY`. */
export function vapidKeys({
  mailFrom,
  publicUrl,
  vapidPrivateKey,
  vapidSubject,
}: WebPushConfig): VapidKeys | undefined {
  if (vapidPrivateKey === undefined) return undefined;
  const publicKey = publicKeyOf(Buffer.from(vapidPrivateKey, 'base64url'));
  if (publicKey === undefined) return undefined;
  const subject = vapidSubject ?? (isHttps(publicUrl) ? publicUrl : `mailto:${addressOf(mailFrom)}`);
  return { privateKey: vapidPrivateKey, publicKey, subject };
}

const isHttps = (url: string | undefined): url is string => url?.startsWith('https://') === true;

/** The address of a sender such as `Tocsin <tocsin@example.com>`. */
const addressOf = (sender: string): string => /[^\s<>"(),]+@[^\s<>"(),]+/.exec(sender)?.[0] ?? sender;
