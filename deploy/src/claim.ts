import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bindable } from '@tocsin/testkit';
import type { DataFolder } from './data-folder.ts';
import type { RunningProcess, RunRecord } from './run-record.ts';
import type { Settings } from './settings.ts';
import { terminal } from './terminal.ts';
import { TroubleError } from './trouble.ts';

const LEFTOVERS_WITHIN_MS = 30_000;

/**
 * Opens the data folder for this process once nothing runs in it any more.
 *
 * @throws TroubleError when another supervisor does; the message names it.
 */
export async function claimFolder(folder: DataFolder, record: RunRecord): Promise<void> {
  folder.open();
  const running = record.runningSupervisor();
  if (running !== undefined) {
    throw new TroubleError(
      `Tocsin already runs on ${folder.path} (process ${running.pid}). Stop it, or choose another TOCSIN_DATA and GATEWAY_PORT.`,
    );
  }
  await ended(record.leftovers(), () => record.leftovers());
}

/** @throws TroubleError when a port for callers or mails is taken, or no address of this machine; the message names it. */
export async function requireFreePorts({ gatewayHost, gatewayPort, mailPort }: Settings): Promise<void> {
  if (!(await bindable(0, gatewayHost)))
    throw new TroubleError(`TOCSIN_BIND should be an address of this machine, not ${gatewayHost}.`);
  await requireFree('GATEWAY_PORT', gatewayPort, gatewayHost);
  if (mailPort !== undefined) await requireFree('SMTP_PORT', mailPort);
}

/** @throws TroubleError when `port` of `host`, 127.0.0.1 by default, is taken; the message names the setting that chooses another. */
async function requireFree(setting: string, port: number, host?: string): Promise<void> {
  if (await bindable(port, host)) return;
  throw new TroubleError(
    `Port ${port} is taken by another program. Free it, or choose another port: ${setting}=${port + 1} npm start`,
  );
}

/**
 * This process as the supervisor that has the folder. The file name is its mark: Node makes the path absolute, and a command line can have
 * a relative one.
 */
export const thisProcess = ({ argv, pid }: Pick<NodeJS.Process, 'argv' | 'pid'> = process): RunningProcess => ({
  name: 'supervisor',
  pid,
  mark: path.basename(argv[1] ?? ''),
});

/** Processes whose supervisor died are ending by themselves; what does not is ended. */
async function ended(left: readonly RunningProcess[], stillThere: () => readonly RunningProcess[]): Promise<void> {
  if (left.length === 0) return;
  terminal.say(`Waiting for what an earlier run left: ${left.map(({ name }) => name).join(', ')}`);
  const until = performance.now() + LEFTOVERS_WITHIN_MS;
  while (stillThere().length > 0 && performance.now() < until) await pause(200);
  for (const { pid } of stillThere()) process.kill(pid, 'SIGKILL');
}
