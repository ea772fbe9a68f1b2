import type { Command } from 'commander';
import { alertPath, type AlertKind } from '../identifiers.ts';
import type { Invocation } from '../invocation.ts';
import type { Look } from '../output/colours.ts';
import { indentedLines, plainLines } from '../output/text.ts';
import { byOption } from './alert-options.ts';
import { examples, type Start } from './start.ts';

interface Explanation {
  readonly alert: { readonly tinyId: string; readonly message: string };
  readonly users: readonly {
    readonly user: { readonly username: string };
    readonly outcome: string;
    readonly reason: string;
  }[];
  readonly steps: readonly { readonly at: string; readonly text: string }[];
  readonly truncated: boolean;
}

interface ExplainOptions {
  readonly by?: AlertKind;
  readonly user?: string;
}

/** `tocsin explain`: which users were notified of an alert, and why the others were not. */
export function addExplainCommand(program: Command, start: Start): void {
  const explain = program
    .command('explain <alert>')
    .description('Shows whom an alert reached and why, step by step, or why it did not reach a user')
    .addOption(byOption())
    .option('--user <user>', 'about one user alone, by user name or id')
    .action(async (alert: string, { by, user }: ExplainOptions, command: Command) => {
      const invocation = start(command);
      const { kind, path } = alertPath(alert, by);
      const explained = await invocation.api().read<Explanation>(`${path}/explanation`, { identifierType: kind, user });
      invocation.print(explained, () => text(invocation, explained));
    });
  examples(
    explain,
    ['tocsin explain 17', 'all users whom it reached'],
    ['tocsin explain 17 --user grace@example.com', 'and why it did not wake Grace'],
  );
}

const LOOKS: Readonly<Record<string, Look>> = {
  notified: 'good',
  pending: 'warn',
  incomplete: 'warn',
  failed: 'alarm',
};
const WORDS: Readonly<Record<string, string>> = { 'not-sent': 'not notified', 'not-paged': 'not paged' };

const READ_IN_PART = '  The part of the log that was read does not show that it has reached a user.';

function text({ moments, paint }: Invocation, { alert, steps, truncated, users }: Explanation): string {
  const reached = users.map(({ outcome, reason, user }) => {
    const how = paint(WORDS[outcome] ?? outcome, LOOKS[outcome] ?? 'bad');
    return `  ${plainLines(user.username)}: ${how}. ${indentedLines(reason)}`;
  });
  const happened = steps.map(({ at, text: step }) => `  ${paint(moments.exact(at), 'quiet')}  ${indentedLines(step)}`);
  return [
    paint(`Alert ${alert.tinyId}: ${plainLines(alert.message)}`, 'heading'),
    ...(reached.length === 0 ? [truncated ? READ_IN_PART : '  It has reached no user.'] : reached),
    '',
    paint('What happened', 'heading'),
    ...happened,
    ...(truncated ? ['  … its log is longer than this; see `tocsin alert get --log`'] : []),
  ].join('\n');
}
