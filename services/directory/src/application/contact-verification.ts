import type { Clock } from '@tocsin/clock';
import { InvalidError, ThrottledError } from '@tocsin/errors';
import { withGuess, type Confirmation } from '../domain/contact-verification.ts';
import type { TooSoon } from '../domain/verification.ts';
import type { UserChange, UserStore } from '../ports/user-store.ts';
import { changeUser } from './existing-user.ts';
import { unknownContact } from './not-found.ts';
import type { ContactPath } from './contacts.ts';
import { dispatched, freshCode, isCode, type CodeSources } from './verification-codes.ts';

export interface ContactVerificationDependencies extends CodeSources {
  readonly users: UserStore;
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
   * Sends a new code; older ones are of no use from then on.
   *
   * @throws NotFoundError when there is no such user or contact.
   * @throws InvalidError when the contact needs no confirmation.
   * @throws ThrottledError when too many codes went out lately.
   */
  async send({ user, contactId }: ContactPath): Promise<void> {
    const fresh = freshCode(this.#ports);
    await changeUser(this.#ports.users, user, (present) => {
      const dispatch = dispatched(present, contactId, fresh, this.#ports.clock.now());
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
   * Makes a contact usable by its code. A wrong guess counts, however many come at once. A contact that is confirmed stays
   * so, whatever the code.
   *
   * @throws NotFoundError when there is no such user or contact.
   * @throws InvalidError when the guess is wrong, or no code can be used any more.
   */
  async confirm({ user, contactId }: ContactPath, guess: string): Promise<void> {
    const refused = await changeUser(this.#ports.users, user, (present): UserChange<Refused | undefined> => {
      const now = this.#ports.clock.now();
      const confirmation = withGuess(present, contactId, (code) => isCode(guess, code), now);
      switch (confirmation.kind) {
        case 'missing':
          throw unknownContact(contactId);
        case 'confirmed':
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
}

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
