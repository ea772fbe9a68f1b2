import { setTimeout as pause } from 'node:timers/promises';
import { Caller, Settlements } from '@tocsin/test-e2e/cluster';
import { API_KEY } from '@tocsin/test-acceptance/processes';
import { byAlias } from '@tocsin/testkit';
import { RECOVERED_MS, type Phase, type RunRecord } from './balance.ts';
import { expectationsOf, SECOND_STEP_MS } from './expectations.ts';
import { NO_FAULT, type Fault, type System } from './faults.ts';
import { OpenLoop } from './open-loop.ts';
import { createPairs } from './paged-users.ts';

const WARM_UP_MS = 20_000;
/** Load before each fault. */
const BEFORE_MS = 5_000;
/** All pages of this time have to be fast before the next fault. */
const CALM_MS = 8_000;
const CALM_WITHIN_MS = 60_000;
const WHOLE_WITHIN_MS = 120_000;
const BALANCES_WITHIN_MS = 90_000;
const SETTLED_WITHIN_MS = 60_000;
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
  readonly #interrupted = new Set<string>();
  /** The aliases whose logs were read. */
  readonly #read = new Set<string>();
  #load: OpenLoop | undefined;

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
      interrupted: this.#interrupted,
    };
  }

  /** Creates users and opens alerts until {@link finish}. */
  async begin(): Promise<void> {
    const { services, sinks } = this.#system;
    this.#say('creating users and escalations');
    const pairs = await createPairs(services.gatewayUrls[0], API_KEY);
    const load = new OpenLoop({ urls: services.gatewayUrls, key: API_KEY, rate: this.#rate, pairs, run: this.#run });
    this.#load = load;
    sinks.onArrival((arrival) => {
      load.arrived(arrival);
    });
    load.start();
    const beganAt = Date.now();
    this.#say(`warming up at ${this.#rate} alerts a second`);
    await pause(WARM_UP_MS);
    await this.#calm();
    this.#phases.push({ ...UNTIMED, name: 'warm-up', beganAt, endedAt: Date.now() });
  }

  /** Runs one fault, and waits until the installation works as before, or does not in time. */
  async breakBy(fault: Fault): Promise<void> {
    const beganAt = this.#phases.at(-1)?.endedAt ?? Date.now();
    this.#say(`${fault.name}: ${fault.title}`);
    await pause(BEFORE_MS);
    const faultAt = Date.now();
    const heal = await fault.begin(this.#system);
    await pause(fault.holdMs);
    const healedAt = Date.now();
    await heal();
    await this.#whole();
    await this.#calm();
    const ledgerProblem = await this.#ledgerProblem();
    const endedAt = Date.now();
    const times = fault === NO_FAULT ? { faultAt: undefined, healedAt: undefined } : { faultAt, healedAt };
    this.#phases.push({ name: fault.name, beganAt, ...times, endedAt, isTimed: true, ledgerProblem });
    await this.#settle(beganAt, endedAt);
    await this.#readInterruptions();
  }

  /** Ends the load, and waits for what is still due. Also after a run that broke off. */
  async finish(): Promise<void> {
    const load = this.#load;
    if (load === undefined) return;
    const beganAt = this.#phases.at(-1)?.endedAt ?? Date.now();
    this.#say('waiting for the last pages');
    await load.stopOpening();
    await pause(SECOND_STEP_MS);
    await this.#until(() => Promise.resolve(this.#took(0, Infinity).every(Number.isFinite)), LAST_PAGES_WITHIN_MS);
    await load.end();
    const ledgerProblem = await this.#ledgerProblem();
    this.#phases.push({ ...UNTIMED, name: 'afterwards', beganAt, endedAt: Date.now(), ledgerProblem });
    await this.#settle(0, Infinity);
    await this.#readInterruptions();
  }

  /** Waits until every page of the last seconds was fast. */
  async #calm(): Promise<void> {
    const since = Date.now();
    const isCalm = () => {
      const now = Date.now();
      const [from, until] = [now - CALM_MS - RECOVERED_MS, now - RECOVERED_MS];
      const took = this.#took(from, until);
      return Promise.resolve(from >= since && took.length > 0 && took.every((ms) => ms < RECOVERED_MS));
    };
    if (!(await this.#until(isCalm, CALM_WITHIN_MS)))
      this.#say(`  pages are not fast again after ${CALM_WITHIN_MS / 1_000} s`);
  }

  /** How long each wanted message took that was due within this time; infinite while it has not come. */
  #took(from: number, until: number): readonly number[] {
    const first = new Map<string, number>();
    for (const { alias, at, to } of this.#system.sinks.arrivals.toReversed()) first.set(`${alias} ${to}`, at);
    return (this.#load?.alerts ?? [])
      .flatMap(expectationsOf)
      .filter(({ dueAt, wanted }) => wanted === 'yes' && dueAt >= from && dueAt < until)
      .map(({ alias, dueAt, to }) => (first.get(`${alias} ${to}`) ?? Infinity) - dueAt);
  }

  async #whole(): Promise<void> {
    const { engines, services } = this.#system;
    const isWhole = async () => (await services.areReady()) && (await engines.areInSync().catch(() => false));
    if (!(await this.#until(isWhole, WHOLE_WITHIN_MS)))
      throw new Error(`Not all parts came back within ${WHOLE_WITHIN_MS / 1_000} s.`);
  }

  /** What does not balance after a while; undefined where all does. */
  async #ledgerProblem(): Promise<string | undefined> {
    let problem: string | undefined;
    const balances = async () => {
      const ledger = await this.#system.services.ledger().catch((error: unknown) => String(error));
      problem = typeof ledger === 'object' && ledger.balances ? undefined : JSON.stringify(ledger);
      return problem === undefined;
    };
    await this.#until(balances, BALANCES_WITHIN_MS, LEDGER_EVERY_MS);
    return problem;
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

  /** Reads the logs of the alerts of which a message came twice. */
  async #readInterruptions(): Promise<void> {
    const caller = new Caller(this.#system.services.gatewayUrls[0], API_KEY, 'kept');
    const byMessage = Map.groupBy(this.#system.sinks.arrivals, ({ alias, to }) => `${alias} ${to}`);
    const repeated = [...byMessage.values()]
      .filter(({ length }) => length > 1)
      .flatMap(([first]) => first?.alias ?? []);
    for (const alias of repeated.filter((each) => !this.#read.has(each))) {
      this.#read.add(alias);
      const { body } = await caller.send('GET', `${byAlias(alias, '/logs')}&limit=100`);
      const text = JSON.stringify(body);
      if (/interrupted.*may have arrived/.test(text)) this.#interrupted.add(alias);
      else this.#say(`  ${alias} came twice; its log: ${text}`);
    }
    caller.close();
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

const UNTIMED = { faultAt: undefined, healedAt: undefined, isTimed: false, ledgerProblem: undefined } as const;
