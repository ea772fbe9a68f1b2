import type { Command } from 'commander';
import { instant, wholeNumber } from '../arguments.ts';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { compareOnCall, minuteOf, PARITY_DEFAULTS } from '../moving/parity/compare.ts';
import type { Parity } from '../moving/parity/parity.ts';
import {
  differenceLines,
  isIdentical,
  jsonOf,
  markdownOf,
  resultsOf,
  rowsOf,
  summaryOf,
} from '../moving/parity/report.ts';
import { tableText } from '../output/table.ts';
import { plain } from '../output/text.ts';
import { clientOf, type FromOptions, tocsinClientOf, withAccount } from './import-options.ts';
import { examples, type Start } from './start.ts';

const EXIT_CODES = `
Exit codes:
  0 identical   1 something differs   2 cannot say: something could not be compared   130 interrupted

\`--timeout\` is that of each request here. Only GET is sent, to both sides.`;

interface Options extends FromOptions {
  readonly schedule?: string;
  readonly at?: Date;
  readonly instants: number;
  readonly seed: number;
  readonly markdown?: boolean;
}

/** `tocsin parity`: whether both sides would page the same users. */
export function addParityCommand(program: Command, start: Start): void {
  const command = withAccount(
    program
      .command('parity')
      .description(
        'Compares the users on call in Opsgenie and in Tocsin for 13 months: by the timelines of all schedules, and at single instants, such as around each change of the clock',
      ),
  )
    .option('--schedule <schedule>', 'compares one schedule alone, named by name or id')
    .option('--at <time>', 'the start of the 13 months (default: now)', instant)
    .option(
      '--instants <number>',
      'how many instants are drawn at random',
      wholeNumber(0, 10_000),
      PARITY_DEFAULTS.randomInstants,
    )
    .option(
      '--seed <number>',
      'the same seed draws the same instants',
      wholeNumber(0, 2 ** 32 - 1),
      PARITY_DEFAULTS.seed,
    )
    .option('--markdown', 'prints the report as Markdown')
    .addHelpText('after', EXIT_CODES)
    .action(async (options: Options, command: Command) => {
      const invocation = start(command);
      const found = await compare(invocation, options);
      if (options.markdown === true && !invocation.json) invocation.write(markdownOf(found));
      else invocation.print(jsonOf(found), () => text(invocation, found));
      requireIdentical(found, options);
    });
  examples(
    command,
    ['tocsin parity --from https://api.opsgenie.com --key-file key.txt', 'compares'],
    ["tocsin parity --from https://api.opsgenie.com --key-file key.txt --schedule 'Ops_schedule'", 'one schedule'],
    ['tocsin parity --from https://api.opsgenie.com --key-file key.txt --markdown >parity.md', 'keeps the report'],
  );
}

function compare(invocation: Invocation, options: Options): Promise<Parity> {
  const { at: from = minuteOf(invocation.io.now()), instants: randomInstants, schedule, seed } = options;
  return compareOnCall({
    opsgenie: clientOf(invocation, options),
    tocsin: tocsinClientOf(invocation),
    ...{ from, schedule, randomInstants, seed },
    progress: (text) => {
      invocation.progress(text);
    },
  });
}

function text({ paint, terminalWidth }: Invocation, found: Parity): string {
  const table = tableText(['SCHEDULE', 'RESULT', 'DIFFERS FOR', 'PROBABLE CAUSE'], rowsOf(found), paint, terminalWidth);
  const different = found.schedules.filter((one) => one.result === 'different');
  return [
    ...summaryOf(found).map(plain),
    '',
    table,
    ...different.flatMap((one) => [
      ...['', paint(plain(one.name), 'heading')],
      ...one.causes.map((cause) => `  Probable cause: ${plain(cause)}`),
      ...differenceLines(one).map((line) => `  ${plain(line)}`),
    ]),
  ].join('\n');
}

function requireIdentical(found: Parity, { schedule }: Options): void {
  if (isIdentical(found)) return;
  const { different, 'not-comparable': unread } = resultsOf(found);
  if (different > 0) throw new CliError(EXIT.failed, `${different} of ${found.schedules.length} schedules differ.`);
  if (found.schedules.length === 0 && schedule !== undefined)
    throw new CliError(EXIT.cannotSay, `Neither Opsgenie nor Tocsin shows a schedule [${schedule}].`);
  if (found.schedules.length === 0)
    throw new CliError(EXIT.cannotSay, 'Nothing was compared: neither Opsgenie nor Tocsin shows a schedule.', [
      'Check that both keys are of the account, and not of a team.',
    ]);
  const { unread: unreadInstants } = found.instants;
  throw new CliError(EXIT.cannotSay, 'Not everything could be compared.', [
    ...(unread === 0 ? [] : [`${unread} of ${found.schedules.length} schedules`]),
    ...(unreadInstants === 0 ? [] : [`the users on call at ${unreadInstants} instants`]),
  ]);
}
