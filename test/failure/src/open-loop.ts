import { setTimeout as pause } from 'node:timers/promises';
import { Caller, refusalOf, type Answer } from '@tocsin/test-e2e/cluster';
import { byAlias } from '@tocsin/testkit';
import { KINDS, type SentAlert } from './expectations.ts';
import type { PagedPair } from './paged-users.ts';
import type { Arrival } from './recovery.ts';

export interface OpenLoopOptions {
  /** Of both gateways. A request that is refused goes to the other one next. */
  readonly urls: readonly [string, string];
  readonly key: string;
  /** Alerts a second. */
  readonly rate: number;
  readonly pairs: readonly PagedPair[];
  /** Begins every alias. */
  readonly run: string;
}

/** After so long without an answer a caller sends the request to the other gateway. */
const TIMEOUT_MS = 5_000;
const AGAIN_AFTER_MS = 200;

/**
 * Callers who open alerts at an even pace, however the requests before are answered. Each sends its alert under the same alias until
 * it is accepted. When an alert of the kind `acknowledged` or `closed` is accepted and has paged its first user, its caller does so, in
 * the same way. An alert of which a create was refused is not closed but acknowledged: that create may still arrive, and would open the
 * alert again after its close.
 */
export class OpenLoop {
  readonly alerts: SentAlert[] = [];
  readonly #options: OpenLoopOptions;
  readonly #callers: readonly [Caller, Caller];
  readonly #byAlias = new Map<string, SentAlert>();
  readonly #paged = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #creates = new Set<Promise<void>>();
  readonly #endOfCreates = new AbortController();
  readonly #end = new AbortController();
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

  /** A page came: its user may acknowledge or close the alert. */
  arrived({ alias, to }: Arrival): void {
    const alert = this.#byAlias.get(alias);
    if (to !== alert?.first) return;
    this.#paged.add(alias);
    this.#stopOnce(alert);
  }

  /** Opens no further alerts. Sends those that are not accepted yet for `withinMs` more, and resolves when none is under way. */
  async stopOpening(withinMs: number): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    const limit = setTimeout(() => {
      this.#endOfCreates.abort();
    }, withinMs);
    await Promise.all(this.#creates);
    clearTimeout(limit);
  }

  /** Ends all requests, and resolves when none is under way. */
  async end(): Promise<void> {
    this.#endOfCreates.abort();
    this.#end.abort();
    await this.stopOpening(0);
    await Promise.all(this.#underWay);
    for (const caller of this.#callers) caller.close();
  }

  async #run(): Promise<void> {
    const began = performance.now();
    for (let index = 0; !this.#isStopped; index += 1) {
      keep(this.#open(index), this.#creates);
      await pause(Math.max(0, began + ((index + 1) * 1_000) / this.#options.rate - performance.now()));
    }
  }

  async #open(index: number): Promise<void> {
    const { pairs, run } = this.#options;
    const pair = pairs[index % pairs.length];
    // Each pair gets alerts of each kind, whatever their numbers are.
    const kind = KINDS[Math.floor(index / pairs.length) % KINDS.length];
    if (pair === undefined || kind === undefined) return;
    const { first, second } = pair;
    const alias = `${run}-${index}`;
    const alert: SentAlert = { alias, kind, first, second, firstSentAt: Date.now(), refusedAt: [] };
    this.alerts.push(alert);
    this.#byAlias.set(alias, alert);
    const body = { alias, message: alias, responders: [pair.responder(kind)] };
    const gateway = index % 2 === 0 ? 0 : 1;
    const { signal } = this.#endOfCreates;
    const answer = await this.#sendUntilAccepted(['/v2/alerts', body], { alert, gateway, signal });
    if (answer === undefined) return;
    alert.accepted = acceptedNow(answer);
    this.#stopOnce(alert);
  }

  /** Acknowledges or closes an alert that is accepted and has paged its first user. */
  #stopOnce(alert: SentAlert): void {
    const { accepted, alias, kind, refusedAt } = alert;
    if (kind !== 'acknowledged' && kind !== 'closed') return;
    if (accepted === undefined || !this.#paged.has(alias) || alert.stopSentAt !== undefined) return;
    alert.stopSentAt = Date.now();
    keep(this.#stopAlert(alert, kind === 'closed' && refusedAt.length === 0 ? 'close' : 'acknowledge'), this.#underWay);
  }

  async #stopAlert(alert: SentAlert, action: string): Promise<void> {
    const { signal } = this.#end;
    const request = [byAlias(alert.alias, `/${action}`), {}] as const;
    const answer = await this.#sendUntilAccepted(request, { alert, gateway: 0, signal });
    if (answer !== undefined) alert.stopped = acceptedNow(answer);
  }

  /** Sends a request about an alert until it is accepted, first to the gateway of this number; undefined after `signal`. */
  async #sendUntilAccepted(
    [path, body]: readonly [string, object],
    { alert, gateway, signal }: { readonly alert: SentAlert; readonly gateway: 0 | 1; readonly signal: AbortSignal },
  ): Promise<Answer | undefined> {
    for (let next = gateway; !signal.aborted; next = next === 0 ? 1 : 0) {
      const answer = await this.#callers[next].send('POST', path, body);
      if (refusalOf(answer) === undefined) return answer;
      alert.refusedAt.push(Date.now());
      await pause(AGAIN_AFTER_MS);
    }
    return undefined;
  }
}

function keep(work: Promise<void>, within: Set<Promise<void>>): void {
  within.add(work);
  void work.finally(() => within.delete(work));
}

const acceptedNow = ({ body }: Answer) => ({ at: Date.now(), requestId: String(body['requestId']) });
