import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { type Advice, OPSGENIE_ADVICE, TOCSIN_ADVICE } from '../moving/advice.ts';
import { BackupSource } from '../moving/backup.ts';
import { accountAt } from '../moving/account-key.ts';
import { OpsgenieClient } from '../moving/opsgenie-client.ts';
import type { SnapshotOrigin } from '../moving/snapshot/manifest.ts';
import { ApiSource, type Source } from '../moving/source.ts';
import type { Profile } from '../profiles.ts';

/** The end of the help of each command of `tocsin import`. */
export const IMPORT_HELP_END = `
Exit codes:
  0 ready, or no error   1 something blocks, is to be decided, cannot be read, or is an error   2 cannot say
  130 interrupted

\`--timeout\` is that of each request here. Only GET is sent to the account.`;

/** What {@link withSource} adds. */
export interface SourceOptions {
  readonly from?: string;
  readonly keyFile?: string;
  readonly fromBackup?: string;
}

/** A source that is not read yet. */
interface NamedOrigin {
  readonly origin: SnapshotOrigin;
  /** Timelines begin with the day of `startedAt`. */
  readonly sourceAt: (startedAt: Date) => Source;
}

const FROM = [
  '--from <url>',
  'the API of the account: https://api.opsgenie.com or https://api.eu.opsgenie.com',
] as const;
const KEY_FILE = ['--key-file <file>', 'a file with a key of the account, which only you can read'] as const;

/** Which account is read by its API. */
export interface FromOptions {
  readonly from: string;
  readonly keyFile: string;
}

/** Adds the options for the address and the key of an account, of which both are needed. */
export const withAccount = (command: Command): Command => command.requiredOption(...FROM).requiredOption(...KEY_FILE);

/** Adds the options that name the API of an account or the files of a backup. */
export const withSource = (command: Command): Command =>
  command
    .option(...FROM)
    .option(...KEY_FILE)
    .option('--from-backup <folder>', 'the JSON files of the backup tool of the vendor, in place of the API');

/**
 * The origin that the options name, and what makes its source when the day of the snapshot is known.
 *
 * @throws CliError (usage) where they name none, two, or an API without a key.
 */
export function originOf(invocation: Invocation, { from, fromBackup, keyFile }: SourceOptions): NamedOrigin {
  if (fromBackup !== undefined) {
    if (from !== undefined || keyFile !== undefined)
      throw new CliError(EXIT.usage, 'Name one source: --from with --key-file, or --from-backup.');
    const source = new BackupSource(fromBackup);
    return { origin: source.origin, sourceAt: () => source };
  }
  if (from === undefined || keyFile === undefined)
    throw new CliError(EXIT.usage, 'Name the source: --from URL with --key-file FILE, or --from-backup FOLDER.');
  const client = clientOf(invocation, { from, keyFile });
  return {
    origin: { type: 'api', url: client.url },
    sourceAt: (startedAt) => new ApiSource(client, startedAt),
  };
}

/** A client of the account that the options name. */
export const clientOf = (invocation: Invocation, { from, keyFile }: FromOptions): OpsgenieClient =>
  readingClient(invocation, accountAt(from, keyFile), OPSGENIE_ADVICE);

/** A client of the Tocsin that the options, the environment or the current profile names. */
export const tocsinClientOf = (invocation: Invocation): OpsgenieClient =>
  readingClient(invocation, invocation.connection(), TOCSIN_ADVICE);

/** A client whose every request has the time of `--timeout`. */
export const readingClient = (
  invocation: Invocation,
  side: Profile,
  advice: Advice,
  mayWrite = false,
): OpsgenieClient =>
  new OpsgenieClient(side, {
    advice,
    mayWrite,
    signal: invocation.interrupted(),
    requestTimeoutMs: invocation.timeoutSeconds * 1_000,
    progress: (text) => {
      invocation.progress(text);
    },
  });
