import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { type Report, reportOf, reportText, type ReportWanted } from '../moving/shadow/report.ts';
import { counted } from '../output/text.ts';
import { clientOf, type FromOptions, tocsinClientOf, withAccount } from './import-options.ts';
import { examples, type Start } from './start.ts';

const EXIT_CODES = `
Exit codes:
  0 the same users were reached at the same times   1 some differ   2 cannot say: no alert reached a user, or one could not be compared

\`--timeout\` is that of each request here. Only GET is sent, to both sides.`;

/** What {@link withMirror} adds. */
export interface CompareOptions {
  readonly place: string;
  readonly tolerance: number;
}

/** Adds the options for the alerts of a mirror. */
export const withMirror = (command: Command): Command =>
  withTolerance(command.requiredOption('--place <folder>', 'the folder of `tocsin shadow mirror`'));

/** Adds the option that says which times count as the same. */
export const withTolerance = (command: Command): Command =>
  command.option(
    '--tolerance <seconds>',
    'how much earlier or later counts as the same: more than the mirror waits between two looks',
    wholeNumber(1, 3_600),
    60,
  );

/** `tocsin shadow report`: whether alerts reached the same users at the same times on both sides. */
export function addReportCommand(shadow: Command, start: Start): void {
  const command = withMirror(withAccount(shadow.command('report')))
    .description(
      'Compares the users whom each alert reached in Opsgenie and in Tocsin since the mirror was begun, by day and team',
    )
    .addHelpText('after', EXIT_CODES)
    .action(async (options: FromOptions & CompareOptions, command: Command) => {
      const invocation = start(command);
      const report = await reportOf(reportWanted(invocation, options));
      const { paint, terminalWidth: width } = invocation;
      invocation.print(report, () => reportText(report, { paint, width }));
      requireSame(report, 'since the mirror was begun');
    });
  examples(
    command,
    ['tocsin shadow report --from https://api.opsgenie.com --key-file key.txt --place mirror', 'each day'],
    [
      'tocsin shadow report --from https://api.opsgenie.com --key-file key.txt --place mirror --json | jq .different',
      'each difference, with the logs of both sides',
    ],
  );
}

/** The sides and the folder that the options name. */
export const reportWanted = (
  invocation: Invocation,
  { place, tolerance, ...from }: FromOptions & CompareOptions,
): ReportWanted => ({
  ...{ opsgenie: clientOf(invocation, from), tocsin: tocsinClientOf(invocation), place, toleranceSeconds: tolerance },
  now: () => invocation.io.now(),
  progress: (text) => {
    invocation.progress(text);
  },
});

/** `since` says which alerts are compared. @throws CliError where one differs or could not be compared, or there is none. */
export function requireSame({ different, explained, notComparable, rows }: Report, since: string): void {
  if (different.length > 0)
    throw new CliError(EXIT.failed, `${counted(different.length, 'alert')} reached other users, or at other times.`);
  if (notComparable.length > 0)
    throw new CliError(EXIT.cannotSay, `${counted(notComparable.length, 'alert')} could not be compared.`);
  if (rows.length === 0) throw new CliError(EXIT.cannotSay, `No alert was created ${since}.`);
  if (explained.length === 0 && rows.every(({ users }) => users.same === 0))
    throw new CliError(EXIT.cannotSay, 'No alert reached a user on both sides: nothing was compared.');
}
