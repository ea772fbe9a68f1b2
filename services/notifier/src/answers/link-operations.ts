import type { Clock } from '@tocsin/core';
import type { UserState } from '@tocsin/events';
import type { LinkSigner } from '@tocsin/http';
import { type AcknowledgeLink, readLinkSubject } from './acknowledge-link.ts';
import type { PointlessAnswer } from './answer.ts';
import type { Alerts } from './client.ts';
import type { AnswerAlerts } from './operations.ts';

export interface AcknowledgeByLinkPorts {
  readonly links: LinkSigner;
  readonly answers: Pick<AnswerAlerts, 'actor' | 'whyWithoutEffect' | 'order'>;
  readonly alerts: Alerts;
  readonly clock: Clock;
}

/** The state that the page of a link shows. `open`: the user can acknowledge the alert. `taken`: its command is stored. */
export type LinkOutcome =
  | { readonly kind: 'forged' | 'expired' }
  /** Its user is deleted or blocked. */
  | { readonly kind: 'no-user'; readonly alert: NamedAlert }
  | {
      readonly kind: 'open' | 'taken' | PointlessAnswer;
      readonly alert: NamedAlert;
      readonly username: string;
      /** The message of the alert, where the page shows it and alert-processor has answered. */
      readonly message?: string;
    };

type NamedAlert = Pick<AcknowledgeLink, 'alertId' | 'tinyId' | 'priority'>;

type KnownOutcome = Extract<LinkOutcome, { username: string }>;

/** The links in messages, by which a user acknowledges an alert (U9, U14). */
export class AcknowledgeByLink {
  readonly #ports: AcknowledgeByLinkPorts;

  constructor(ports: AcknowledgeByLinkPorts) {
    this.#ports = ports;
  }

  /** The effect that the link would have now. Changes nothing. @throws UnavailableError when its user cannot be looked up. */
  async look(token: string): Promise<LinkOutcome> {
    const read = await this.#read(token);
    if (!('link' in read)) return read;
    const { alerts, answers } = this.#ports;
    const alert = await alerts.find(read.link.alertId);
    const found = outcome(read, (await answers.whyWithoutEffect(read.link, 'acknowledge', alert)) ?? 'open');
    return alert === undefined || alert === 'gone' ? found : { ...found, message: alert.message };
  }

  /** Acknowledges as the user of the link, once. @throws UnavailableError as {@link look}. */
  async follow(token: string): Promise<LinkOutcome> {
    const read = await this.#read(token);
    if (!('link' in read)) return read;
    const { alerts, answers } = this.#ports;
    const { link, user } = read;
    const given = { actor: user, answer: { by: 'link' as const, method: link.method } };
    const pointless = await answers.whyWithoutEffect(link, 'acknowledge', await alerts.find(link.alertId));
    return outcome(read, pointless ?? (await answers.order(link, { action: 'acknowledge' }, given)));
  }

  async #read(token: string): Promise<Read | Exclude<LinkOutcome, KnownOutcome>> {
    const { answers, clock, links } = this.#ports;
    const signed = links.read(token, clock.now());
    if (signed.kind !== 'valid') return signed;
    const link = readLinkSubject(signed.subject);
    if (link === undefined) return { kind: 'forged' };
    const user = await answers.actor(link.userId);
    return user === undefined ? { kind: 'no-user', alert: namedAlert(link) } : { link, user };
  }
}

interface Read {
  readonly link: AcknowledgeLink;
  readonly user: UserState;
}

const namedAlert = ({ alertId, priority, tinyId }: AcknowledgeLink): NamedAlert => ({ alertId, tinyId, priority });

const outcome = ({ link, user }: Read, kind: KnownOutcome['kind']): KnownOutcome => ({
  kind,
  alert: namedAlert(link),
  username: user.username,
});
