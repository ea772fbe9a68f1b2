import { fileURLToPath } from 'node:url';
import { DataFolder } from './data-folder.ts';
import { RunRecord } from './run-record.ts';
import { readSettings } from './settings.ts';
import { terminal } from './terminal.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const result = readSettings(process.env, [], ROOT);

if ('problems' in result) {
  for (const problem of result.problems) terminal.complain(problem);
  process.exitCode = 1;
} else {
  const folder = new DataFolder(result.settings.dataFolder);
  const record = new RunRecord(folder.runRecord);
  const [running] = [record.runningSupervisor() ?? [], record.leftovers()].flat();
  if (running === undefined) {
    folder.empty();
    terminal.say(`${folder.path} is empty but for its downloads.`);
    const { kafkaBrokers, mongoUri } = result.settings;
    if (kafkaBrokers !== undefined || mongoUri !== undefined)
      terminal.say('Your own Kafka and MongoDB were left alone.');
  } else {
    terminal.complain(`Tocsin runs on ${folder.path} (process ${running.pid}). Stop it first.`);
    process.exitCode = 1;
  }
}
