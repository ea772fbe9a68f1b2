import { fileURLToPath } from 'node:url';
import { systemClock } from '@tocsin/core';
import { askOwners, type Place } from './ledger/ask-owners.ts';
import { reconciliationText, missingOf, OWNERS } from './ledger/reconciliation.ts';
import { HELP, readCommand, type Command } from './ledger/command-line.ts';
import { DataFolder } from './data-folder.ts';
import { RunRecord } from './run-record.ts';
import { readSettings } from './settings.ts';
import { terminal } from './terminal.ts';
import { explained, TroubleError } from './trouble.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NAMES = {
  'alert-processor': 'ALERT_PROCESSOR_URL',
  scheduling: 'SCHEDULING_URL',
  notifier: 'NOTIFIER_URL',
} as const;

const reading = readCommand(process.argv.slice(2), systemClock.now());
if ('problem' in reading) {
  terminal.complain(`${reading.problem}\nnpm run ledger -- help says more.`);
  process.exit(2);
}
process.exit(await run(reading.command));

async function run(command: Command): Promise<0 | 1 | 3> {
  if (command.kind === 'help') {
    terminal.say(HELP);
    return 0;
  }
  const { json, since } = command;
  try {
    const place = placeOf(process.env);
    if (!json) terminal.complain(`Asking ${OWNERS.join(', ')} …`);
    const reconciliation = await askOwners(place, since);
    const missing = missingOf(reconciliation);
    if (json)
      terminal.say(JSON.stringify({ since: since.toISOString(), ...reconciliation, missing, balances: missing === 0 }));
    else for (const line of reconciliationText(reconciliation, since)) terminal.say(line);
    return missing === 0 ? 0 : 1;
  } catch (error) {
    terminal.complain(explained(error));
    return 3;
  }
}

/** The services that the person names, else those of the Tocsin that runs in the data folder. */
function placeOf(environment: Readonly<Record<string, string | undefined>>): Place {
  const named = OWNERS.map((owner) => [owner, environment[NAMES[owner]]?.trim() ?? ''] as const);
  if (named.every(([, url]) => url === '')) return running();
  for (const [owner, url] of named)
    if (!URL.canParse(url)) throw new TroubleError(`${NAMES[owner]} should be a URL, such as http://127.0.0.1:3000.`);
  const signingKeys = (environment['INTERNAL_SIGNING_KEY'] ?? '').split(',').map((key) => key.trim());
  if (signingKeys.some((key) => key === '')) throw new TroubleError('INTERNAL_SIGNING_KEY is needed with the URLs.');
  return { urls: Object.fromEntries(named) as Place['urls'], signingKeys };
}

function running(): Place {
  const result = readSettings(process.env, [], ROOT);
  if ('problems' in result) throw new TroubleError(result.problems.join('\n'));
  const folder = new DataFolder(result.settings.dataFolder);
  const ports = new RunRecord(folder.runRecord).runningServices();
  if (ports === undefined)
    throw new TroubleError(
      `No Tocsin runs as processes on ${folder.path}. Start it, or name its services: ${Object.values(NAMES).join(', ')}.`,
    );
  const urls = Object.fromEntries(OWNERS.map((owner) => [owner, `http://127.0.0.1:${ports[owner] ?? 0}`]));
  return { urls: urls as Place['urls'], signingKeys: [folder.secrets(undefined).signingKey] };
}
