import { eventually, type Mailbox, Scenario } from '@tocsin/testkit';
import type { Api } from '../system/api.ts';

/** An alert, and the address to which it is to be mailed. */
export interface ExpectedMail {
  readonly alias: string;
  readonly address: string;
}

/** Alerts that name the two people whom they page. */
const DIRECT = 3;
/** The delay of a rule whose alert is acknowledged or escalated before it is due. It is due after all cells, and pages no user. */
const LATER_MINUTES = 240;

/**
 * The users of one cell and the alerts that page them: some alerts name them, one has an escalation that an acknowledgement stops, one
 * an escalation whose next rule is requested and, where `isTimed`, one an escalation whose next rule is due after a minute.
 */
export class PagedPeople {
  readonly expected: readonly ExpectedMail[];
  /** The request ids of all accepted requests. */
  readonly accepted: string[] = [];
  readonly #scenario: Scenario;
  readonly #mailbox: Mailbox;
  readonly #cell: number;
  readonly #isTimed: boolean;
  readonly #directs: readonly string[];

  constructor(api: Api, mailbox: Mailbox, { cell, isTimed }: { readonly cell: number; readonly isTimed: boolean }) {
    this.#scenario = new Scenario(api, `cell${cell}.example.com`, new Date());
    this.#mailbox = mailbox;
    this.#cell = cell;
    this.#isTimed = isTimed;
    this.#directs = Array.from({ length: DIRECT }, (_, index) => this.#alias(`direct${index}`));
    const mail = (alias: string, name: string): ExpectedMail => ({ alias, address: this.#scenario.address(name) });
    this.expected = [
      ...this.#directs.flatMap((alias) => [mail(alias, 'cora'), mail(alias, 'dan')]),
      mail(this.#alias('acknowledged'), 'ada'),
      mail(this.#alias('escalated'), 'ada'),
      mail(this.#alias('escalated'), 'bob'),
      ...(isTimed ? [mail(this.#alias('due'), 'ada'), mail(this.#alias('due'), 'bob')] : []),
    ];
  }

  /** All but the page of a rule that is due after a minute. */
  get expectedAtOnce(): readonly ExpectedMail[] {
    return this.#isTimed ? this.expected.slice(0, -1) : this.expected;
  }

  /** Creates users and escalations. The user `eve` is never to be paged. */
  async create(): Promise<void> {
    await this.#scenario.users('ada', 'bob', 'cora', 'dan', 'eve');
    const ladder = (of: string, minutes: number, last: string) =>
      this.#scenario.escalation(
        of,
        { delay: 0, to: { type: 'user', name: 'ada' } },
        { delay: minutes, to: { type: 'user', name: last } },
      );
    await ladder('Acknowledged', LATER_MINUTES, 'eve');
    await ladder('Escalated', LATER_MINUTES, 'bob');
    if (this.#isTimed) await ladder('Due', 1, 'bob');
  }

  /** Opens all alerts at once, and does what is done about two of them as soon as the user of the first one is mailed. Resolves when all is accepted. */
  async page(): Promise<void> {
    const users = ['cora', 'dan'].map((name) => this.#scenario.user(name));
    const directs = this.#directs.map((alias) => this.#open(alias, users));
    const ladder = (name: string) =>
      this.#open(this.#alias(name), [this.#scenario.responder('escalation', titled(name))]);
    const acknowledged = ladder('acknowledged').then(() => this.#actOnceMailed('acknowledged', 'acknowledge', {}));
    const escalation = { escalation: { name: this.#scenario.name('Escalated') } };
    const escalated = ladder('escalated').then(() => this.#actOnceMailed('escalated', 'escalate', escalation));
    await Promise.all([...directs, acknowledged, escalated, ...(this.#isTimed ? [ladder('due')] : [])]);
  }

  /** How many mails came, by alert and address. */
  mails(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { subject, to } of this.#mailbox.mails) {
      const alias = subject.split(' ').find((word) => word.endsWith(this.#alias(''))) ?? subject;
      const key = keyOf({ alias, address: to.join() });
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  #alias(name: string): string {
    return `${name}-of-cell-${this.#cell}`;
  }

  async #open(alias: string, responders: readonly object[]): Promise<void> {
    await this.#accept(() => this.#scenario.alert({ alias, message: alias, responders }));
  }

  async #actOnceMailed(name: string, action: string, body: object): Promise<void> {
    const alias = this.#alias(name);
    const mail = keyOf({ alias, address: this.#scenario.address('ada') });
    await eventually(
      () => {
        if (!this.mails().has(mail)) throw new Error(`No user was notified of ${alias}.`);
      },
      { everyMs: 20 },
    );
    await this.#accept(() => this.#scenario.act(alias, action, body));
  }

  async #accept(attempt: () => Promise<string>): Promise<void> {
    this.accepted.push(await eventually(attempt, { everyMs: 200 }));
  }
}

export const keyOf = ({ alias, address }: ExpectedMail): string => `${alias} to ${address}`;

const titled = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
