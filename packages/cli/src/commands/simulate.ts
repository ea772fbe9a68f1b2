import type { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import { tableText, type Cell } from '../output/table.ts';
import { indentedLines, plain } from '../output/text.ts';
import { supposed, withSupposed, type SupposedOptions } from './alert-options.ts';
import { examples, type Start } from './start.ts';

interface Simulation {
  readonly outcome: string;
  readonly reason?: string;
  readonly messages: readonly {
    readonly at: string;
    readonly user: { readonly username: string };
    readonly method: string;
    readonly why: string;
  }[];
  readonly steps: readonly { readonly at: string; readonly text: string }[];
  readonly truncated: boolean;
}

interface SimulateOptions extends SupposedOptions {
  readonly steps?: boolean;
}

/** `tocsin simulate`: which users would be notified of an alert, when and how, if no user acted. */
export function addSimulateCommand(program: Command, start: Start): void {
  const simulate = withSupposed(program.command('simulate [message]'))
    .description('Simulates who would be notified of an alert, when and how, if no user acted')
    .option('--steps', 'what would be decided on the way too')
    .action(async (message: string | undefined, options: SimulateOptions, command: Command) => {
      const invocation = start(command);
      const { data } = await invocation.api().send('POST', '/v2/alerts/simulate', { body: supposed(message, options) });
      invocation.print(data, () => text(invocation, data as Simulation, options.steps === true));
    });
  examples(
    simulate,
    ["tocsin simulate 'Disk full' -r team:Ops", 'now'],
    ["tocsin simulate 'Disk full' -r team:Ops -p P1 --at 2026-12-24T03:00", 'on Christmas Eve at night'],
    ['tocsin simulate --existing 17 --steps', 'if alert 17 came again, and why'],
  );
}

function text(invocation: Invocation, simulation: Simulation, withSteps: boolean): string {
  const { messages, steps, truncated } = simulation;
  return [
    messages.length === 0
      ? plain(`No user would be notified. ${simulation.reason ?? ''}`)
      : messageTable(invocation, simulation),
    ...(truncated ? ['… and more after that'] : []),
    ...(withSteps ? ['', ...steps.map((step) => stepText(invocation, step))] : []),
  ].join('\n');
}

function messageTable({ moments, paint, terminalWidth }: Invocation, { messages }: Simulation): string {
  const rows = messages.map(({ at, method, user, why }): readonly Cell[] => [
    moments.short(at),
    user.username,
    method,
    why,
  ]);
  return tableText([moments.zone === 'UTC' ? 'AT (UTC)' : 'AT', 'WHO', 'BY', 'BECAUSE'], rows, paint, terminalWidth);
}

const stepText = ({ moments, paint }: Invocation, { at, text: step }: Simulation['steps'][number]): string =>
  `${paint(moments.short(at), 'quiet')}  ${indentedLines(step)}`;
