import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

export type BackupCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'backup'; readonly folder: string; readonly follows: boolean; readonly everyMs: number };

export type RestoreCommand =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'restore';
      readonly folder: string;
      readonly at: Date | undefined;
      readonly replaces: boolean;
      readonly onlyChecks: boolean;
    };

export type Reading<Command> = { readonly command: Command } | { readonly problem: string };

export const BACKUP_HELP = `Backup: all databases of Tocsin as they are at one moment. Services may run.

  npm run backup -- <folder>             into a folder that is new or empty; a backup that was cut off there is removed
  npm run backup -- <folder> --follow    then archives changes until you stop it, so that a restore can choose an instant.
                                         If the folder has a backup, it continues that archive.
      --every N                          write a change set every N seconds, 1 to 3600 (default 5)

It reads the MongoDB that npm start runs in TOCSIN_DATA or, where it is set, that of MONGODB_URI, with the databases of
MONGODB_DATABASE_PREFIX. The login needs the role readAnyDatabase.
Exit codes: 0 done, or stopped in order; 1 not done, with the reason; 2 for an unknown command.`;

export const RESTORE_HELP = `Restore: all databases of Tocsin as they were at a moment of a backup. Stop all services first.

  npm run restore -- <folder>                              to the last archived moment; if no changes were archived, to the moment of the backup
  npm run restore -- <folder> --at 2026-03-02T08:00:00Z    to the last archived moment at or before this instant
      --replace                                            empty existing databases first
      --check                                              only check the files, and print the last instant that can be restored

It writes to MONGODB_URI. If that is not set, it starts the MongoDB in TOCSIN_DATA. Database names begin with MONGODB_DATABASE_PREFIX.
The login needs the role readWriteAnyDatabase.
Before it writes it checks all files. Where it is cut off, no service starts until another npm run restore has ended.
Exit codes: 0 done; 1 not done, with the reason; 2 for an unknown command.`;

const ONE_SERVICE =
  'One service cannot be restored apart from the others: its positions on Kafka and what it handed over to other services are in its own database, so the services would disagree about which alerts, events and pages were handed over. Restore all of them.';

const BACKUP_OPTIONS = {
  follow: { type: 'boolean' },
  every: { type: 'string' },
  help: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

const RESTORE_OPTIONS = {
  at: { type: 'string' },
  replace: { type: 'boolean' },
  check: { type: 'boolean' },
  only: { type: 'string' },
  help: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

const DEFAULT_EVERY = '5';
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** Reads the arguments after `npm run backup --`. */
export function readBackupCommand(args: readonly string[]): Reading<BackupCommand> {
  return reading<BackupCommand>(() => {
    const { values, positionals } = parseArgs({ args: [...args], options: BACKUP_OPTIONS, allowPositionals: true });
    if (values.help === true || positionals[0] === 'help') return { command: { kind: 'help' } };
    const folder = oneFolder(positionals);
    const follows = values.follow ?? false;
    if (values.every !== undefined && !follows) return { problem: '--every is only for --follow.' };
    const every = values.every ?? DEFAULT_EVERY;
    if (!/^\d{1,4}$/.test(every) || Number(every) < 1 || Number(every) > 3_600)
      return { problem: '--every should be a number of seconds, 1 to 3600.' };
    return { command: { kind: 'backup', folder, follows, everyMs: Number(every) * 1_000 } };
  });
}

/** Reads the arguments after `npm run restore --`. */
export function readRestoreCommand(args: readonly string[]): Reading<RestoreCommand> {
  return reading<RestoreCommand>(() => {
    const { values, positionals } = parseArgs({ args: [...args], options: RESTORE_OPTIONS, allowPositionals: true });
    if (values.help === true || positionals[0] === 'help') return { command: { kind: 'help' } };
    if (values.only !== undefined) return { problem: ONE_SERVICE };
    const folder = oneFolder(positionals);
    const at = values.at === undefined ? undefined : new Date(INSTANT.test(values.at) ? values.at : '');
    if (at !== undefined && Number.isNaN(at.getTime()))
      return { problem: '--at should be an instant with its zone, such as 2026-03-02T08:00:00Z.' };
    const { check: onlyChecks = false, replace: replaces = false } = values;
    return { command: { kind: 'restore', folder, at, replaces, onlyChecks } };
  });
}

function reading<Command>(read: () => Reading<Command>): Reading<Command> {
  try {
    return read();
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function oneFolder(positionals: readonly string[]): string {
  const [folder, ...others] = positionals;
  if (folder === undefined || folder === '') throw new Error('Name the folder of the backup.');
  if (others.length > 0) throw new Error(`There is one folder, so ${others.join(' ')} is too much.`);
  return folder;
}
