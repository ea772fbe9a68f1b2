import { setTimeout as pause } from 'node:timers/promises';
import { Caller, Settlements } from '@tocsin/test-e2e/cluster';
import { API_KEY } from '@tocsin/test-acceptance/processes';
import { byAlias } from '@tocsin/testkit';
import type { Phase, RunRecord } from './balance.ts';
import { expectationsOf } from './expectations.ts';
import { runFault, type Fault, type System } from './fault.ts';
import { NO_FAULT } from './faults.ts';
import { Interruptions } from './interruptions.ts';
import { OpenLoop } from './open-loop.ts';
import { createPairs } from './paged-users.ts';
import { areFast, OUTSTANDING_LIMIT_MS, RECOVERED_MS, wantedPages, type TimedPage } from './recovery.ts';

const WARM_UP_MS = 20_000;
/** Load before each fault. */
const BEFORE_MS = 5_000;
/** Longer than the installation waits for a page that is outstanding. */
const FAST_WITHIN_MS = OUTSTANDING_LIMIT_MS + 30_000;
const READY_WITHIN_MS = 120_000;
const BALANCES_WITHIN_MS = 90_000;
const SETTLED_WITHIN_MS = 60_000;
const LOGS_WITHIN_MS = 60_000;
const LAST_ACCEPTED_WITHIN_MS = 60_000;
const LAST_PAGES_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 500;
const LEDGER_EVERY_MS = 3_000;

type Say = (line: string) => void;

/** The steps of a run, and what it wrote down. */
export class FailureRun {
  readonly #system: System;
  readonly #say: Say;
  readonly #run: string;
  readonly #rate: number;
  readonly #phases: Phase[] = [];
  readonly #settled = new Set<string>();
  readonly #interruptions = new Interruptions();
  /** By the addresses of the users. */
  #usernames: ReadonlyMap<string, string> = new Map();
  #load: OpenLoop | undefined;
  #beganAt = 0;
  #hasEnded = false;

  /** `run` begins every alias. */
  constructor(system: System, options: { readonly run: string; readonly rate: number; readonly say: Say }) {
    this.#system = system;
    this.#run = options.run;
    this.#rate = options.rate;
    this.#say = options.say;
  }

  get record(): RunRecord {
    return {
      phases: this.#phases,
      alerts: this.#load?.alerts ?? [],
      arrivals: this.#system.sinks.arrivals,
      settled: this.#settled,
      interruptions: this.#interruptions.counts,
      hasEnded: this.#hasEnded,
    };
  }

  /** Creates users and opens alerts until {@link finish}. @throws Error where pages are not fast after the warm-up. */
  async begin(): Promise<void> {
    const { services, sinks } = this.#system;
    this.#say('creating users and escalations');
    const pairs = await createPairs(services.gatewayUrls[0], API_KEY);
    this.#usernames = new Map(pairs.flatMap(({ usernames }) => [...usernames]));
    const load = new OpenLoop({ urls: services.gatewayUrls, key: API_KEY, rate: this.#rate, pairs, run: this.#run });
    this.#load = load;
    sinks.onArrival((arrival) => {
      load.arrived(arrival);
    });
    this.#beganAt = Date.now();
    load.start();
    this.#say(`warming up at ${this.#rate} alerts a second`);
    await pause(WARM_UP_MS);
    if (!(await this.#waitUntilFast()))
      throw new Error(`Pages were not fast within ${FAST_WITHIN_MS / 1_000} s of the warm-up.`);
    this.#endPhase({ name: 'warm-up', kind: 'warm-up' });
  }

  /** Runs one fault, and waits until the installation works as before, or does not in time. */
  async breakBy(fault: Fault): Promise<void> {
    this.#say(`${fault.name}: ${fault.title}`);
    await pause(BEFORE_MS);
    const times = await runFault(fault, this.#system, { now: Date.now, pause });
    await this.#waitUntilReady();
    const endedFast = await this.#waitUntilFast();
    const ledger = await this.#ledger();
    const isFault = fault !== NO_FAULT;
    const kind = isFault ? 'fault' : 'no-fault';
    const phase = { name: fault.name, kind, ...(isFault && { fault: times }), endedFast, ledger } as const;
    const { beganAt, endedAt } = this.#endPhase(phase);
    await this.#settle(beganAt, endedAt);
    await this.#readInterruptions();
  }

  /** Ends the load, and waits for what is still due. Also after a run that failed. */
  async finish(): Promise<void> {
    const load = this.#load;
    if (load === undefined) return;
    this.#say('waiting for the last pages');
    await load.stopOpening(LAST_ACCEPTED_WITHIN_MS);
    const lastDueAt = Math.max(0, ...load.alerts.flatMap(expectationsOf).map(({ dueAt }) => dueAt));
    // A page that should not come would come by then too.
    await pause(Math.max(0, lastDueAt + RECOVERED_MS - Date.now()));
    const haveAllCome = () => Promise.resolve(this.#pages().every(({ tookMs }) => Number.isFinite(tookMs)));
    await this.#until(haveAllCome, LAST_PAGES_WITHIN_MS);
    await load.end();
    const ledger = await this.#ledger();
    this.#endPhase({ name: 'afterwards', kind: 'last-pages', ledger });
    await this.#settle(0, Infinity);
    await this.#until(() => this.#readInterruptions(), LOGS_WITHIN_MS, LEDGER_EVERY_MS);
    this.#hasEnded = true;
  }

  #endPhase(phase: Pick<Phase, 'name' | 'kind'> & Partial<Phase>): Phase {
    const beganAt = this.#phases.at(-1)?.endedAt ?? this.#beganAt;
    const ended = { fault: undefined, endedFast: true, ledger: undefined, ...phase, beganAt, endedAt: Date.now() };
    this.#phases.push(ended);
    return ended;
  }

  /** Resolves with whether pages are fast, when they are or the time for it is over. */
  async #waitUntilFast(): Promise<boolean> {
    const since = Date.now();
    const isFast = () => Promise.resolve(areFast(this.#pages(), since, Date.now()));
    const became = await this.#until(isFast, FAST_WITHIN_MS);
    if (!became) this.#say(`  pages are not fast again after ${FAST_WITHIN_MS / 1_000} s`);
    return became;
  }

  #pages(): readonly TimedPage[] {
    return wantedPages(this.#load?.alerts ?? [], this.#system.sinks.arrivals);
  }

  async #waitUntilReady(): Promise<void> {
    const { engines, services } = this.#system;
    const isReady = async () => (await services.areReady()) && (await engines.areInSync().catch(() => false));
    if (!(await this.#until(isReady, READY_WITHIN_MS)))
      throw new Error(`Not all parts came back within ${READY_WITHIN_MS / 1_000} s.`);
  }

  /** What does not balance after a while, if anything. */
  async #ledger(): Promise<{ readonly problem: string | undefined }> {
    let problem: string | undefined;
    const balances = async () => {
      const ledger = await this.#system.services.ledger().catch((error: unknown) => String(error));
      problem = typeof ledger === 'object' && ledger.balances ? undefined : JSON.stringify(ledger);
      return problem === undefined;
    };
    await this.#until(balances, BALANCES_WITHIN_MS, LEDGER_EVERY_MS);
    return { problem };
  }

  /** Asks what became of the requests that were accepted within this time. */
  async #settle(from: number, until: number): Promise<void> {
    const requestIds = (this.#load?.alerts ?? [])
      .flatMap(({ accepted, stopped }) => [accepted, stopped])
      .filter((request) => request !== undefined)
      .filter(({ at, requestId }) => at >= from && at < until && !this.#settled.has(requestId))
      .map(({ requestId }) => requestId);
    const settlements = new Settlements(this.#system.services.gatewayUrls[0], API_KEY);
    for (const id of await settlements.succeeded(requestIds, SETTLED_WITHIN_MS)) this.#settled.add(id);
    settlements.close();
  }

  /** Resolves with whether the logs explain each page that came again. */
  async #readInterruptions(): Promise<boolean> {
    const caller = new Caller(this.#system.services.gatewayUrls[0], API_KEY, 'kept');
    const areExplained = await this.#interruptions.read(this.#system.sinks.arrivals, {
      read: (alias) => caller.send('GET', `${byAlias(alias, '/logs')}&limit=100`),
      usernameOf: (address) => this.#usernames.get(address) ?? address,
      say: (line) => {
        this.#say(`  ${line}`);
      },
    });
    caller.close();
    return areExplained;
  }

  async #until(isDone: () => Promise<boolean>, withinMs: number, everyMs = LOOK_EVERY_MS): Promise<boolean> {
    const until = performance.now() + withinMs;
    while (!(await isDone())) {
      if (performance.now() > until) return false;
      await pause(everyMs);
    }
    return true;
  }
}
