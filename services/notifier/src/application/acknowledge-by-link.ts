import type { Clock } from '@tocsin/clock';
import type { UserState } from '@tocsin/contracts';
import type { LinkSigner } from '@tocsin/key-auth';
import { readLinkSubject, type AcknowledgeLink } from '../domain/acknowledge-link.ts';
import type { AlertAct } from '../domain/alert-act.ts';
import { actIdOf } from '../domain/answerable.ts';
import { isAcknowledged } from '../domain/wanted.ts';
import type { ActStore } from '../ports/act-store.ts';
import type { AlertMessages } from '../ports/alert-messages.ts';
import type { KnownStandings } from '../ports/alert-standings.ts';
import type { Users } from '../ports/users.ts';

export interface AcknowledgeByLinkPorts {
  readonly links: LinkSigner;
  readonly standings: KnownStandings;
  readonly users: Users;
  readonly acts: ActStore;
  readonly messages: AlertMessages;
  readonly clock: Clock;
}

/**
 * What a link leads to. `open`: the alert can be acknowledged. `taken`: it is, in a moment. `used`: a link, a reply
 * or a key of the same page was used before. `acknowledged`: by whatever way.
 */
export type LinkOutcome =
  | { readonly kind: 'forged' | 'expired' | 'nobody' }
  | {
      readonly kind: 'open' | 'taken' | 'used' | 'acknowledged' | 'closed' | 'deleted';
      readonly alert: Pick<AcknowledgeLink, 'tinyId' | 'priority'>;
      readonly username: string;
      /** What the alert says, where it is shown and known. */
      readonly message?: string;
    };

type KnownOutcome = Extract<LinkOutcome, { alert: object }>;

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
    const found = outcome(read, await this.#kindOf(read.link));
    const message = await this.#ports.messages.messageOf(read.link.alertId);
    return message === undefined ? found : { ...found, message };
  }

  /** Acknowledges as the user of the link, once. @throws UnavailableError as {@link look}. */
  async follow(token: string): Promise<LinkOutcome> {
    const read = await this.#read(token);
    if (!('link' in read)) return read;
    const { link, user } = read;
    const kind = await this.#kindOf(link);
    if (kind !== 'open') return outcome(read, kind);
    const { acts, clock } = this.#ports;
    const act: AlertAct = {
      requestId: actIdOf(link, 'acknowledge'),
      action: 'acknowledge',
      alertId: link.alertId,
      user: { id: user.id, username: user.username },
      answer: { by: 'link', method: link.method },
    };
    return outcome(read, (await acts.take(act, clock.now())) ? 'taken' : 'used');
  }

  async #read(token: string): Promise<Read | Extract<LinkOutcome, { kind: 'forged' | 'expired' | 'nobody' }>> {
    const { clock, links, users } = this.#ports;
    const signed = links.read(token, clock.now());
    if (signed.kind !== 'valid') return signed;
    const link = readLinkSubject(signed.subject);
    if (link === undefined) return { kind: 'forged' };
    const user = users.get(link.userId) ?? (await users.fetch('id', link.userId));
    return user === undefined || user.blocked ? { kind: 'nobody' } : { link, user };
  }

  async #kindOf(link: AcknowledgeLink): Promise<KnownOutcome['kind']> {
    const { acts, standings } = this.#ports;
    const standing = (await standings.of([link.alertId])).get(link.alertId);
    if (standing?.status === 'deleted' || standing?.status === 'closed') return standing.status;
    if (await acts.isKnown(actIdOf(link, 'acknowledge'))) return 'used';
    return isAcknowledged(standing) ? 'acknowledged' : 'open';
  }
}

interface Read {
  readonly link: AcknowledgeLink;
  readonly user: UserState;
}

const outcome = ({ link: { priority, tinyId }, user }: Read, kind: KnownOutcome['kind']): KnownOutcome => ({
  kind,
  alert: { tinyId, priority },
  username: user.username,
});
