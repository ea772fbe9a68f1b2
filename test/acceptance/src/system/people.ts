import type { Mailbox, Scenario, StreamedAlert } from '@tocsin/testkit';

/** So many that no user is mailed more than once in a second: mails to one person go one after the other. */
const NAMES = Array.from({ length: 20 }, (_, index) => `person${index}`);

/** Twenty people, each paged at once by an escalation of their own, and one whom no alert names. */
export class People {
  readonly #scenario: Scenario;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  async create(): Promise<void> {
    await this.#scenario.users(...NAMES, 'never-paged');
    for (const name of NAMES) await this.#scenario.escalation(name, { delay: 0, to: { type: 'user', name } });
  }

  /** Opens the alert of a stream, for one after the other. */
  alert(alias: string, index: number): Promise<string> {
    const responders = [this.#scenario.responder('escalation', nameOf(index))];
    return this.#scenario.alert({ alias, message: alias, responders });
  }

  /** Mails about alerts of the stream to another user than the one who was to be paged. */
  strangers(alerts: readonly StreamedAlert[], { mails }: Mailbox): readonly string[] {
    const wanted = new Map(alerts.map(({ alias }, index) => [alias, this.#scenario.address(nameOf(index))]));
    return mails.flatMap(({ subject, to }) => {
      const address = subject.split(' ').flatMap((word) => wanted.get(word) ?? [])[0];
      return address === undefined || to.join() === address ? [] : [`${subject} to ${to.join()}`];
    });
  }
}

const nameOf = (index: number): string => `person${index % NAMES.length}`;
