import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { verify } from '../moving/apply/verify.ts';
import { check, type Check } from '../moving/cutover/check.ts';
import { conditionRows, markdownOf, missingLines } from '../moving/cutover/report.ts';
import { compareOnCall, minuteOf } from '../moving/parity/compare.ts';
import { requireSnapshotOf } from '../moving/plan/applied.ts';
import { tableText } from '../output/table.ts';
import { type FromOptions, withAccount } from './import-options.ts';
import { requireDecisions, targetOf, type TargetOptions, withTarget } from './import-target.ts';
import { type CompareOptions, reportWanted, withMirror } from './shadow-report.ts';
import { examples, type Start } from './start.ts';

/** Where Tocsin keeps the last check of a move. */
const MOVE_PATH = '/v2/account/move';

const EXIT_CODES = `
Exit codes:
  0 all conditions are met   1 one is unmet   2 none is unmet, and one is unknown   130 interrupted

\`--timeout\` is that of each request here. Only GET is sent, to both sides; with --publish one PUT to Tocsin.`;

interface CheckOptions extends FromOptions, TargetOptions, CompareOptions {
  readonly markdown?: boolean;
  readonly publish?: boolean;
}

/** `tocsin cutover check`: whether Tocsin can take over, and what is left to do. */
export function addCheckCommand(cutover: Command, start: Start): void {
  const command = withMirror(withTarget(withAccount(cutover.command('check'))))
    .description(
      'Says whether Tocsin can take over: everything is moved, the same users are on call, and shadow has run long enough, with enough alerts and no unexplained difference; then what is left for each step of the switch',
    )
    .option('--markdown', 'prints Markdown')
    .option('--publish', 'stores the conditions in Tocsin, for the page of the console')
    .addHelpText('after', EXIT_CODES)
    .action(async (options: CheckOptions, command: Command) => {
      const invocation = start(command);
      const found = await checkOf(invocation, options);
      if (options.markdown === true && !invocation.json) invocation.write(markdownOf(found));
      else invocation.print(found, () => textOf(invocation, found));
      if (options.publish === true) await publish(invocation, found);
      requireMet(found);
    });
  const line =
    'tocsin cutover check --from https://api.opsgenie.com --key-file key.txt --from-snapshot snapshot --place mirror';
  examples(command, [line, 'each day'], [`${line} --publish`, 'and shows it in the console']);
}

function checkOf(invocation: Invocation, options: CheckOptions): Promise<Check> {
  requireDecisions(options);
  const wanted = reportWanted(invocation, options);
  return check({
    ...wanted,
    verify: async () => {
      requireSnapshotOf(options.fromSnapshot, wanted.opsgenie.url);
      const { applied, present, snapshot, wanted: bodies } = await targetOf(invocation, options);
      return { found: verify(bodies, present, applied), fetchedAt: new Date(snapshot.manifest.finishedAt ?? NaN) };
    },
    compareOnCall: () => compareOnCall({ ...wanted, from: minuteOf(invocation.io.now()) }),
  });
}

function textOf({ paint, terminalWidth }: Invocation, found: Check): string {
  const rows = tableText(['CONDITION', 'STATE', 'SUMMARY'], conditionRows(found), paint, terminalWidth);
  return [rows, '', ...missingLines(found)].join('\n');
}

async function publish(invocation: Invocation, { checkedAt, conditions, from }: Check): Promise<void> {
  const body = { from: new URL(from).origin, checkedAt, conditions };
  await invocation.api().send('PUT', MOVE_PATH, { body });
  invocation.note('Published: the console shows it.');
}

function requireMet({ conditions }: Check): void {
  const named = (state: string): string =>
    conditions
      .filter((each) => each.state === state)
      .map(({ name }) => name)
      .join(', ');
  if (named('unmet') !== '') throw new CliError(EXIT.failed, `Not yet: ${named('unmet')}.`);
  if (named('unknown') !== '') throw new CliError(EXIT.cannotSay, `Not known: ${named('unknown')}.`);
}
