import type { Clock } from '@tocsin/clock';
import type { UserState } from '@tocsin/contracts';
import type { AlertAct } from '../domain/alert-act.ts';
import type { AnswerOutcome } from '../domain/answer-outcome.ts';
import { actIdOf, isSameNumber, type Answerable } from '../domain/answerable.ts';
import { unusable } from '../domain/contact.ts';
import { isAcknowledged } from '../domain/wanted.ts';
import type { ActStore } from '../ports/act-store.ts';
import type { KnownStandings } from '../ports/alert-standings.ts';
import type { Users } from '../ports/users.ts';

export interface AnswerAlertsPorts {
  readonly standings: KnownStandings;
  readonly users: Users;
  readonly acts: ActStore;
  readonly clock: Clock;
}

/** By what way an answer came, to a message of which method. */
type Way = Pick<AlertAct['answer'], 'method'> & { readonly by: 'reply' | 'key' };

/** Takes what people answer by phone to messages about an alert: replies, and keys during a call (U9). */
export class AnswerAlerts {
  readonly #ports: AnswerAlertsPorts;

  constructor(ports: AnswerAlertsPorts) {
    this.#ports = ports;
  }

  /**
   * Acknowledges or closes the alert in the name of the contact's owner, once for each page. Once this resolves to `taken`,
   * the order survives any crash.
   *
   * @throws UnavailableError where the user cannot be looked up; what the stores throw. Then the same answer may be given
   * again.
   */
  async answer(about: Answerable, action: AlertAct['action'], { by, method }: Way): Promise<AnswerOutcome> {
    const { acts, clock, users } = this.#ports;
    const { alertId, to, userId } = about;
    const user = users.get(userId) ?? (await users.fetch('id', userId));
    if (user === undefined || user.blocked) return 'nobody';
    if (!hasNumber(user, method, to)) return 'unused';
    const known = await this.#known(about, action);
    if (known !== undefined) return known;
    const act: AlertAct = {
      requestId: actIdOf(about, action),
      action,
      alertId,
      user: { id: user.id, username: user.username },
      answer: { by, method, to },
    };
    return (await acts.take(act, clock.now())) ? 'taken' : 'repeated';
  }

  /** Why there is nothing to do, or undefined. What is known here may be a moment old: alert-processor has the last word. */
  async #known(about: Answerable, action: AlertAct['action']): Promise<AnswerOutcome | undefined> {
    const { acts, standings } = this.#ports;
    const standing = (await standings.of([about.alertId])).get(about.alertId);
    if (standing?.status === 'deleted' || standing?.status === 'closed') return standing.status;
    if (await acts.isKnown(actIdOf(about, action))) return 'repeated';
    return action === 'acknowledge' && isAcknowledged(standing) ? 'acknowledged' : undefined;
  }
}

const hasNumber = ({ contacts }: UserState, method: Way['method'], to: string): boolean =>
  contacts.some(
    (contact) => contact.method === method && isSameNumber(contact.to, to) && unusable(contact) === undefined,
  );
