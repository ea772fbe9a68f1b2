import { runCommand, type CommandResult } from '../run-command.ts';

const WITHIN_MS = 15_000;

/** Asks the Docker of the `PATH` something that it answers within 15 s, or has failed. */
export function askDocker(...args: readonly string[]): Promise<CommandResult> {
  return runCommand('docker', args, {
    cwd: process.cwd(),
    env: process.env,
    output: 'keep',
    signal: AbortSignal.timeout(WITHIN_MS),
  });
}
