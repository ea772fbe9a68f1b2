import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import { TOCSIN_WRITE_ADVICE } from '../moving/advice.ts';
import { type ImportedKeys, importLearnedKeys } from '../moving/learned-keys.ts';
import { idsOf } from '../moving/plan/applied.ts';
import { counted, plain } from '../output/text.ts';
import { clientOf, type FromOptions, readingClient, withAccount } from './import-options.ts';
import { progressOf } from './import-target.ts';
import { examples, type Start } from './start.ts';

interface KeysOptions extends FromOptions {
  readonly fromSnapshot?: string;
}

const EXIT_CODES = `
Exit codes:
  0 each key that Tocsin has learned is imported   1 some were not found in Opsgenie, were replaced there, or were refused by Tocsin
  2 cannot say   130 interrupted

\`--timeout\` is that of each request here. Only GET is sent to the account. The gateway of Tocsin needs IMPORT=on.`;

/** `tocsin import keys`: imports the keys with which tools send to Opsgenie through Tocsin. */
export function addKeysCommand(moving: Command, start: Start): void {
  const command = withAccount(moving.command('keys'))
    .description(
      'Imports the keys with which tools send to Opsgenie through Tocsin: finds the integration of each by its last request about an alert. Run again, it imports what is left',
    )
    .option(
      '--from-snapshot <folder>',
      'a snapshot that was applied: names integrations of Tocsin that took the place of others (`--adopt`)',
    )
    .addHelpText('after', EXIT_CODES)
    .action(async ({ fromSnapshot, ...from }: KeysOptions, command: Command) => {
      const invocation = start(command);
      const opsgenie = clientOf(invocation, from);
      const tocsin = readingClient(invocation, invocation.connection(), TOCSIN_WRITE_ADVICE, true);
      const idOf = fromSnapshot === undefined ? (id: string) => id : idsOf(fromSnapshot, opsgenie.url, tocsin.url);
      const progress = progressOf(invocation, 'Importing');
      const keys = await importLearnedKeys({ opsgenie, tocsin, idOf, progress });
      invocation.print(keys, () => textOf(keys));
      requireAll(keys);
    });
  examples(
    command,
    ['tocsin import keys --from https://api.opsgenie.com --key-file key.txt', 'each day of the last week'],
    [
      'tocsin import keys --from https://api.opsgenie.com --key-file key.txt --from-snapshot snapshot',
      'where integrations were adopted',
    ],
  );
}

function textOf({ imported, present, refused, unknown }: ImportedKeys): string {
  const sections = [
    ['Imported', imported.map(({ id, name }) => `the key of ${name} (${id})`)],
    [
      'Not imported: import each with `tocsin import apply --keys`, or give its tool a key of Tocsin',
      unknown.map(
        ({ lastAt, requests, sha256, why }) =>
          `${sha256.slice(0, 12)}…: ${counted(requests, 'request')}, the last at ${lastAt}; ${why}`,
      ),
    ],
    [
      'Refused by Tocsin',
      refused.map(({ errors, id, name, why }) => [`${name} (${id}): ${why}`, ...errors].join('; ')),
    ],
  ] as const;
  const texts = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${title}:\n${lines.map((line) => `  - ${plain(line)}`).join('\n')}`);
  return [...texts, `${counted(imported.length, 'key')} imported, ${present} imported before.`].join('\n\n');
}

function requireAll({ refused, unknown }: ImportedKeys): void {
  const left = refused.length + unknown.length;
  if (left > 0) throw new CliError(EXIT.failed, `${counted(left, 'key')} not imported: see above.`);
}
