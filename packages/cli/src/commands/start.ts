import type { Command } from 'commander';
import { Invocation, type CommonOptions } from '../invocation.ts';
import type { ProcessIo } from '../process-io.ts';

/** Begins the run of a command, with the options that every command takes. */
export type Start = (command: Command) => Invocation;

export const startIn =
  (io: ProcessIo): Start =>
  (command) =>
    new Invocation(io, command.optsWithGlobals<CommonOptions>());

/** Help that ends in examples; each is a command line and what it does. */
export function examples(command: Command, ...lines: readonly (readonly [line: string, meaning: string])[]): Command {
  const width = Math.max(...lines.map(([line]) => line.length));
  const shown = lines.map(([line, meaning]) => `  $ ${line.padEnd(width)}  # ${meaning}`).join('\n');
  return command.addHelpText('after', `\nExamples:\n${shown}`);
}
