import { type Choice, DivergenceError, ReplayedChoices } from './scheduler/choices.ts';
import type { LogEntry } from './scheduler/scheduler.ts';
import type { Simulation, SimulationResult } from './world.ts';

/**
 * Runs a simulation once more by the record of its choices.
 *
 * @throws DivergenceError where the run asks for other choices or does something else.
 */
export async function repeat(
  simulate: Simulation,
  record: readonly Choice[],
  { log }: Pick<SimulationResult, 'log'>,
): Promise<void> {
  const replay = new ReplayedChoices(record);
  const again = await simulate(replay);
  const length = Math.max(log.length, again.log.length);
  for (let at = 0; at < length; at += 1) {
    const [first, second] = [textOf(log[at]), textOf(again.log[at])];
    if (first !== second) throw new DivergenceError(`Entry ${at} of the log is "${second}". It was "${first}".`);
  }
  if (!replay.isFinished)
    throw new DivergenceError(`The run asks for less than the recorded ${record.length} choices.`);
}

/** An entry as a line of text. */
export const textOf = (entry: LogEntry | undefined): string =>
  entry === undefined ? 'missing' : `${String(entry.atMs).padStart(6)} ms  ${entry.process} ${entry.text}`;
