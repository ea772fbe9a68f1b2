import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { NoticeCommand } from '@tocsin/contracts';
import { withCode, type CodeSent, type NewCode } from '../domain/contact-verification.ts';
import type { User } from '../domain/user.ts';
import type { SentCode } from '../domain/verification.ts';

/** Six digits, each combination as likely as another (U3). */
export const randomCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** A code that nobody was sent yet. Its text goes into the notice and nowhere else. */
export interface FreshCode extends NewCode {
  readonly noticeId: string;
  readonly code: string;
}

export interface CodeSources {
  readonly newId: () => string;
  readonly newCode: () => string;
}

/** What sending comes to, with the notice that brings the code where one goes out. */
export type Dispatch =
  | { readonly kind: 'sent'; readonly user: User; readonly notices: readonly [NoticeCommand] }
  | Exclude<CodeSent, { readonly kind: 'sent' }>;

export function freshCode({ newId, newCode }: CodeSources): FreshCode {
  const [noticeId, salt, code] = [newId(), newId(), newCode()];
  return { noticeId, code, salt, hash: hashOf(salt, code).toString('hex') };
}

/** The user with that code for one contact, and the order to send it. Called again with the same code, the same order. */
export function dispatched(user: User, contactId: string, fresh: FreshCode, now: Date): Dispatch {
  const sent = withCode(user, contactId, fresh, now);
  if (sent.kind !== 'sent') return sent;
  const { id, method, to } = sent.contact;
  const notice: NoticeCommand = {
    kind: 'contact-verification',
    noticeId: fresh.noticeId,
    userId: user.id,
    username: user.username,
    contactId: id,
    method,
    to,
    code: fresh.code,
    at: now.toISOString(),
    expiresAt: sent.expiresAt.toISOString(),
  };
  return { kind: 'sent', user: sent.user, notices: [notice] };
}

/** Whether `guess` is the code, found out in a time that does not depend on how much of it is right. */
export function isCode(guess: string, { salt, hash }: SentCode): boolean {
  return timingSafeEqual(hashOf(salt, guess), Buffer.from(hash, 'hex'));
}

const hashOf = (salt: string, code: string): Buffer => createHash('sha256').update(`${salt}:${code}`).digest();
