import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@tocsin/core';
import { hasManifest } from './backup/backup-folder.ts';
import { BACKUP_HELP, readBackupCommand, type BackupCommand } from './backup/command-line.ts';
import { followChanges } from './backup/follow-changes.ts';
import { runningPlace } from './backup/places.ts';
import { takeBackup } from './backup/take-backup.ts';
import { terminal } from './terminal.ts';
import { explained } from './trouble.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const say = (line: string): void => {
  terminal.say(line);
};

const reading = readBackupCommand(process.argv.slice(2));
if ('problem' in reading) {
  terminal.complain(`${reading.problem}\nnpm run backup -- help says more.`);
  process.exit(2);
}
process.exit(await run(reading.command));

async function run(command: BackupCommand): Promise<0 | 1> {
  if (command.kind === 'help') {
    say(BACKUP_HELP);
    return 0;
  }
  // Relative to the folder of the person: npm runs the script in that of the repository.
  const folder = path.resolve(process.env['INIT_CWD'] ?? '', command.folder);
  try {
    const place = runningPlace(process.env, ROOT);
    if (!command.follows || !hasManifest(folder)) {
      const manifest = await takeBackup({ place, folder, startedAt: systemClock.now(), say });
      say(`The backup is of ${manifest.instant}: ${folder}`);
    }
    if (command.follows) await follow(folder, command.everyMs, place);
    return 0;
  } catch (error) {
    terminal.complain(explained(error));
    return 1;
  }
}

async function follow(folder: string, everyMs: number, place: ReturnType<typeof runningPlace>): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => {
    stopping.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // The parent process is gone.
  process.on('disconnect', stop);
  say('Archiving changes until a stop (Ctrl-C)');
  await followChanges({ place, folder, everyMs, signal: stopping.signal, say });
}
