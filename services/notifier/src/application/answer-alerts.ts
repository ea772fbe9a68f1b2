import type { Clock } from '@tocsin/clock';
import type { UserState } from '@tocsin/contracts';
import type { AlertAct } from '../domain/alert-act.ts';
import type { AnswerOutcome, PointlessAnswer } from '../domain/answer-outcome.ts';
import { actIdOf, isSameNumber, type Answerable, type AnsweredPage } from '../domain/answerable.ts';
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

/** Who answers, and how. */
type Given = Pick<AlertAct, 'user' | 'answer'>;

/** How an answer came by phone, and the method of the message that it answers. */
type Way = Pick<AlertAct['answer'], 'method'> & { readonly by: 'reply' | 'key' };

/** Takes what people answer to messages about an alert: by a link, a reply or a key during a call (U9). */
export class AnswerAlerts {
  readonly #ports: AnswerAlertsPorts;

  constructor(ports: AnswerAlertsPorts) {
    this.#ports = ports;
  }

  /**
   * Acknowledges or closes the alert by phone, in the name of the contact's owner, once for each page. Once this resolves to
   * `taken`, the order survives any crash.
   *
   * @throws UnavailableError where the user cannot be looked up; what the stores throw. Then the same answer may be given
   * again.
   */
  async answer(about: Answerable, action: AlertAct['action'], { by, method }: Way): Promise<AnswerOutcome> {
    const { to, userId } = about;
    const user = await this.actor(userId);
    if (user === undefined) return 'nobody';
    if (!hasNumber(user, method, to)) return 'unused';
    return (await this.pointless(about, action)) ?? this.order(about, action, { user, answer: { by, method, to } });
  }

  /** Who may act; undefined of a user who is blocked or gone. @throws as {@link answer}. */
  async actor(userId: string): Promise<UserState | undefined> {
    const { users } = this.#ports;
    const user = users.get(userId) ?? (await users.fetch('id', userId));
    return user?.blocked === true ? undefined : user;
  }

  /** Why an answer changes nothing, or undefined. What is known here may be a moment old: alert-processor has the last word. */
  async pointless(page: AnsweredPage, action: AlertAct['action']): Promise<PointlessAnswer | undefined> {
    const { acts, standings } = this.#ports;
    const standing = (await standings.of([page.alertId])).get(page.alertId);
    if (standing?.status === 'deleted' || standing?.status === 'closed') return standing.status;
    if (await acts.isKnown(actIdOf(page, action))) return 'repeated';
    return action === 'acknowledge' && isAcknowledged(standing) ? 'acknowledged' : undefined;
  }

  /** Orders the change, once for each page. @throws as {@link answer}. */
  async order(
    page: AnsweredPage,
    action: AlertAct['action'],
    { answer, user: { id, username } }: Given,
  ): Promise<'taken' | 'repeated'> {
    const { acts, clock } = this.#ports;
    const act = { requestId: actIdOf(page, action), action, alertId: page.alertId, user: { id, username }, answer };
    return (await acts.take(act, clock.now())) ? 'taken' : 'repeated';
  }
}

const hasNumber = ({ contacts }: UserState, method: Way['method'], to: string): boolean =>
  contacts.some(
    (contact) => contact.method === method && isSameNumber(contact.to, to) && unusable(contact) === undefined,
  );
