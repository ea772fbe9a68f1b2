import type { Command } from 'commander';
import { instant } from '../arguments.ts';
import { CliError, EXIT } from '../cli-error.ts';
import { type Left, leftOf } from '../moving/retire.ts';
import { counted, plain } from '../output/text.ts';
import { addCheckCommand } from './cutover-check.ts';
import { clientOf, type FromOptions, tocsinClientOf, withAccount } from './import-options.ts';
import { examples, type Start } from './start.ts';

const EXIT_CODES = `
Exit codes:
  0 nothing is left   1 something is left   2 cannot say   130 interrupted

\`--timeout\` is that of each request here. Only GET is sent to the account.`;

/** `tocsin cutover`: the last steps of a move. */
export function addCutoverCommands(program: Command, start: Start): void {
  const cutover = program.command('cutover').description('The last steps of a move from Opsgenie');
  addCheckCommand(cutover, start);
  addRetire(cutover, start);
}

interface RetireOptions extends FromOptions {
  readonly since: Date;
}

function addRetire(cutover: Command, start: Start): void {
  const command = withAccount(cutover.command('retire'))
    .description(
      'Names what still uses an account of Opsgenie after the switch: tools that send alerts there, also through Tocsin, integrations and heartbeats that are on, and users who are on call',
    )
    .requiredOption('--since <time>', 'the time of the switch', instant)
    .addHelpText('after', EXIT_CODES)
    .action(async ({ since, ...from }: RetireOptions, command: Command) => {
      const invocation = start(command);
      const left = await leftOf(clientOf(invocation, from), tocsinClientOf(invocation), since);
      invocation.print(left, () => textOf(left));
      const things = thingsLeft(left);
      if (things > 0) throw new CliError(EXIT.failed, `${counted(things, 'thing')} left: see above.`);
    });
  examples(command, [
    'tocsin cutover retire --from https://api.opsgenie.com --key-file key.txt --since 2027-02-01T09:00Z',
    'on the first day after the switch, after a week and after a month',
  ]);
}

const thingsLeft = ({ forwarded, heartbeats, integrations, onCall, senders }: Left): number =>
  senders.length + forwarded.length + integrations.length + heartbeats.length + onCall.length;

function textOf({ forwarded, heartbeats, integrations, onCall, senders, since }: Left): string {
  const sections = [
    [
      `Tools that created alerts there since ${since}: set the host name of Tocsin in each, or import its key where it sends through Tocsin`,
      senders.map(
        ({ alerts, integration = 'no integration', lastAt }) =>
          `${integration}: ${counted(alerts, 'alert')}, the last at ${lastAt}`,
      ),
    ],
    [
      'Tools that send there through Tocsin with a key that is not imported: `tocsin import keys` imports it, or give the tool a key of Tocsin',
      forwarded.map(
        ({ lastAt, operation, requests, sha256 }) =>
          `${sha256.slice(0, 12)}…: ${counted(requests, 'request')}, the last at ${lastAt} (${operation})`,
      ),
    ],
    ['Integrations that are on: switch each off once its tool sends to Tocsin, and its key is revoked', integrations],
    ['Heartbeats that are on: delete each once its pings come to Tocsin', heartbeats],
    [
      'Users on call there now: disable the schedule once no alert goes there',
      onCall.map(({ schedule, users }) => `${schedule}: ${users.join(', ')}`),
    ],
  ] as const;
  return sections
    .map(
      ([title, lines]) =>
        `${title}:\n${(lines.length === 0 ? ['none'] : lines).map((line) => `  - ${plain(line)}`).join('\n')}`,
    )
    .join('\n\n');
}
