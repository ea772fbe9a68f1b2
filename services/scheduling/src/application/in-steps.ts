import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../domain/on-call/steps.ts';

/** Milliseconds of work in steps after which the event loop runs again: this process also settles events that page people. */
const PART_MS = 5;

/** What `steps` come to; the event loop runs in between, and once they are done. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  let until = performance.now() + PART_MS;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done !== true && performance.now() < until) continue;
    await setImmediate();
    if (step.done === true) return step.value;
    until = performance.now() + PART_MS;
  }
}
