import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DataFolder } from './data-folder.ts';
import { RunRecord } from './run-record.ts';
import { readSettings } from './settings.ts';
import { terminal } from './terminal.ts';
import { explained, TroubleError } from './trouble.ts';

// Runs the command of directory's image that prints a code to sign in (K23), with the settings of the directory of `npm start`.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../services/directory/src/sign-in.ts', import.meta.url));

const args = process.argv.slice(2);
const needsService = args.some((arg) => !/^(?:-h|--help|help)$/.test(arg));
try {
  const { status } = spawnSync(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', COMMAND, ...args],
    { stdio: 'inherit', env: { ...process.env, ...(needsService && settingsOfDirectory()) } },
  );
  process.exitCode = status ?? 3;
} catch (error) {
  terminal.complain(explained(error));
  process.exitCode = 3;
}

function settingsOfDirectory(): Readonly<Record<string, string>> {
  const result = readSettings(process.env, [], ROOT);
  if ('problems' in result) throw new TroubleError(result.problems.join('\n'));
  const folder = new DataFolder(result.settings.dataFolder);
  const port = new RunRecord(folder.runRecord).runningServices()?.['directory'];
  if (port === undefined)
    throw new TroubleError(
      `No Tocsin runs as processes on ${folder.path}. Start it; for containers and a cluster: npm run sign-in -- help.`,
    );
  return { PORT: String(port), INTERNAL_SIGNING_KEY: folder.secrets(undefined).signingKey };
}
