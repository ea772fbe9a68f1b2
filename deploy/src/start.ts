import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import { Installation } from './installation.ts';
import { readyScreen } from './ready-screen.ts';
import { readSettings, type Settings } from './settings.ts';
import { isKept, terminal } from './terminal.ts';
import { explained } from './trouble.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// The supervisor only waits.
v8.setFlagsFromString('--optimize-for-size');
const result = readSettings(process.env, process.argv.slice(2), ROOT);

if ('problems' in result) {
  for (const problem of result.problems) terminal.complain(problem);
  process.exitCode = 1;
} else await run(result.settings, new Installation(ROOT, result.settings));

async function run(settings: Settings, installation: Installation): Promise<void> {
  // The processes of the installation do not keep this one running: a timer does, until its end.
  setInterval(() => undefined, 2 ** 30);
  const ending = new AbortController();
  const end = (): void => {
    if (ending.signal.aborted) return;
    ending.abort();
    terminal.say('Stopping');
    installation.stop().then(
      () => {
        terminal.say('Stopped');
        process.exit(0);
      },
      (error: unknown) => {
        terminal.complain(explained(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // The parent process is gone.
  process.on('disconnect', end);
  try {
    await installation.start();
    const apiKey = isKept(process.stdout.fd) ? undefined : installation.apiKey;
    const facts = { ...settings, ...installation.facts, apiKey };
    if (!ending.signal.aborted) terminal.say(`\n${readyScreen(facts)}`);
  } catch (error) {
    if (ending.signal.aborted) return;
    ending.abort();
    terminal.complain(explained(error));
    await installation.stop().finally(() => process.exit(1));
  }
}
