import type { Clock } from '@tocsin/core';
import type { UserState } from '@tocsin/events';
import { whyUnusable } from '../messages/recheck.ts';
import type { UserReplica } from '../messages/user-client.ts';
import {
  actIdOf,
  type AlertAct,
  type AlertChange,
  type AnswerAction,
  type Answerable,
  type AnsweredPage,
  type AnswerOutcome,
  isSameNumber,
  type PointlessAnswer,
} from './answer.ts';
import type { Alerts, KnownAlert } from './client.ts';
import type { ActStore } from './store.ts';

export interface AnswerAlertsPorts {
  readonly alerts: Alerts;
  readonly users: UserReplica;
  readonly acts: Pick<ActStore, 'take' | 'isKnown'>;
  readonly clock: Clock;
}

/** The actor of an answer, and the method. */
type Given = Pick<AlertAct, 'actor' | 'answer'>;

/** The kind of an answer by phone, and the method of the message that it answers. */
type PhoneAnswer = Pick<AlertAct['answer'], 'method'> & { readonly by: 'reply' | 'key' };

/** Takes answers of users to messages about an alert: links, replies, keys during a call, buttons and commands (U9, U20, U21, C7, C9). */
export class AnswerAlerts {
  readonly #ports: AnswerAlertsPorts;

  constructor(ports: AnswerAlertsPorts) {
    this.#ports = ports;
  }

  /**
   * Acknowledges or closes the alert by phone, in the name of the contact's owner, once for each page. Once this resolves to
   * `taken`, the command survives any crash.
   *
   * @throws UnavailableError where the user cannot be looked up; errors of the stores. The user may then give the same answer
   * again.
   */
  async answer(about: Answerable, action: AnswerAction, { by, method }: PhoneAnswer): Promise<AnswerOutcome> {
    const { to, userId } = about;
    const user = await this.actor(userId);
    if (user === undefined) return 'no-user';
    if (!hasNumber(user, method, to)) return 'unused';
    const alert = await this.#ports.alerts.find(about.alertId);
    const given = { actor: user, answer: { by, method, to } };
    return (await this.whyWithoutEffect(about, action, alert)) ?? this.order(about, { action }, given);
  }

  /** The user who answers; undefined where the user is blocked or deleted. @throws as {@link answer}. */
  async actor(userId: string): Promise<UserState | undefined> {
    const { users } = this.#ports;
    const user = users.get(userId) ?? (await users.fetch('id', userId));
    return user?.blocked === true ? undefined : user;
  }

  /**
   * Why an answer changes nothing, or undefined. `alert` may be a moment old, and is undefined where alert-processor did not
   * answer. alert-processor decides when it executes the command.
   */
  async whyWithoutEffect(
    page: AnsweredPage,
    action: AlertAct['action'],
    alert: Awaited<ReturnType<Alerts['find']>>,
  ): Promise<PointlessAnswer | undefined> {
    if (alert === 'gone') return 'deleted';
    // A closed alert takes notes (A6).
    if (alert?.status === 'closed' && action !== 'note') return 'closed';
    if (await this.#ports.acts.isKnown(actIdOf(page, action))) return 'repeated';
    return action === 'acknowledge' && isAcknowledged(alert) ? 'acknowledged' : undefined;
  }

  /** Stores the command that changes the alert, once for each page and action. @throws as {@link answer}. */
  async order(page: AnsweredPage, change: AlertChange, { actor, answer }: Given): Promise<'taken' | 'repeated'> {
    const { acts, clock } = this.#ports;
    const requestId = actIdOf(page, change.action);
    const act = { ...change, requestId, alertId: page.alertId, actor, answer };
    return (await acts.take(act, clock.now())) ? 'taken' : 'repeated';
  }
}

/** An acknowledgement ends a snooze. */
const isAcknowledged = (alert: KnownAlert | undefined): boolean => alert?.acknowledged === true && !alert.snoozed;

const hasNumber = ({ contacts }: UserState, method: PhoneAnswer['method'], to: string): boolean =>
  contacts.some(
    (contact) => contact.method === method && isSameNumber(contact.to, to) && whyUnusable(contact) === undefined,
  );
