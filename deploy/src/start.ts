import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import { requireKafkaParts, requireMongodParts } from '@tocsin/local-stack';
import { chooseWay } from './choose-way.ts';
import { DataFolder } from './data-folder.ts';
import { askDocker } from './docker/ask-docker.ts';
import { dockerProblems } from './docker/compose-variables.ts';
import { DockerInstallation } from './docker/docker-installation.ts';
import { dockerTrouble } from './docker/docker-trouble.ts';
import { Installation } from './installation.ts';
import { readyScreen } from './ready-screen.ts';
import type { RunningSystem } from './running-system.ts';
import { readSettings, type Settings } from './settings.ts';
import { isKept, terminal } from './terminal.ts';
import { explained } from './trouble.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// The supervisor only waits.
v8.setFlagsFromString('--optimize-for-size');
const result = readSettings(process.env, process.argv.slice(2), ROOT);

if ('problems' in result) fail(result.problems);
else await begin(result.settings);

function fail(problems: readonly string[]): void {
  for (const problem of problems) terminal.complain(problem);
  process.exitCode = 1;
}

async function begin(settings: Settings): Promise<void> {
  try {
    const { way, because } = await wayFor(settings);
    const problems = way === 'docker' ? dockerProblems(settings) : [];
    if (problems.length > 0) {
      fail(problems);
      return;
    }
    if (because !== undefined) terminal.say(`Docker is used: ${because}`);
    await run(settings, way === 'docker' ? new DockerInstallation(ROOT, settings) : new Installation(ROOT, settings));
  } catch (error) {
    fail([explained(error)]);
  }
}

function wayFor({ way, dataFolder, kafkaBrokers, mongoUri }: Settings): ReturnType<typeof chooseWay> {
  const folder = new DataFolder(dataFolder);
  return chooseWay({
    asked: way,
    keptBy: folder.keptBy,
    ownEngines: kafkaBrokers !== undefined || mongoUri !== undefined,
    lackHere: async () => {
      const lack = (parts: Promise<void>): Promise<string> => parts.then(() => '', explained);
      const lacks = [lack(requireKafkaParts(folder.downloads)), lack(requireMongodParts(folder.downloads))];
      return (await Promise.all(lacks)).join(' ').trim() || undefined;
    },
    dockerTrouble: () => dockerTrouble(askDocker),
  });
}

async function run(settings: Settings, installation: RunningSystem): Promise<void> {
  // Containers are not children of this process: a timer keeps it running until its end.
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
