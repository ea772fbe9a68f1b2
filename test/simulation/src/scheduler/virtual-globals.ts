import { createRequire, syncBuiltinESMExports } from 'node:module';
import { findProcess, type SimulatedProcess } from './scheduler.ts';

const require = createRequire(import.meta.url);

type Handler = (...parts: unknown[]) => void;

/** In which steps random numbers and ids are chosen. */
const RANDOM_STEPS = 2 ** 30;

/** What `setTimeout` gives in a simulated process. */
class VirtualTimer {
  readonly #remove: () => void;

  constructor(remove: () => void) {
    this.#remove = remove;
  }

  remove(): void {
    this.#remove();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

/**
 * Gives code of simulated processes the time, the timers and the randomness of their scheduler, through the globals and modules of Node.
 * Other code keeps the real ones. To be called once, before the code of the processes is loaded.
 */
export function installVirtualGlobals(): void {
  const modules = ['node:timers', 'node:timers/promises', 'node:crypto'].map((name) => require(name) as object);
  const [timers = {}, timersPromises = {}, crypto = {}] = modules;
  for (const owner of [globalThis, timers]) {
    replace(
      owner,
      'setTimeout',
      (process) =>
        (fire: Handler, delayMs = 0, ...parts: unknown[]) =>
          timer(process, delayMs, () => {
            fire(...parts);
          }),
    );
    replace(
      owner,
      'setImmediate',
      (process) =>
        (fire: Handler, ...parts: unknown[]) =>
          timer(process, 0, () => {
            fire(...parts);
          }),
    );
    replace(owner, 'setInterval', (process) => (fire: Handler, everyMs: number) => interval(process, everyMs, fire));
    for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) replaceClear(owner, name);
  }
  replace(timersPromises, 'setTimeout', (process) => async (delayMs: number, value?: unknown) => {
    await process.sleep(delayMs);
    return value;
  });
  replace(timersPromises, 'setImmediate', (process) => () => process.sleep(0));
  replace(Math, 'random', (process) => () => process.scheduler.choose('Math.random', RANDOM_STEPS) / RANDOM_STEPS);
  replace(performance, 'now', (process) => () => process.scheduler.elapsedMs);
  replace(crypto, 'randomUUID', (process) => () => uuid(process));
  replace(AbortSignal, 'timeout', (process) => (delayMs: number) => {
    const controller = new AbortController();
    process.setTimer(delayMs, () => {
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    });
    return controller.signal;
  });
  replaceDate();
  syncBuiltinESMExports();
}

/** Replaces a function by another one for code of simulated processes. */
function replace(
  owner: object,
  name: string,
  virtual: (process: SimulatedProcess) => (...parts: never[]) => unknown,
): void {
  const real = Reflect.get(owner, name) as (...parts: unknown[]) => unknown;
  const either = (...parts: unknown[]): unknown => {
    const process = findProcess();
    return process === undefined ? real.apply(owner, parts) : virtual(process)(...(parts as never[]));
  };
  Reflect.defineProperty(owner, name, { value: either, writable: true, configurable: true });
}

function replaceClear(owner: object, name: string): void {
  const real = Reflect.get(owner, name) as (timer: unknown) => void;
  const either = (timer: unknown): void => {
    if (timer instanceof VirtualTimer) timer.remove();
    else real(timer);
  };
  Reflect.defineProperty(owner, name, { value: either, writable: true, configurable: true });
}

function replaceDate(): void {
  const RealDate = Date;
  const nowMs = (): number => findProcess()?.nowMs ?? RealDate.now();
  const VirtualDate = new Proxy(RealDate, {
    construct: (target, parts, newTarget) =>
      Reflect.construct(target, parts.length === 0 ? [nowMs()] : parts, newTarget) as object,
    get: (target, name, receiver): unknown => (name === 'now' ? nowMs : Reflect.get(target, name, receiver)),
  });
  Reflect.defineProperty(globalThis, 'Date', { value: VirtualDate, writable: true, configurable: true });
}

function timer(process: SimulatedProcess, delayMs: number, fire: () => void): VirtualTimer {
  return new VirtualTimer(process.setTimer(delayMs, fire));
}

function interval(process: SimulatedProcess, everyMs: number, fire: Handler): VirtualTimer {
  let remove = (): void => undefined;
  const again = (): void => {
    remove = process.setTimer(everyMs, () => {
      again();
      fire();
    });
  };
  again();
  return new VirtualTimer(() => {
    remove();
  });
}

function uuid({ scheduler }: SimulatedProcess): string {
  const digits = Array.from({ length: 4 }, () =>
    scheduler.choose('id', RANDOM_STEPS).toString(16).padStart(8, '0'),
  ).join('');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`;
}
