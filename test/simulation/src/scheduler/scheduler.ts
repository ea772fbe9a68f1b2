import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as pause } from 'node:timers/promises';
import type { ChoiceSource } from './choices.ts';

interface Operation {
  readonly process: SimulatedProcess;
  readonly label: string;
  /** Operations of one lane follow each other more often than others do. */
  readonly lane: string;
  readonly resume: () => void;
}

interface Timer {
  readonly process: SimulatedProcess;
  /** On the time of the scheduler. */
  readonly dueMs: number;
  readonly fire: () => void;
}

/** An entry of the log of a run. */
export interface LogEntry {
  /** Milliseconds since the start of the run. */
  readonly atMs: number;
  readonly process: string;
  readonly text: string;
}

export interface SchedulerOptions {
  readonly choices: ChoiceSource;
  /** The time of the world at the start, in milliseconds since the epoch. */
  readonly startsAtMs: number;
  /** How seldom time passes while operations could go on: once in so many steps; 10 by default. */
  readonly timePassesOnceIn?: number;
}

/** The longest time that passes at once while operations could go on. */
const MAX_LATENCY_MS = 20;

/** The real one, also where `installVirtualGlobals` replaces it later. */
const settled = pause;

const running = new AsyncLocalStorage<SimulatedProcess>();

/** The simulated process whose code runs now; undefined outside of one. */
export const findProcess = (): SimulatedProcess | undefined => running.getStore();

/**
 * Runs the asynchronous work of several simulated processes, one step after the other, in an order that the choices alone decide. All
 * that a process awaits has to end in `pass` or in a timer of its own. Time passes only between steps: from timer to timer and, while
 * operations could go on, by some milliseconds.
 */
export class Scheduler {
  readonly entries: LogEntry[] = [];
  readonly #choices: ChoiceSource;
  readonly #startsAtMs: number;
  readonly #timePassesOnceIn: number;
  readonly #operations: Operation[] = [];
  #timers: readonly Timer[] = [];
  /** Some runs go on for long in one lane, others change it with each step. */
  readonly #otherLaneOnceIn: number;
  #lane: string | undefined;
  #elapsedMs = 0;

  constructor({ choices, startsAtMs, timePassesOnceIn = 10 }: SchedulerOptions) {
    this.#choices = choices;
    this.#otherLaneOnceIn = 1 + 4 * choices.choose('steps in a lane', 4);
    this.#startsAtMs = startsAtMs;
    this.#timePassesOnceIn = timePassesOnceIn;
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** The right time, in milliseconds since the epoch. */
  get nowMs(): number {
    return this.#startsAtMs + this.#elapsedMs;
  }

  /** A whole number from 0 to `count - 1`. */
  choose(name: string, count: number): number {
    return this.#choices.choose(name, count);
  }

  log(process: string, text: string): void {
    this.entries.push({ atMs: this.#elapsedMs, process, text });
  }

  /** A new process, whose wall clock is `clockOffsetMs` ahead. */
  process(name: string, clockOffsetMs = 0): SimulatedProcess {
    return new SimulatedProcess(this, name, clockOffsetMs);
  }

  /** Resolves when the choices let the operation go on; never where its process is killed. */
  addOperation(process: SimulatedProcess, label: string, lane: string): Promise<void> {
    return new Promise((resume) => {
      if (!process.isKilled) this.#operations.push({ process, label, lane, resume });
    });
  }

  /** Calls `fire` after that time, unless the process is killed or the timer is removed; later where the process is frozen then. */
  addTimer(process: SimulatedProcess, delayMs: number, fire: () => void): Timer {
    const timer = { process, dueMs: this.#elapsedMs + Math.max(0, Math.ceil(delayMs)), fire };
    if (!process.isKilled) this.#timers = [...this.#timers, timer];
    return timer;
  }

  removeTimer(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  removeAll(process: SimulatedProcess): void {
    this.#timers = this.#timers.filter((timer) => timer.process !== process);
    for (let index = this.#operations.length - 1; index >= 0; index -= 1)
      if (this.#operations[index]?.process === process) this.#operations.splice(index, 1);
  }

  /**
   * Goes on until `isOver`, which is asked after each step. Resolves with whether it was: false where nothing is left to do, or after
   * `maxSteps`.
   */
  async run(isOver: () => boolean, { maxSteps = 100_000 }: { readonly maxSteps?: number } = {}): Promise<boolean> {
    for (let steps = 0; steps < maxSteps; steps += 1) {
      // After all promises that can settle. Nothing waits for a socket, a thread or the real clock.
      await settled();
      if (isOver()) return true;
      if (!this.#step()) return false;
    }
    return false;
  }

  #step(): boolean {
    const ready = this.#operations.filter(({ process }) => !process.isFrozen);
    const timers = this.#nextTimers();
    if (ready.length === 0) this.#fire(timers);
    else if (this.choose('time passes', this.#timePassesOnceIn) > 0) this.#resume(ready);
    else {
      const untilMs = this.#elapsedMs + 1 + this.choose('milliseconds', MAX_LATENCY_MS);
      if ((timers[0]?.dueMs ?? Infinity) <= untilMs) this.#fire(timers);
      else this.#elapsedMs = untilMs;
    }
    return timers.length + ready.length > 0;
  }

  #resume(ready: readonly Operation[]): void {
    const same = ready.filter(({ lane }) => lane === this.#lane);
    const stays = same.length > 0 && same.length < ready.length && this.choose('other lane', this.#otherLaneOnceIn) > 0;
    const possible = stays ? same : ready;
    const chosen = possible[possible.length === 1 ? 0 : this.choose('next operation', possible.length)];
    if (chosen === undefined) return;
    this.#lane = chosen.lane;
    this.#operations.splice(this.#operations.indexOf(chosen), 1);
    this.log(chosen.process.name, chosen.label);
    chosen.resume();
  }

  /** Those that are due first. */
  #nextTimers(): readonly Timer[] {
    const waiting = this.#timers.filter(({ process }) => !process.isFrozen);
    const dueMs = Math.min(...waiting.map((timer) => timer.dueMs));
    return waiting.filter((timer) => timer.dueMs === dueMs);
  }

  #fire(timers: readonly Timer[]): void {
    const chosen = timers[timers.length === 1 ? 0 : this.choose('next timer', timers.length)];
    if (chosen === undefined) return;
    // A process that was frozen has timers that were due before.
    this.#elapsedMs = Math.max(this.#elapsedMs, chosen.dueMs);
    this.removeTimer(chosen);
    chosen.process.run(chosen.fire);
  }
}

/** A process of the simulation: its operations and timers, which end with it, and its clock. */
export class SimulatedProcess {
  readonly name: string;
  readonly #scheduler: Scheduler;
  readonly #clockOffsetMs: number;
  #state: 'running' | 'frozen' | 'killed' = 'running';
  #onKill: (() => void) | undefined;

  constructor(scheduler: Scheduler, name: string, clockOffsetMs: number) {
    this.#scheduler = scheduler;
    this.name = name;
    this.#clockOffsetMs = clockOffsetMs;
  }

  get scheduler(): Scheduler {
    return this.#scheduler;
  }

  get isFrozen(): boolean {
    return this.#state === 'frozen';
  }

  get isKilled(): boolean {
    return this.#state === 'killed';
  }

  /** The wall clock of the process, in milliseconds since the epoch. */
  get nowMs(): number {
    return this.#scheduler.nowMs + this.#clockOffsetMs;
  }

  /** Runs `work`, and what follows from it, as code of this process. */
  run<T>(work: () => T): T {
    return running.run(this, work);
  }

  /**
   * A point at which the process may be stopped, or overtaken by another. Never resolves once it is killed. `lane` names the process for
   * which this one works.
   */
  pass(label: string, lane = this.name): Promise<void> {
    return this.#scheduler.addOperation(this, label, lane);
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.setTimer(delayMs, resolve);
    });
  }

  /** Returns a function that removes the timer. */
  setTimer(delayMs: number, fire: () => void): () => void {
    const timer = this.#scheduler.addTimer(this, delayMs, fire);
    return () => {
      this.#scheduler.removeTimer(timer);
    };
  }

  /** Calls `listener`, in place of an earlier one, when the process is killed. */
  onKill(listener: (() => void) | undefined): void {
    this.#onKill = listener;
  }

  /** Nothing of the process goes on any more. What it sent before may still arrive. */
  kill(): void {
    this.#state = 'killed';
    this.#scheduler.removeAll(this);
    this.#onKill?.();
    this.#scheduler.log(this.name, 'is killed');
  }

  /** Nothing of the process goes on until `thaw`. */
  freeze(): void {
    if (this.#state !== 'running') return;
    this.#state = 'frozen';
    this.#scheduler.log(this.name, 'is frozen');
  }

  thaw(): void {
    if (this.#state !== 'frozen') return;
    this.#state = 'running';
    this.#scheduler.log(this.name, 'goes on');
  }
}
