import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { type Json, numberIn } from '../moving/json.ts';
import type { OpsgenieClient } from '../moving/opsgenie-client.ts';
import { idsOf } from '../moving/plan/applied.ts';
import { replay } from '../moving/shadow/replay.ts';
import { type Report, ReportBuilder, reportText, teamNamesOf } from '../moving/shadow/report.ts';
import { clientOf, type FromOptions, withAccount } from './import-options.ts';
import { progressOf } from './import-target.ts';
import { type CompareOptions, requireSame, withTolerance } from './shadow-report.ts';
import { examples, type Start } from './start.ts';

const DAY_MS = 86_400_000;
const MAX_ALERTS = 20_000;

const NOT_KNOWN = [
  'Simulated with the rules, schedules and users that Tocsin has now: overrides that have ended, and changes since an alert, are not known.',
  'What users did besides an acknowledgement or a close is not simulated, such as adding a responder.',
] as const;

const EXIT_CODES = `
Exit codes:
  0 the same users would have been reached at the same times   1 some differ   2 cannot say: there is no alert, or one could not be compared

\`--timeout\` is that of each request here. Only GET is sent to the account. Tocsin is asked to simulate, which changes nothing there.`;

interface ReplayOptions extends FromOptions, Pick<CompareOptions, 'tolerance'> {
  readonly days: number;
  readonly fromSnapshot?: string;
}

/** `tocsin shadow replay`: whom Tocsin would have reached by the alerts of the last days. */
export function addReplayCommand(shadow: Command, start: Start): void {
  const command = withTolerance(withAccount(shadow.command('replay')))
    .description(
      'Compares the users whom each alert of the last days reached in Opsgenie with those whom Tocsin would have reached, by simulation',
    )
    .option(
      '--from-snapshot <folder>',
      'the snapshot that was applied last: it says which ids adopted things have in Tocsin',
    )
    .option('--days <number>', 'of how many days the alerts are replayed', wholeNumber(1, 90), 30)
    .addHelpText('after', EXIT_CODES)
    .action(async (options: ReplayOptions, command: Command) => {
      const invocation = start(command);
      const report = await replayReport(invocation, options);
      const { paint, terminalWidth: width } = invocation;
      invocation.print(report, () => [reportText(report, { paint, width }), '', ...NOT_KNOWN].join('\n'));
      requireSame(report, `in the last ${options.days} days`);
    });
  const line = 'tocsin shadow replay --from https://api.opsgenie.com --key-file key.txt --from-snapshot snapshot';
  examples(
    command,
    [line, 'of the last 30 days'],
    [`${line} --days 1 --json | jq .different`, 'each difference of a day, with both explanations'],
  );
}

async function replayReport(
  invocation: Invocation,
  { days, fromSnapshot, tolerance, ...from }: ReplayOptions,
): Promise<Report> {
  const { io } = invocation;
  const opsgenie = clientOf(invocation, from);
  const { url } = invocation.connection();
  const idOf = fromSnapshot === undefined ? (id: string) => id : idsOf(fromSnapshot, opsgenie.url, url);
  const since = new Date(io.now().getTime() - days * DAY_MS);
  const builder = new ReportBuilder(await teamNamesOf(opsgenie), new Map());
  const progress = progressOf(invocation, 'Replaying');
  progress.begin('alerts');
  const total = await countSince(opsgenie, since);
  progress.expect(total, total);
  const ports = { opsgenie, idOf, now: () => io.now(), simulate: (body: Json) => simulate(invocation, body) };
  await replay(ports, { since, toleranceMs: tolerance * 1_000 }, (alert) => {
    builder.add(alert);
    progress.done();
  });
  return builder.report(since, tolerance);
}

/** @throws CliError (usage) where they are too many for one run. */
async function countSince(opsgenie: OpsgenieClient, since: Date): Promise<number> {
  const found = await opsgenie.object('/v2/alerts/count', { query: `createdAt >= ${since.getTime()}` });
  const count = numberIn(found, 'count') ?? 0;
  if (count <= MAX_ALERTS) return count;
  throw new CliError(
    EXIT.usage,
    `There are ${count} alerts since ${since.toISOString()}: ${MAX_ALERTS} are replayed at most.`,
    ['Choose fewer days: --days'],
  );
}

const simulate = async (invocation: Invocation, body: Json): Promise<Json> =>
  (await invocation.api().send('POST', '/v2/alerts/simulate', { body }))['data'] as Json;
