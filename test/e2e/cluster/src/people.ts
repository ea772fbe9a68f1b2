import { setTimeout as pause } from 'node:timers/promises';
import type { PagedTeam } from './alert-load.ts';
import { Caller } from './caller.ts';

/** As many that mails to one person, which go one after the other, do not queue. */
const TEAMS = 10;
const DOMAIN = 'cluster-run.example.com';
const PATIENCE_MS = 60_000;
/** Longer than the second in which other services know the changes of a team (E13). */
const KNOWN_AFTER_MS = 3_000;

/** An heartbeat that is pinged and never expires during a run. */
export const HEARTBEAT = 'cluster-run';

/** Creates the configuration of an installation by its API. */
export class Furnishing {
  readonly #caller: Caller;

  constructor(url: string, key: string) {
    this.#caller = new Caller(url, key, 'new');
  }

  /**
   * Makes teams whose alerts page one user at once and another one after a minute, which is due work.
   *
   * @throws Error with the answer of a request that failed.
   */
  async create(): Promise<readonly PagedTeam[]> {
    await this.#made('/v2/heartbeats', { name: HEARTBEAT, interval: 1, intervalUnit: 'days', enabled: true });
    const teams: PagedTeam[] = [];
    for (let number = 0; number < TEAMS; number += 1) teams.push(await this.#team(number));
    await pause(KNOWN_AFTER_MS);
    return teams;
  }

  /** `data` of a read, which is asked again while the installation says 503 or does not answer. @throws Error with any other answer. */
  async read<T>(path: string): Promise<T> {
    return (await this.#answered('GET', path)) as T;
  }

  async #team(number: number): Promise<PagedTeam> {
    const name = `Team ${number}`;
    const recipients = [`first${number}@${DOMAIN}`, `second${number}@${DOMAIN}`];
    for (const username of recipients)
      await this.#made('/v2/users', { username, fullName: username, role: { name: 'user' }, invitationDisabled: true });
    const members = recipients.map((username) => ({ user: { username } }));
    const { id } = await this.#made<{ readonly id: string }>('/v2/teams', { name, members });
    const rules = recipients.map((username, delay) => ({
      condition: 'if-not-acked',
      notifyType: 'default',
      delay: { timeAmount: delay },
      recipient: { type: 'user', username },
    }));
    const escalation = { name: `Escalation ${number}`, ownerTeam: { name }, rules };
    await this.#made('/v2/escalations', escalation);
    const routing = `/v2/teams/${id}/routing-rules`;
    const [byDefault] = await this.read<readonly { readonly id: string }[]>(routing);
    await this.#answered('PATCH', `${routing}/${byDefault?.id ?? ''}`, {
      notify: { type: 'escalation', name: escalation.name },
    });
    return { name, recipients };
  }

  async #made<T>(path: string, body: object): Promise<T> {
    return (await this.#answered('POST', path, body)) as T;
  }

  async #answered(method: string, path: string, body?: object): Promise<unknown> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.#caller.send(method, path, body);
      if (answer.status >= 200 && answer.status < 300) return answer.body['data'];
      const isPassing = answer.status === 0 || answer.status === 503;
      if (!isPassing || performance.now() > until)
        throw new Error(`${method} ${path}: ${answer.error ?? answer.status} ${JSON.stringify(answer.body)}`);
      await pause(500);
    }
  }
}
