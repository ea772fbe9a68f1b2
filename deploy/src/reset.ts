import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { askDocker } from './docker/ask-docker.ts';
import { ComposeProject } from './docker/compose-project.ts';
import { dockerTrouble } from './docker/docker-trouble.ts';
import { DataFolder } from './data-folder.ts';
import { RunRecord } from './run-record.ts';
import { readSettings } from './settings.ts';
import { terminal } from './terminal.ts';
import { explained, TroubleError } from './trouble.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const result = readSettings(process.env, [], ROOT);

if ('problems' in result) {
  for (const problem of result.problems) terminal.complain(problem);
  process.exitCode = 1;
} else {
  const folder = new DataFolder(result.settings.dataFolder);
  const record = new RunRecord(folder.runRecord);
  const [running] = [record.runningSupervisor() ?? [], record.leftovers()].flat();
  if (running === undefined && (await containersRemoved(folder))) {
    folder.empty();
    terminal.say(`${folder.path} is empty but for its downloads.`);
    const { kafkaBrokers, mongoUri } = result.settings;
    if (kafkaBrokers !== undefined || mongoUri !== undefined)
      terminal.say('Your own Kafka and MongoDB were left alone.');
  } else if (running !== undefined) {
    terminal.complain(`Tocsin runs on ${folder.path} (process ${running.pid}). Stop it first.`);
    process.exitCode = 1;
  }
}

/** Whether the containers and volumes of the installation are gone; true where it never had any. */
async function containersRemoved(folder: DataFolder): Promise<boolean> {
  if (!fs.existsSync(folder.composeFile)) return true;
  try {
    const trouble = await dockerTrouble(askDocker);
    if (trouble !== undefined) throw new TroubleError(`Docker keeps data of this installation: ${trouble}`);
    await new ComposeProject(ROOT, folder).remove();
    return true;
  } catch (error) {
    terminal.complain(explained(error));
    process.exitCode = 1;
    return false;
  }
}
