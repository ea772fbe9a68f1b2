import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import type { Finding } from '../moving/findings/finding.ts';
import { type Findings, findingsOf } from '../moving/findings/findings.ts';
import { Snapshot } from '../moving/snapshot/reader.ts';
import { markdownText } from '../output/markdown.ts';
import { counted, plain } from '../output/text.ts';
import { fetchInto } from './import-fetch.ts';
import { IMPORT_HELP_END, type SourceOptions, withSource } from './import-options.ts';
import { examples, type Start } from './start.ts';

interface FindingsOptions extends SourceOptions {
  readonly fromSnapshot?: string;
  readonly markdown?: boolean;
}

/** `tocsin import findings`: what of an account does not do what it seems to do. */
export function addFindingsCommand(moving: Command, start: Start): void {
  const command = withSource(moving.command('findings'))
    .description(
      'Names users who cannot be paged, times without a user on call, routing rules that reach no recipient, and what is disabled',
    )
    .option('--from-snapshot <folder>', 'a snapshot of `tocsin import fetch`, in place of the account')
    .option('--markdown', 'prints Markdown')
    .addHelpText('after', IMPORT_HELP_END)
    .action(async (options: FindingsOptions, command: Command) => {
      const invocation = start(command);
      const found = await findingsFrom(invocation, options);
      invocation.print(found, () => (options.markdown === true ? markdownOf(found) : textOf(found)));
      if (found.errorCount > 0) throw new CliError(EXIT.failed, `${counted(found.errorCount, 'error')}.`);
    });
  examples(
    command,
    ['tocsin import findings --from-snapshot snapshot', 'of a snapshot'],
    ['tocsin import findings --from-snapshot snapshot --markdown > findings.md', 'for others to read'],
    [
      'tocsin import findings --from https://api.opsgenie.com --key-file key.txt',
      'reads the account, and keeps nothing',
    ],
  );
}

async function findingsFrom(invocation: Invocation, { fromSnapshot, ...source }: FindingsOptions): Promise<Findings> {
  if (fromSnapshot !== undefined) {
    if (Object.values(source).some((value) => typeof value === 'string'))
      throw new CliError(EXIT.usage, 'Name one source: --from-snapshot, --from with --key-file, or --from-backup.');
    return findingsOf(Snapshot.open(fromSnapshot));
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `tocsin-findings-${process.pid}-`));
  try {
    await fetchInto(invocation, source, folder);
    return findingsOf(Snapshot.open(folder));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const TITLES: Readonly<Record<Finding['kind'], string>> = {
  'routing-without-recipient': 'Routing rules that reach no recipient',
  'user-without-contact': 'Users without a contact that is enabled and verified',
  'user-without-rule': 'Users without a notification rule that pages them',
  'schedule-gap': 'Times without a user on call',
  'policy-suppresses-all': 'Policies that suppress every notification',
  'rule-never-matches': 'Rules that never match',
  'policy-disabled': 'Policies that are disabled',
  'integration-disabled': 'Integrations that are disabled',
  'heartbeat-disabled': 'Heartbeats that are disabled',
};

/** The parts of the report, each with its title and its lines. */
function sectionsOf({ counts, findings, notKnown }: Findings): readonly (readonly [string, readonly string[]])[] {
  const has = counts.map(
    ({ count, kind, why = 'not read' }) => `${kind}: ${count === undefined ? why : String(count)}`,
  );
  const groups = Map.groupBy(findings, ({ kind, severity }) => `${TITLES[kind]} (${severity})`);
  return [
    ...[...groups].map(
      ([title, group]) => [title, group.map(({ message, remedy }) => `${message} ${remedy}`)] as const,
    ),
    ...(notKnown.length === 0 ? [] : [['Not known', notKnown.map(({ what, why }) => `${what}: ${why}.`)] as const]),
    ['What the account has', has],
  ];
}

function headOf({ account, errorCount, findings, readAt }: Findings): string {
  const name = account === '' ? 'The account' : `Account [${account}]`;
  return `${name}, read ${readAt}: ${counted(errorCount, 'error')}, ${counted(findings.length - errorCount, 'warning')}`;
}

const textOf = (found: Findings): string =>
  [
    plain(headOf(found)),
    ...sectionsOf(found).map(([title, lines]) =>
      ['', `${title}:`, ...lines.map((line) => `  - ${plain(line)}`)].join('\n'),
    ),
  ].join('\n');

const markdownOf = (found: Findings): string =>
  [
    `# ${markdownText(headOf(found))}`,
    ...sectionsOf(found).map(([title, lines]) =>
      [`## ${title}`, '', ...lines.map((line) => `- ${markdownText(line)}`)].join('\n'),
    ),
  ].join('\n\n');
