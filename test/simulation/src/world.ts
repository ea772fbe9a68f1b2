import type { Connection, RelayLogger, RelayPublisher } from '@tocsin/mongo';
import { connectMemory } from './mongo/driver.ts';
import { networkOf } from './mongo/network.ts';
import { MemoryMongoServer } from './mongo/server.ts';
import type { Change } from './mongo/store.ts';
import { NetworkLink } from './network.ts';
import type { EntityVersion } from './outbox/entity-versions.ts';
import type { ChoiceSource } from './scheduler/choices.ts';
import { type LogEntry, Scheduler, type SimulatedProcess } from './scheduler/scheduler.ts';

/** The result of one run. */
export interface SimulationResult {
  /** The broken promises; none where the run kept every promise. */
  readonly violations: readonly string[];
  /** What the processes and the server did, in its order. */
  readonly log: readonly LogEntry[];
  /** How much the processes did, such as messages that were published. */
  readonly done: number;
}

/** A simulation of one part of the production code, with the same promises for all choices. */
export type Simulation = (choices: ChoiceSource) => Promise<SimulationResult>;

const STARTS_AT_MS = Date.parse('2030-01-01T00:00:00Z');
/** How long a run has faults unless it says otherwise. */
export const FAULTS_UNTIL_MS = 8_000;
const LOST_ONCE_IN = 25;
const PROCESSES = 3;
const MAX_FREEZE_MS = 6_000;
/** The longest pause between two kills or freezes. */
const MAX_PAUSE_MS = 2_000;
/** How far the clock of a machine is ahead of the clock of MongoDB, or behind it, at most. */
const MAX_CLOCK_OFFSET_MS = 3_600_000;
const MAX_STEPS = 200_000;
/** How long a transaction of a killed process keeps its documents from others; shorter than on a real server, to spare retries. */
const MAX_TRANSACTION_MS = 5_000;
/** Where servers are frozen: in so many faults, one is of a server. */
const SERVER_ONCE_IN = 4;
/** After the last fault: late work (11 s), the tries of a writer (10 s), a lease (3 s), and some looks, one a second. */
const SETTLED_WITHIN_MS = 31_000;

/** For loggers of the code under test. */
export const SILENT: RelayLogger = { warn: () => undefined, error: () => undefined };

/** What a simulation adds to a {@link World}. */
export interface SimulatedWork {
  readonly prepare: (connection: Connection) => Promise<void>;
  /** What each process does. It is called again for a process that replaces a killed one. */
  readonly start: (process: SimulatedProcess, connection: Connection) => void;
  /** The promises that are broken now, by what is stored. The run ends when there is none, or after `SETTLED_WITHIN_MS`. */
  readonly violations: (connection: Connection) => Promise<readonly string[]>;
  readonly done: () => number;
  /** Called with what each commit changes. */
  readonly onCommit?: (changes: readonly Change[]) => void;
}

/** How long a run has faults, and how often. */
export interface WorldOptions {
  /** Until then processes are killed and frozen, and commands and answers are lost or late. 8 s by default. */
  readonly faultsUntilMs?: number;
  /** The longest pause between two kills or freezes; 2 s by default. */
  readonly maxPauseMs?: number;
  /** The longest freeze; 6 s by default. */
  readonly maxFreezeMs?: number;
  /** Whether MongoDB and the servers of `addServer` are frozen as well. False by default. */
  readonly freezesServers?: boolean;
}

/**
 * Processes that share a database, while some are killed, frozen and replaced, and commands and answers are lost or late. Then the
 * faults end, and the processes have some seconds to fulfil their promises. The clocks of their machines are wrong, each by a time that
 * the choices decide.
 */
export class World {
  readonly scheduler: Scheduler;
  readonly #host: SimulatedProcess;
  readonly #server: MemoryMongoServer;
  readonly #live = new Set<SimulatedProcess>();
  readonly #options: WorldOptions;
  readonly #servers: SimulatedProcess[] = [];
  #onCommit: SimulatedWork['onCommit'];
  #started = 0;

  constructor(choices: ChoiceSource, options: WorldOptions = {}) {
    this.#options = options;
    this.scheduler = new Scheduler({ choices, startsAtMs: STARTS_AT_MS });
    this.#host = this.scheduler.process('mongod');
    this.addServer(this.#host);
    this.#server = new MemoryMongoServer({
      now: () => this.#host.nowMs,
      sleep: (milliseconds) => this.#host.sleep(milliseconds),
      maxTransactionMs: MAX_TRANSACTION_MS,
      onCommit: (changes) => this.#onCommit?.(changes),
    });
  }

  /** Whether processes are still killed and frozen, and commands and answers lost. */
  get hasFaults(): boolean {
    return this.scheduler.elapsedMs < (this.#options.faultsUntilMs ?? FAULTS_UNTIL_MS);
  }

  async run(work: SimulatedWork): Promise<SimulationResult> {
    const operator = this.scheduler.process('operator');
    const connection = this.#connect(operator);
    this.#onCommit = work.onCommit;
    let violations: readonly string[] | undefined;
    const operating = operator.run(async () => {
      await work.prepare(connection);
      for (let index = 0; index < PROCESSES; index += 1) this.#start(work);
      await this.#disturb(operator, work);
      violations = await this.#whenSettled(operator, connection, work);
    });
    // Its error ends the run.
    const failed = Promise.withResolvers<never>();
    operating.catch(failed.reject);
    const going = this.scheduler.run(() => violations !== undefined, { maxSteps: MAX_STEPS });
    await Promise.race([going, failed.promise]);
    violations ??= ['The run does not come to its end.'];
    // The code under test may have caught such an error and tried again.
    const internalErrors = new Set(this.#server.internalErrors.map(String));
    return { violations: [...violations, ...internalErrors], log: this.scheduler.entries, done: work.done() };
  }

  #connect(process: SimulatedProcess): Connection {
    return connectMemory(networkOf(this.linkTo(this.#host, process), this.#server), 'simulation');
  }

  /** A process that others need, and that is never killed. */
  addServer(server: SimulatedProcess): void {
    this.#servers.push(server);
  }

  /** The way from a process to a server that `host` runs. */
  linkTo(host: SimulatedProcess, process: SimulatedProcess): NetworkLink {
    const isFaulty = () => process.name !== 'operator' && this.hasFaults;
    return new NetworkLink(process, host, () => ({ lostOnceIn: isFaulty() ? LOST_ONCE_IN : undefined }));
  }

  #start(work: SimulatedWork): void {
    this.#started += 1;
    const clockOffsetMs = this.scheduler.choose('clock offset', 2 * MAX_CLOCK_OFFSET_MS + 1) - MAX_CLOCK_OFFSET_MS;
    const process = this.scheduler.process(`p${this.#started}`, clockOffsetMs);
    this.#live.add(process);
    process.run(() => {
      work.start(process, this.#connect(process));
    });
  }

  /** Kills and freezes processes for a while. Each that is killed is replaced. */
  async #disturb(operator: SimulatedProcess, work: SimulatedWork): Promise<void> {
    while (this.hasFaults) {
      await operator.sleep(this.scheduler.choose('pause', this.#options.maxPauseMs ?? MAX_PAUSE_MS));
      if (this.#freezesServer()) {
        const server = this.#servers[this.scheduler.choose('server', this.#servers.length)];
        if (server !== undefined) this.#freeze(server, operator);
        continue;
      }
      const live = [...this.#live];
      const victim = live[this.scheduler.choose('victim', live.length)];
      if (victim === undefined) continue;
      const fault = this.scheduler.choose('kill or freeze', 2);
      if (fault === 0) {
        victim.kill();
        this.#live.delete(victim);
        this.#start(work);
      } else if (fault === 1) {
        this.#freeze(victim, operator);
      }
    }
  }

  #freezesServer(): boolean {
    return this.#options.freezesServers === true && this.scheduler.choose('fault of a server', SERVER_ONCE_IN) === 0;
  }

  #freeze(process: SimulatedProcess, operator: SimulatedProcess): void {
    process.freeze();
    operator.setTimer(this.scheduler.choose('how long', this.#maxFreezeMs), () => {
      process.thaw();
    });
  }

  get #maxFreezeMs(): number {
    return this.#options.maxFreezeMs ?? MAX_FREEZE_MS;
  }

  async #whenSettled(
    operator: SimulatedProcess,
    connection: Connection,
    work: SimulatedWork,
  ): Promise<readonly string[]> {
    const endsAtMs = this.scheduler.elapsedMs + SETTLED_WITHIN_MS;
    // A process that is frozen until then may still repeat what it began before, and a transaction of a killed one may still be open.
    await operator.sleep(this.#maxFreezeMs + MAX_TRANSACTION_MS);
    for (;;) {
      const found = await work.violations(connection);
      if (found.length === 0 || this.scheduler.elapsedMs >= endsAtMs) return found;
      await operator.sleep(1_000);
    }
  }
}

/** A broker that appends all or nothing of a call, and whose answers may be lost. */
export function brokerOf(world: World, process: SimulatedProcess, topic: EntityVersion[]): RelayPublisher {
  return {
    publish: async (_, messages) => {
      await process.pass('sends messages');
      const fault = world.hasFaults ? world.scheduler.choose('fault of the broker', LOST_ONCE_IN) : 2;
      if (fault === 0) throw new Error('The broker is unavailable.');
      topic.push(...(messages as readonly unknown[] as readonly EntityVersion[]));
      await process.pass('gets the answer of the broker');
      if (fault === 1) throw new Error('The answer of the broker is lost.');
    },
  };
}
