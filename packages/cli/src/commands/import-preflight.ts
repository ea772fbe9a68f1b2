import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { isReady, preflight, type Preflight, type Remark } from '../moving/preflight.ts';
import { tableText } from '../output/table.ts';
import { plain } from '../output/text.ts';
import { clientOf, type FromOptions, IMPORT_HELP_END, withAccount } from './import-options.ts';
import { requireDecisions, withDecisions } from './import-target.ts';
import { examples, type Start } from './start.ts';

interface PreflightOptions extends FromOptions {
  readonly zone?: string;
  readonly locale?: string;
}

/** `tocsin import preflight`: what can be known before a move. */
export function addPreflightCommand(moving: Command, start: Start): void {
  const command = withDecisions(withAccount(moving.command('preflight')))
    .description(
      'Says what an account has, what the API does not show, what blocks the move, and what is to be decided',
    )
    .addHelpText('after', IMPORT_HELP_END)
    .action(async (options: PreflightOptions, command: Command) => {
      const invocation = start(command);
      requireDecisions(options);
      const client = clientOf(invocation, options);
      const found = await preflight(client, options, invocation.io.now(), (text) => {
        invocation.progress(text);
      });
      invocation.print(found, () => preflightText(invocation, found));
      if (!isReady(found)) throw new CliError(EXIT.failed, 'Not ready to move: see above.');
    });
  examples(
    command,
    ['tocsin import preflight --from https://api.opsgenie.com --key-file key.txt', 'looks'],
    [
      'tocsin import preflight --from https://api.eu.opsgenie.com --key-file key.txt --zone Europe/Berlin --locale en_GB',
      'states what is decided',
    ],
  );
}

function preflightText({ paint, terminalWidth }: Invocation, found: Preflight): string {
  const { account, counts, daysLeft, url } = found;
  const plan = account.plan === undefined ? '' : `, plan ${account.plan}`;
  const rows = counts.map(({ count, kind, why = '' }) => [kind, count === undefined ? '-' : String(count), why]);
  const end = daysLeft > 0 ? `The API ends in ${daysLeft} days, on 2027-04-05.` : 'The API ended on 2027-04-05.';
  return [
    plain(`Account [${account.name}] at ${url}${plan}. ${end}`),
    tableText(['KIND', 'COUNT', 'WHY NOT'], rows, paint, terminalWidth),
    ...section('What blocks the move', found.blocks),
    ...section('What is to be decided', found.decide),
    ...section('What the API does not show', found.notReadable),
    ...section("What to check before the vendor's migration day", found.checkBefore),
  ].join('\n');
}

function section(title: string, remarks: readonly Remark[]): readonly string[] {
  if (remarks.length === 0) return ['', `${title}: nothing`];
  return ['', `${title}:`, ...remarks.map(({ remedy, what }) => `  - ${plain(what)} ${plain(remedy)}`)];
}
