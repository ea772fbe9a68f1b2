import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@tocsin/core';
import { chosenMoment, readBackup, verifyFiles } from './backup/backup-folder.ts';
import { instantOf, isoOf } from './backup/cluster-time.ts';
import { readRestoreCommand, RESTORE_HELP, type RestoreCommand } from './backup/command-line.ts';
import { withStoppedPlace } from './backup/places.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { terminal } from './terminal.ts';
import { explained } from './trouble.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const say = (line: string): void => {
  terminal.say(line);
};

// The parent process is gone. Another run begins again.
process.on('disconnect', () => process.exit(1));
const reading = readRestoreCommand(process.argv.slice(2));
if ('problem' in reading) {
  terminal.complain(`${reading.problem}\nnpm run restore -- help says more.`);
  process.exit(2);
}
process.exit(await run(reading.command));

async function run(command: RestoreCommand): Promise<0 | 1> {
  if (command.kind === 'help') {
    say(RESTORE_HELP);
    return 0;
  }
  const { at, onlyChecks, replaces } = command;
  try {
    // Relative to the folder of the person: npm runs the script in that of the repository.
    const backup = readBackup(path.resolve(process.env['INIT_CWD'] ?? '', command.folder));
    const [first, last] = [chosenMoment(backup, new Date(backup.manifest.instant)), chosenMoment(backup, at)];
    const { clusterIds } = backup.manifest.kafka;
    say(`The backup is of ${isoOf(instantOf(first.through))}, by Tocsin ${backup.manifest.tocsin.version}`);
    say(`Its positions are of Kafka ${clusterIds.length === 0 ? '(none)' : clusterIds.join(', ')}`);
    if (onlyChecks) {
      await verifyFiles(backup, last);
      say(`All files are whole. They can be restored up to ${isoOf(instantOf(last.through))}`);
      return 0;
    }
    const startedAt = systemClock.now();
    const restored = await withStoppedPlace(process.env, ROOT, {
      say,
      work: (place) => restoreBackup({ place, backup, at, replaces, startedAt, say }),
    });
    say(`Restored to ${isoOf(instantOf(restored.through))}. Start the services`);
    return 0;
  } catch (error) {
    terminal.complain(explained(error));
    return 1;
  }
}
