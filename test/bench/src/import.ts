/** `npm run bench -- import`: how long an account of Opsgenie takes to be fetched and imported, and how much memory the command needs. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  freePort,
  growAccount,
  OPSGENIE_KEYS,
  opsgenieAccount,
  type OpsgenieDouble,
  startOpsgenie,
} from '@tocsin/testkit';
import { type CommandRun, runTocsin } from './import-command.ts';
import { type ImportMeasurements, importResult, type ImportStep } from './import-report.ts';
import { BenchStack } from './ingest-stack.ts';
import { runBench, say } from './run-bench.ts';

const USERS = Number(process.env['USERS'] ?? 1_000);
/** So many teams, and so many schedules. */
const TEAMS = Number(process.env['TEAMS'] ?? 200);
/** As many as the command sends at a time. */
const READERS = 8;
const CHEAP_READS = 2_000;
const SETTINGS = { RATE_LIMITS: 'off', BUNDLE_LIMITS: 'off', IMPORT: 'on' };
const DECIDED = ['--zone', 'Europe/Berlin', '--locale', 'en_GB'];

say('Starting an installation of its own');
await runBench(await BenchStack.start(await freePort(), '', SETTINGS), async (stack) => {
  const account = opsgenieAccount();
  account.rateLimits = [];
  growAccount(account, USERS, TEAMS);
  const old = await startOpsgenie(account);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-bench-import-'));
  try {
    return importResult({ users: USERS, teams: TEAMS, ...(await measure(stack, old, folder)) });
  } finally {
    await old.stop();
    fs.rmSync(folder, { recursive: true });
  }
});

async function measure(
  stack: BenchStack,
  old: OpsgenieDouble,
  folder: string,
): Promise<Pick<ImportMeasurements, 'read' | 'steps'>> {
  const [key, snapshot] = [path.join(folder, 'key.txt'), path.join(folder, 'snapshot')];
  fs.writeFileSync(key, OPSGENIE_KEYS.account, { mode: 0o600 });
  const env = { HOME: folder, TZ: 'UTC', TOCSIN_URL: stack.url, TOCSIN_KEY: stack.apiKey };
  const read = await cheapReads(stack);
  const steps: ImportStep[] = [];
  const step = async (
    name: string,
    requests: () => Promise<number>,
    codes: readonly number[],
    args: readonly string[],
  ) => {
    say(`${name}: tocsin ${args.join(' ')}`);
    const [before, used] = [await requests(), processorSeconds(stack)];
    const run = await runTocsin(args, env);
    requireEnd(run, codes, args);
    const installationSeconds = processorSeconds(stack) - used;
    steps.push({ name, ...run, requests: (await requests()) - before, installationSeconds });
  };
  const asked = (): Promise<number> => Promise.resolve(old.requests.length);
  const answered = (): Promise<number> => requestsOf(stack);
  const from = ['--from-snapshot', snapshot, ...DECIDED];
  await step('fetch', asked, [0], ['import', 'fetch', '--from', old.url, '--key-file', key, '--to', snapshot]);
  await step('plan', answered, [1], ['import', 'plan', ...from]);
  await step('apply', answered, [0], ['import', 'apply', ...from]);
  await step('apply again, no change', answered, [0], ['import', 'apply', ...from]);
  // The webhook of the account cannot be moved without its URL.
  await step('verify', answered, [1], ['import', 'verify', ...from]);
  return { read, steps };
}

function requireEnd({ code, said }: CommandRun, codes: readonly number[], args: readonly string[]): void {
  if (!codes.includes(code)) throw new Error(`tocsin ${args.join(' ')} ended with ${code}: ${said}`);
}

/** Reads of the account, by as many callers as the command has: what a request costs at least. */
async function cheapReads(stack: BenchStack): Promise<ImportMeasurements['read']> {
  let left = CHEAP_READS;
  const reader = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await stack.call('GET', '/v2/account');
    }
  };
  const [startedAt, used] = [performance.now(), processorSeconds(stack)];
  await Promise.all(Array.from({ length: READERS }, reader));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { requests: CHEAP_READS, seconds, installationSeconds: processorSeconds(stack) - used };
}

/** Of all processes of the installation so far. */
function processorSeconds(stack: BenchStack): number {
  return [...stack.cpuSeconds().values()].reduce((sum, each) => sum + each, 0);
}

/** How many requests the gateway has answered. */
async function requestsOf(stack: BenchStack): Promise<number> {
  const counts = [
    ...(await stack.metrics('gateway')).matchAll(/^tocsin_http_request_duration_seconds_count\{[^}]*\} (\d+)/gm),
  ];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
