import type { Clock } from '@tocsin/clock';
import type { UserState } from '@tocsin/contracts';
import type { LinkSigner } from '@tocsin/key-auth';
import { readLinkSubject, type AcknowledgeLink } from '../domain/acknowledge-link.ts';
import type { PointlessAnswer } from '../domain/answer-outcome.ts';
import type { AlertMessages } from '../ports/alert-messages.ts';
import type { AnswerAlerts } from './answer-alerts.ts';

export interface AcknowledgeByLinkPorts {
  readonly links: LinkSigner;
  readonly answers: Pick<AnswerAlerts, 'actor' | 'pointless' | 'order'>;
  readonly messages: AlertMessages;
  readonly clock: Clock;
}

/** What a link leads to. `open`: the alert can be acknowledged. `taken`: it is, in a moment. */
export type LinkOutcome =
  | { readonly kind: 'forged' | 'expired' }
  /** Its user is gone or blocked. */
  | { readonly kind: 'nobody'; readonly alert: NamedAlert }
  | {
      readonly kind: 'open' | 'taken' | PointlessAnswer;
      readonly alert: NamedAlert;
      readonly username: string;
      /** What the alert says, where it is shown and known. */
      readonly message?: string;
    };

type NamedAlert = Pick<AcknowledgeLink, 'tinyId' | 'priority'>;

type KnownOutcome = Extract<LinkOutcome, { username: string }>;

/** The links in messages, by which whoever was told of an alert acknowledges it (U9, U14). */
export class AcknowledgeByLink {
  readonly #ports: AcknowledgeByLinkPorts;

  constructor(ports: AcknowledgeByLinkPorts) {
    this.#ports = ports;
  }

  /** What the link would do now. Changes nothing. @throws UnavailableError when its user cannot be looked up. */
  async look(token: string): Promise<LinkOutcome> {
    const read = await this.#read(token);
    if (!('link' in read)) return read;
    const { answers, messages } = this.#ports;
    const found = outcome(read, (await answers.pointless(read.link, 'acknowledge')) ?? 'open');
    const message = await messages.messageOf(read.link.alertId);
    return message === undefined ? found : { ...found, message };
  }

  /** Acknowledges as the user of the link, once. @throws UnavailableError as {@link look}. */
  async follow(token: string): Promise<LinkOutcome> {
    const read = await this.#read(token);
    if (!('link' in read)) return read;
    const { answers } = this.#ports;
    const { link, user } = read;
    const given = { user, answer: { by: 'link' as const, method: link.method } };
    const pointless = await answers.pointless(link, 'acknowledge');
    return outcome(read, pointless ?? (await answers.order(link, 'acknowledge', given)));
  }

  async #read(token: string): Promise<Read | Exclude<LinkOutcome, KnownOutcome>> {
    const { answers, clock, links } = this.#ports;
    const signed = links.read(token, clock.now());
    if (signed.kind !== 'valid') return signed;
    const link = readLinkSubject(signed.subject);
    if (link === undefined) return { kind: 'forged' };
    const user = await answers.actor(link.userId);
    return user === undefined ? { kind: 'nobody', alert: namedAlert(link) } : { link, user };
  }
}

interface Read {
  readonly link: AcknowledgeLink;
  readonly user: UserState;
}

const namedAlert = ({ priority, tinyId }: AcknowledgeLink): NamedAlert => ({ tinyId, priority });

const outcome = ({ link, user }: Read, kind: KnownOutcome['kind']): KnownOutcome => ({
  kind,
  alert: namedAlert(link),
  username: user.username,
});
