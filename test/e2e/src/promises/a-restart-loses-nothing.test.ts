import { beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICES, type ServiceName } from '@tocsin/events';
import { AlertStream, eventually, type Scenario, type StreamedAlert } from '@tocsin/testkit';
import type { Part } from '../stack/part.ts';
import { useSystem } from '../system.ts';

/** No user is mailed more than once in a second: mails to one person go one after the other. */
const NAMES = ['ada', 'grace', 'edsger', 'barbara', 'donald'];
const PER_SECOND = 3;
/** So many alerts are sent before a part goes, while it is unavailable, and once it is back. */
const EACH_TIME = 4;
const WITHIN = { everyMs: 500 };

/** Those whose sudden death costs most: what they hold is taken over from where it is written. */
const KILLED: readonly ServiceName[] = ['alert-processor', 'scheduling', 'notifier'];

const system = useSystem();
let scenario: Scenario;

beforeAll(async () => {
  scenario = system.scenario('restarted');
  await scenario.users(...NAMES);
});

const nameOf = (index: number): string => NAMES[index % NAMES.length] ?? '';

/** The requests that were accepted, of all alerts of a round. */
class Round {
  readonly #name: string;
  readonly #requestIds: string[] = [];
  readonly #stream = new AlertStream({ perSecond: PER_SECOND, create: this.#create.bind(this) });
  #sent = 0;

  constructor(name: string) {
    this.#name = name.replaceAll(' ', '-');
  }

  start(): void {
    this.#stream.start(this.#name);
  }

  /** Resolves when some more were sent, accepted or not. */
  async someMoreSent(): Promise<void> {
    const enough = this.#sent + EACH_TIME;
    await eventually(() => {
      if (this.#sent < enough) throw new Error(`${this.#sent} alerts were sent, not ${enough}`);
    });
  }

  /** Resolves when some more were accepted. */
  async someMoreAccepted(): Promise<void> {
    const enough = this.#requestIds.length + EACH_TIME;
    await eventually(() => {
      if (this.#requestIds.length < enough) throw new Error(`not ${enough} alerts were accepted`);
    }, WITHIN);
  }

  /** Resolves when every accepted request was processed, and everybody was mailed about their alerts. */
  async settled(): Promise<readonly StreamedAlert[]> {
    const alerts = await this.#stream.stop();
    await eventually(async () => {
      const answers = await Promise.all(this.#requestIds.map(statusOf));
      const unsettled = answers.filter(({ body }) => !isSettledWell(body));
      if (unsettled.length > 0) throw new Error(`these are not processed: ${JSON.stringify(unsettled)}`);
    }, WITHIN);
    await eventually(() => {
      const unheard = alerts.filter(({ alias }) => mailsOf(alias).length === 0);
      if (unheard.length > 0) throw new Error(`no user was mailed about ${unheard.map(({ alias }) => alias).join()}`);
    }, WITHIN);
    return alerts;
  }

  async #create(alias: string, index: number): Promise<void> {
    this.#sent += 1;
    const responders = [scenario.user(nameOf(index))];
    this.#requestIds.push(await scenario.alert({ alias, message: alias, responders }));
  }
}

const statusOf = (requestId: string) => system.api.request('GET', `/v2/alerts/requests/${requestId}`);

const isSettledWell = ({ data }: Readonly<Record<string, unknown>>): boolean =>
  (data as { readonly success?: boolean } | undefined)?.success === true;

/** To whom the mails about an alert went. */
const mailsOf = (alias: string): readonly string[] =>
  system.mailbox.mails.filter(({ subject }) => subject.split(' ').includes(alias)).map(({ to }) => to.join());

/** Ends a part in the middle of alerts, starts it again in the middle of more, and waits for all of them. */
async function restarted(part: Part, how: string, end: () => Promise<void>): Promise<readonly StreamedAlert[]> {
  const round = new Round(`${part.name} ${how}`);
  round.start();
  await round.someMoreAccepted();
  await end();
  await round.someMoreSent();
  await part.startAgain();
  await system.ready();
  await round.someMoreAccepted();
  return round.settled();
}

/** The alerts about which another user was mailed, or their person more than `most` times. */
function mailedWrongly(alerts: readonly StreamedAlert[], most: number): readonly string[] {
  return alerts.flatMap(({ alias }, index) => {
    const to = mailsOf(alias);
    const own = scenario.address(nameOf(index));
    return to.length <= most && to.every((address) => address === own) ? [] : [`${alias} for ${own}: ${to.join()}`];
  });
}

/** The promises of all rounds so far. Mails are kept for it, because a second one may come long after the first. */
const rounds: Parameters<typeof mailedWrongly>[] = [];

function judged(...round: Parameters<typeof mailedWrongly>): readonly string[] {
  rounds.push(round);
  return mailedWrongly(...round);
}

describe('alerts that are accepted all the time', () => {
  it.each(SERVICES)('are all processed, and paged once each, while %s is stopped and started again', async (name) => {
    const part = system.service(name);
    const alerts = await restarted(part, 'stopped', async () => {
      expect(await part.stop()).toBe(0);
    });
    expect(judged(alerts, 1)).toEqual([]);
    expect(await system.down()).toEqual([]);
  });

  it.each(KILLED)(
    'are all processed and paged while %s is killed and started again, and none is paged twice but those whose sending was interrupted',
    async (name) => {
      const part = system.service(name);
      const alerts = await restarted(part, 'killed', () => part.kill());
      expect(judged(alerts, name === 'notifier' ? 2 : 1)).toEqual([]);
      expect(await system.down()).toEqual([]);
    },
  );

  it.each(['kafka', 'mongo'] as const)(
    'are all processed and paged while %s is stopped and started again',
    async (name) => {
      const part = system[name];
      const alerts = await restarted(part, 'stopped', async () => {
        await part.stop();
      });
      expect(judged(alerts, 1)).toEqual([]);
      expect(await system.down()).toEqual([]);
    },
  );

  it('were paged no second time later', async () => {
    expect(rounds).not.toEqual([]);
    expect(rounds.flatMap((round) => mailedWrongly(...round))).toEqual([]);
    // Checked mails are requested, so that the remaining ones were sent without a reason.
    for (const { alias } of rounds.flatMap(([alerts]) => alerts))
      for (const to of mailsOf(alias)) await system.mailbox.received(to, new RegExp(`\\] ${alias} `));
  });
});
