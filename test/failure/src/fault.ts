import type { FaultTimes } from './balance.ts';
import type { Engines, Undo } from './engines.ts';
import type { Services } from './services.ts';
import type { Sinks } from './sinks.ts';

/** What faults are done to. */
export interface System {
  readonly engines: Engines;
  readonly services: Services;
  readonly sinks: Sinks;
}

export interface Fault {
  readonly name: string;
  /** What is done, for `--list`. */
  readonly title: string;
  /** Nodes have a network and a disk of their own only where this process is root on Linux. */
  readonly needsRoot?: true;
  /** Obtains what it needs on this machine. @throws MissingPartError where that cannot be obtained. */
  prepare?(): Promise<unknown>;
  /** How long the cause stays after `begin`. */
  readonly holdMs: number;
  /** How long the recovery may go on after `holdMs`. */
  readonly recoverWithinMs: number;
  begin(system: System): Promise<Undo>;
}

/** Begins a fault, and removes its cause when that has been there for `holdMs`. `clock` has milliseconds since 1970, and waits. */
export async function runFault(
  fault: Fault,
  system: System,
  clock: { now(): number; pause(ms: number): Promise<unknown> },
): Promise<FaultTimes> {
  const beganAt = clock.now();
  const undo = await fault.begin(system);
  await clock.pause(fault.holdMs);
  const recoveryLimitMs = clock.now() - beganAt + fault.recoverWithinMs;
  await undo();
  return { beganAt, removedAt: clock.now(), recoveryLimitMs };
}
