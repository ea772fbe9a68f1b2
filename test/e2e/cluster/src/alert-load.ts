import { setTimeout as pause } from 'node:timers/promises';
import { Caller, refusalOf, type Answer } from './caller.ts';
import type { Call, SentAlert } from './ledger.ts';

/** A team that the load alerts, and the addresses that it pages. */
export interface PagedTeam {
  readonly name: string;
  readonly recipients: readonly string[];
}

export interface AlertLoadOptions {
  readonly url: string;
  readonly key: string;
  /** Alerts a second; as many reads are sent beside them. */
  readonly rate: number;
  readonly teams: readonly PagedTeam[];
  /** Sent in turns: a method and a path. */
  readonly reads: readonly (readonly [string, string])[];
  /** Begins every alias, so that no two runs share one. */
  readonly run: string;
  /** Called with every refusal. */
  readonly refused: (what: string) => void;
}

/**
 * Callers who open alerts at an even pace, whether those before were answered or not, each with an alias of its own. Every
 * second one keeps its connection for later ones, the others open one each time. Nothing is sent twice.
 */
export class AlertLoad {
  readonly #options: AlertLoadOptions;
  readonly #callers: readonly [Caller, Caller];
  readonly #underWay = new Set<Promise<void>>();
  readonly #alerts: SentAlert[] = [];
  readonly #reads: Call[] = [];
  #phase = '';
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(options: AlertLoadOptions) {
    this.#options = options;
    const { key, url } = options;
    this.#callers = [new Caller(url, key, 'kept'), new Caller(url, key, 'new')];
  }

  get alerts(): readonly SentAlert[] {
    return this.#alerts;
  }

  get reads(): readonly Call[] {
    return this.#reads;
  }

  /** Requests from now on belong to the phase `name`. */
  enter(name: string): void {
    this.#phase = name;
    this.#running ??= this.#run();
  }

  /** Resolves when the last request was answered or given up. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    await Promise.all(this.#underWay);
    for (const caller of this.#callers) caller.close();
  }

  async #run(): Promise<void> {
    const { rate } = this.#options;
    const began = performance.now();
    for (let index = 0; !this.#stopped; index += 1) {
      const caller = this.#callers[index % 2 === 0 ? 0 : 1];
      this.#keep(this.#alert(caller, index));
      this.#keep(this.#read(caller, index));
      await pause(Math.max(0, began + ((index + 1) * 1_000) / rate - performance.now()));
    }
  }

  #keep(sent: Promise<void>): void {
    this.#underWay.add(sent);
    void sent.finally(() => this.#underWay.delete(sent));
  }

  async #alert(caller: Caller, index: number): Promise<void> {
    const { run, teams } = this.#options;
    const team = teams[index % teams.length];
    if (team === undefined) return;
    const alias = `${run}-${index}`;
    const responders = [{ type: 'team', name: team.name }];
    const { answer, call } = await this.#called(caller, ['POST', '/v2/alerts'], { alias, message: alias, responders });
    const requestId = answer.status === 202 ? String(answer.body['requestId']) : undefined;
    this.#alerts.push({ ...call, alias, recipients: team.recipients, requestId });
  }

  async #read(caller: Caller, index: number): Promise<void> {
    const { reads } = this.#options;
    const read = reads[Math.floor(index / 2) % reads.length];
    if (read !== undefined) this.#reads.push((await this.#called(caller, read)).call);
  }

  async #called(
    caller: Caller,
    [method, path]: readonly [string, string],
    body?: unknown,
  ): Promise<{ readonly answer: Answer; readonly call: Call }> {
    const phase = this.#phase;
    const sentAt = Date.now();
    const answer = await caller.send(method, path, body);
    const refusal = refusalOf(answer);
    if (refusal !== undefined) {
      const { message } = answer.body;
      this.#options.refused(`${method} ${path}: ${refusal} ${typeof message === 'string' ? message : ''}`);
    }
    return { answer, call: { phase, sentAt, tookMs: answer.tookMs, refusal } };
  }
}
