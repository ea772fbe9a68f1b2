import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { type FetchedKind, fetchSnapshot } from '../moving/fetch.ts';
import { Progress } from '../moving/progress.ts';
import { SnapshotFolder } from '../moving/snapshot/folder.ts';
import type { Manifest } from '../moving/snapshot/manifest.ts';
import { tableText } from '../output/table.ts';
import { counted, plain } from '../output/text.ts';
import { IMPORT_HELP_END, type SourceOptions, originOf, withSource } from './import-options.ts';
import { examples, type Start } from './start.ts';

interface FetchOptions extends SourceOptions {
  readonly to: string;
  readonly withSecrets?: boolean;
}

/** `tocsin import fetch`: a snapshot of an account in a folder. */
export function addFetchCommand(moving: Command, start: Start): void {
  const command = withSource(moving.command('fetch'))
    .description('Reads an account into a folder, which only you can read. Run again, it goes on where it stopped')
    .requiredOption('--to <folder>', 'the folder of the snapshot: a new one, or that of a run that was broken off')
    .option('--with-secrets', 'keeps the secrets that the API shows, such as headers of webhooks')
    .addHelpText('after', IMPORT_HELP_END)
    .action(async (options: FetchOptions, command: Command) => {
      const invocation = start(command);
      const fetched = await fetchInto(invocation, options, options.to);
      invocation.print(fetched, () => fetchedText(invocation, options.to, fetched));
      const unreadable = fetched.kinds.flatMap((kind) => kind.unreadable);
      if (unreadable.length > 0)
        throw new CliError(EXIT.failed, `${counted(unreadable.length, 'thing')} could not be read: see above.`);
    });
  examples(
    command,
    ['tocsin import fetch --from https://api.opsgenie.com --key-file key.txt --to snapshot', 'reads, or goes on'],
    ['tocsin import fetch --from-backup OpsGenieBackups --to snapshot', 'reads the files of the backup tool'],
  );
}

/** A snapshot that is whole. */
interface Fetched {
  readonly manifest: Manifest;
  readonly kinds: readonly FetchedKind[];
}

/** Reads the source that the options name into a folder. @throws CliError as {@link fetchSnapshot}. */
export async function fetchInto(
  invocation: Invocation,
  options: SourceOptions & { readonly withSecrets?: boolean },
  to: string,
): Promise<Fetched> {
  const { origin, sourceAt } = originOf(invocation, options);
  const { io } = invocation;
  const secrets = options.withSecrets === true ? 'included' : 'masked';
  const folder = SnapshotFolder.open(to, { origin, secrets }, io.now());
  try {
    const progress = new Progress(
      (text) => {
        invocation.progress(text);
      },
      () => performance.now(),
    );
    const source = sourceAt(new Date(folder.manifest.startedAt));
    const kinds = await fetchSnapshot(source, folder, progress, () => io.now());
    return { manifest: folder.manifest, kinds };
  } finally {
    folder.close();
  }
}

function fetchedText({ paint, terminalWidth }: Invocation, to: string, { kinds, manifest }: Fetched): string {
  const rows = kinds.map(({ count, kind, state, unreadable, why = '' }) => [
    ...[kind, state === 'unavailable' ? '-' : String(count), state],
    unreadable.length > 0 ? `cannot be read: ${unreadable.join(', ')}` : why,
  ]);
  const things = kinds.reduce((sum, { count }) => sum + count, 0);
  return [
    tableText(['KIND', 'COUNT', 'STATE', 'REMARK'], rows, paint, terminalWidth),
    '',
    `The snapshot in ${plain(to)} is whole: ${counted(things, 'thing')}, secrets ${manifest.secrets}.`,
  ].join('\n');
}
