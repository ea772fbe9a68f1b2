import { setTimeout as pause } from 'node:timers/promises';
import { Caller, refusalOf, type Answer } from '@tocsin/test-e2e/cluster';
import { byAlias } from '@tocsin/testkit';
import type { Arrival } from './balance.ts';
import { KINDS, type SentAlert } from './expectations.ts';
import type { PagedPair } from './paged-users.ts';

export interface OpenLoopOptions {
  /** Of both gateways. A try that is refused goes to the other one next. */
  readonly urls: readonly [string, string];
  readonly key: string;
  /** Alerts a second. */
  readonly rate: number;
  readonly pairs: readonly PagedPair[];
  /** Begins every alias. */
  readonly run: string;
}

/** After so long without an answer a caller tries the other gateway. */
const TIMEOUT_MS = 5_000;
const AGAIN_AFTER_MS = 200;

/**
 * Callers who open alerts at an even pace, however the requests before are answered. Each sends its alert under the same alias until
 * it is accepted. When an alert of the kind `acknowledged` or `closed` is accepted and has paged its first user, its caller does so, in
 * the same way. An alert of which a try was refused is not closed but acknowledged: that try may still arrive, and would open the alert
 * again after its close.
 */
export class OpenLoop {
  readonly alerts: SentAlert[] = [];
  readonly #options: OpenLoopOptions;
  readonly #callers: readonly [Caller, Caller];
  readonly #byAlias = new Map<string, SentAlert>();
  readonly #paged = new Set<string>();
  readonly #stopRequested = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #isStopped = false;
  #running: Promise<void> | undefined;

  constructor(options: OpenLoopOptions) {
    this.#options = options;
    const [one, other] = options.urls;
    const callerOf = (url: string) => new Caller(url, options.key, 'kept', TIMEOUT_MS);
    this.#callers = [callerOf(one), callerOf(other)];
  }

  start(): void {
    this.#running = this.#run();
  }

  /** A message came: the user of the load may answer it. */
  arrived({ alias, to }: Arrival): void {
    const alert = this.#byAlias.get(alias);
    if (to !== alert?.first) return;
    this.#paged.add(alias);
    this.#stopOnce(alert);
  }

  /** Opens no further alerts; those that are not accepted yet are still sent. */
  async stopOpening(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Ends all tries, and resolves when none is under way. */
  async end(): Promise<void> {
    await this.stopOpening();
    this.#ending.abort();
    await Promise.all(this.#underWay);
    for (const caller of this.#callers) caller.close();
  }

  async #run(): Promise<void> {
    const began = performance.now();
    for (let index = 0; !this.#isStopped; index += 1) {
      this.#keep(this.#open(index));
      await pause(Math.max(0, began + ((index + 1) * 1_000) / this.#options.rate - performance.now()));
    }
  }

  #keep(work: Promise<void>): void {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  async #open(index: number): Promise<void> {
    const { pairs, run } = this.#options;
    const pair = pairs[index % pairs.length];
    // Each pair gets alerts of each kind, whatever their numbers are.
    const kind = KINDS[Math.floor(index / pairs.length) % KINDS.length];
    if (pair === undefined || kind === undefined) return;
    const { first, second } = pair;
    const alias = `${run}-${index}`;
    const alert: SentAlert = { alias, kind, first, second, firstTriedAt: Date.now(), refusals: 0 };
    this.alerts.push(alert);
    this.#byAlias.set(alias, alert);
    const body = { alias, message: alias, responders: [pair.responder(kind)] };
    const answer = await this.#accepted(['POST', '/v2/alerts', body], index, () => (alert.refusals += 1));
    if (answer === undefined) return;
    alert.accepted = acceptedNow(answer);
    this.#stopOnce(alert);
  }

  /** Acknowledges or closes an alert whose time for it has come. */
  #stopOnce(alert: SentAlert): void {
    const { accepted, alias, kind, refusals } = alert;
    if (kind !== 'acknowledged' && kind !== 'closed') return;
    if (accepted === undefined || !this.#paged.has(alias) || this.#stopRequested.has(alias)) return;
    this.#stopRequested.add(alias);
    this.#keep(this.#stopAlert(alert, kind === 'closed' && refusals === 0 ? 'close' : 'acknowledge'));
  }

  async #stopAlert(alert: SentAlert, action: string): Promise<void> {
    const answer = await this.#accepted(['POST', byAlias(alert.alias, `/${action}`), {}], 0);
    if (answer !== undefined) alert.stopped = acceptedNow(answer);
  }

  /** Sends a request until it is accepted; undefined where the load ends before. */
  async #accepted(
    [method, path, body]: readonly [string, string, object],
    firstGateway: number,
    refused: () => unknown = () => undefined,
  ): Promise<Answer | undefined> {
    for (let attempt = firstGateway; !this.#ending.signal.aborted; attempt += 1) {
      const answer = await this.#callers[attempt % 2 === 0 ? 0 : 1].send(method, path, body);
      if (refusalOf(answer) === undefined) return answer;
      refused();
      await pause(AGAIN_AFTER_MS);
    }
    return undefined;
  }
}

const acceptedNow = ({ body }: Answer) => ({ at: Date.now(), requestId: String(body['requestId']) });
