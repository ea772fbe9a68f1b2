import { createHash, randomInt } from 'node:crypto';
import { type Clock, InvalidError, ThrottledError } from '@tocsin/core';
import type { NoticeCommand } from '@tocsin/events';
import { type CodeSealer, isEqualInConstantTime } from '@tocsin/http';
import type { Users } from '../users/operations.ts';
import type { User, UserChange } from '../users/user.ts';
import { type ContactPath, unknownContact } from './contact.ts';
import type { SentCode, TooSoon } from './verification-code.ts';
import { type CodeSent, type Confirmation, type NewCode, withCode, withGuess } from './verification.ts';

export interface ContactVerificationDependencies extends CodeSources {
  readonly users: Pick<Users, 'change' | 'changeAddress' | 'get'>;
  readonly clock: Clock;
}

type Refused = Exclude<Confirmation, { readonly kind: 'confirmed' | 'missing' }>;

/** Confirms contacts by codes that are sent to them (U3). */
export class ContactVerification {
  readonly #ports: ContactVerificationDependencies;

  constructor(ports: ContactVerificationDependencies) {
    this.#ports = ports;
  }

  /**
   * Sends a new code; older ones cannot be used any more.
   *
   * @throws NotFoundError when there is no such user or contact.
   * @throws InvalidError when the contact needs no confirmation.
   * @throws ThrottledError when too many codes went out lately.
   */
  async send({ user, contactId }: ContactPath): Promise<void> {
    const fresh = freshCode(this.#ports);
    await this.#ports.users.change(user, (present) => {
      const dispatch = orderCode(present, contactId, fresh, this.#ports.clock.now());
      switch (dispatch.kind) {
        case 'sent':
          return { ...dispatch, answer: undefined };
        case 'missing':
          throw unknownContact(contactId);
        case 'verified':
          throw InvalidError.about('contactId', 'Contact is verified already.');
        case 'too-soon':
          throw tooSoon(dispatch);
      }
    });
  }

  /**
   * Makes a contact usable by its code. Every wrong guess counts, also of concurrent ones. A confirmed contact stays confirmed,
   * whatever the code is.
   *
   * @throws NotFoundError when there is no such user or contact.
   * @throws InvalidError when the guess is wrong, or no code can be used any more, or the contact is an account that is a device of
   *   another user.
   */
  async confirm({ user, contactId }: ContactPath, guess: string): Promise<void> {
    const refused = await this.#change({ user, contactId }, (present, isHeld): UserChange<Refused | undefined> => {
      const now = this.#ports.clock.now();
      const confirmation = withGuess(present, contactId, (code) => isCode(guess, code), now);
      switch (confirmation.kind) {
        case 'missing':
          throw unknownContact(contactId);
        case 'confirmed':
          if (isHeld) throw InvalidError.about('contactId', HELD);
          return { user: confirmation.user, answer: undefined };
        case 'wrong':
          return { user: confirmation.user, answer: confirmation };
        case 'none-sent':
        case 'expired':
        case 'used-up':
          return { user: present, answer: confirmation };
      }
    });
    if (refused !== undefined) throw InvalidError.ofFields({ code: faultOf(refused) });
  }

  /** `isHeld`: the contact is a device, whose address never changes, and a device of another user has it. */
  async #change<T>(
    { contactId, user }: ContactPath,
    work: (present: User, isHeld: boolean) => UserChange<T>,
  ): Promise<T> {
    const { users } = this.#ports;
    const { contacts, id } = await users.get(user);
    const contact = contacts.find((each) => each.id === contactId);
    if (contact?.method !== 'mobile') return users.change(user, (present) => work(present, false));
    const changed = await users.changeAddress(id, contact.to, (present, isHeld) => {
      const { answer, ...rest } = work(present, isHeld);
      return { ...rest, answer: { answer } };
    });
    if (changed === undefined) throw unknownContact(contactId);
    return changed.answer;
  }
}

/** An account is a device of one user (U13). */
const HELD = 'This account is a device of another user. Delete that device first.';

function faultOf(refused: Refused): string {
  switch (refused.kind) {
    case 'wrong':
      return `is not the code that was sent; tries left: ${refused.triesLeft}`;
    case 'none-sent':
      return 'was not sent yet; ask for one';
    case 'expired':
      return 'has expired; ask for a new one';
    case 'used-up':
      return 'was guessed at too often; ask for a new one';
  }
}

const tooSoon = ({ retryAfterSeconds, periodSeconds }: TooSoon) =>
  new ThrottledError(`Too many codes were sent lately. Ask again in ${retryAfterSeconds} s.`, {
    reason: 'USER',
    periodSeconds,
    retryAfterSeconds,
  });

/** Digits, each combination as likely as another (U3). */
export const randomCode = (digits = 6): string => String(randomInt(10 ** digits)).padStart(digits, '0');

/** A new code. Its text goes into the notice and nowhere else. */
export interface FreshCode extends NewCode {
  readonly noticeId: string;
  /** Sealed. */
  readonly code: string;
}

export interface CodeSources {
  readonly newId: () => string;
  readonly newCode: () => string;
  readonly codeSealer: Pick<CodeSealer, 'seal'>;
}

/** The result of sending a code, with the notice that contains it. */
type Dispatch =
  | { readonly kind: 'sent'; readonly user: User; readonly notices: readonly [NoticeCommand] }
  | Exclude<CodeSent, { readonly kind: 'sent' }>;

export function freshCode({ codeSealer, newCode, newId }: CodeSources): FreshCode {
  const [noticeId, salt, code] = [newId(), newId(), newCode()];
  return { noticeId, code: codeSealer.seal(noticeId, code), salt, hash: hashOf(salt, code).toString('hex') };
}

/** The user with that code for one contact, and the order to send it. Called again with the same code, the same order. */
function orderCode(user: User, contactId: string, fresh: FreshCode, now: Date): Dispatch {
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

const NO_CODE_SENT = 'No code was sent, because too many were sent lately. Ask for one later.';

/** The answer to a write of a contact. */
export interface ContactAnswer {
  readonly id: string;
  /** For users. */
  readonly message: string | undefined;
}

/** Sends the code of a contact that needs one, unless too many were sent lately: then its owner has to ask for one. */
export function withCodeSent(user: User, id: string, fresh: FreshCode, now: Date): UserChange<ContactAnswer> {
  const dispatch = orderCode(user, id, fresh, now);
  if (dispatch.kind === 'sent')
    return { ...dispatch, answer: { id, message: 'The code that confirms the contact is on its way.' } };
  const message = dispatch.kind === 'too-soon' ? NO_CODE_SENT : undefined;
  return { user, answer: { id, message } };
}

/** Whether `guess` is the code, found out in constant time. */
export function isCode(guess: string, { salt, hash }: SentCode): boolean {
  return isEqualInConstantTime(hashOf(salt, guess), Buffer.from(hash, 'hex'));
}

const hashOf = (salt: string, code: string): Buffer => createHash('sha256').update(`${salt}:${code}`).digest();
