import { Command, CommanderError } from 'commander';
import { wholeNumber } from './arguments.ts';
import { addAlertCommands } from './commands/alert.ts';
import { addCompletionCommands } from './commands/complete.ts';
import { addCutoverCommands } from './commands/cutover.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addHeartbeatCommands } from './commands/heartbeat.ts';
import { addHistoryCommands } from './commands/history.ts';
import { addImportCommands } from './commands/import.ts';
import { addIntegrationCommands } from './commands/integration.ts';
import { addKeyCommands } from './commands/key.ts';
import { addParityCommand } from './commands/parity.ts';
import { addPolicyCommands } from './commands/policy.ts';
import { addProfileCommands } from './commands/profile.ts';
import { addReadinessCommand } from './commands/readiness.ts';
import { addScheduleCommands } from './commands/schedule.ts';
import { addShadowCommands } from './commands/shadow.ts';
import { addSimulateCommand } from './commands/simulate.ts';
import { startIn } from './commands/start.ts';
import { addWhoCommand } from './commands/who.ts';
import { paintFor } from './output/colours.ts';
import { plain } from './output/text.ts';
import type { ProcessIo } from './process-io.ts';
import { EXIT, interruption, CliError, type ExitCode } from './cli-error.ts';

const HELP_END = `
Where it asks:
  --profile NAME, else TOCSIN_URL with TOCSIN_KEY, else the profile of \`tocsin profile use\`.
  Profiles are kept in ~/.config/tocsin/config.json (TOCSIN_CONFIG), which only you can read.

Exit codes:
  0 done   1 refused or failed   2 wrong usage   3 no connection or unavailable
  4 no key, an unknown one, or not permitted   5 does not exist
  6 accepted, but not settled within --timeout   130 interrupted`;

/** The whole command line, which does nothing until it is parsed. */
function programIn(io: ProcessIo): Command {
  const { stdout, stderr, version } = io;
  const program = new Command('tocsin')
    .description('Alerts, who is on call, schedules, heartbeats and keys of a Tocsin installation.')
    .version(version, '-V, --version', 'says the version')
    .helpOption('-h, --help', 'says how to use a command')
    .helpCommand('help [command]', 'says how to use a command')
    .option('--profile <name>', 'the installation to ask; see `tocsin profile`')
    .option('--json', 'prints the result as JSON; everything else goes to standard error')
    .option(
      '--timeout <seconds>',
      'gives up after so long, waiting and trying again included',
      wholeNumber(1, 3600),
      30,
    )
    .option('--utc', 'shows times in UTC, not in the zone of this machine')
    .addHelpText('after', HELP_END)
    .showHelpAfterError('`--help` says how to use it.')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => {
        write(text.replace(/^error: /, 'tocsin: '));
      },
    })
    .exitOverride();
  const start = startIn(io);
  addAlertCommands(program, start);
  addExplainCommand(program, start);
  addSimulateCommand(program, start);
  addWhoCommand(program, start);
  addScheduleCommands(program, start);
  addReadinessCommand(program, start);
  addHeartbeatCommands(program, start);
  addKeyCommands(program, start);
  addIntegrationCommands(program, start);
  addPolicyCommands(program, start);
  addImportCommands(program, start);
  addParityCommand(program, start);
  addCutoverCommands(program, start);
  addHistoryCommands(program, start);
  addShadowCommands(program, start);
  addProfileCommands(program, start);
  addCompletionCommands(program, start);
  return program;
}

/** Runs a command line, given without the name of the program. Errors go to standard error. */
export async function run(args: readonly string[], io: ProcessIo): Promise<ExitCode> {
  try {
    await programIn(io).parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const cliError = error instanceof CliError ? error : unforeseen(error, io.interrupted.aborted);
    print(cliError, io);
    return cliError.exitCode;
  }
}

const unforeseen = (error: unknown, isInterrupted: boolean): CliError =>
  isInterrupted ? interruption() : new CliError(EXIT.failed, error instanceof Error ? error.message : String(error));

function print({ message, details }: CliError, { stderr, env }: ProcessIo): void {
  const paint = paintFor(stderr, env);
  // The progress text is removed.
  const before = stderr.isTTY === true ? '\r\u001b[K' : '';
  stderr.write(
    `${before}${[`tocsin: ${paint(plain(message), 'bad')}`, ...details.map((line) => `  ${plain(line)}`)].join('\n')}\n`,
  );
}
