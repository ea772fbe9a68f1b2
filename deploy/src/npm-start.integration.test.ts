import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, portAnswers, eventually } from '@tocsin/testkit';
import { SERVICES } from './service-plan.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const START_WITHIN_MS = 150_000;

let folder: string;
let gatewayPort: number;
let supervisor: number | undefined;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-npm-start-'));
  gatewayPort = await freePort();
});
afterEach(async () => {
  if (supervisor === undefined || !alive(supervisor)) return;
  process.kill(supervisor, 'SIGTERM');
  await eventually(() => {
    if (alive(supervisor ?? 0)) throw new Error(`process ${supervisor ?? 0} does not end`);
  });
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves once `npm start` says that it is ready, with the ids of all that runs. */
async function started(): Promise<{ npm: ChildProcess; npmPid: number; pids: readonly number[] }> {
  const child = spawn('npm', ['start', '--', '--no-demo'], {
    cwd: REPOSITORY,
    // A group of its own, like that of a terminal.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_OPTIONS: undefined,
      KAFKA_BROKERS: undefined,
      MONGODB_URI: undefined,
      TOCSIN_DATA: folder,
      TOCSIN_DOWNLOADS: process.env['TOCSIN_DOWNLOADS'] ?? path.join(REPOSITORY, '.tocsin', 'downloads'),
      GATEWAY_PORT: String(gatewayPort),
    },
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Tocsin is ready at')) resolve();
    });
    child.once('exit', () => {
      reject(new Error(`npm start ended: ${said}`));
    });
  });
  const record = JSON.parse(fs.readFileSync(path.join(folder, 'run.json'), 'utf8')) as {
    supervisor: { pid: number };
    children: readonly { pid: number }[];
  };
  supervisor = record.supervisor.pid;
  const pids = [record.supervisor, ...record.children].map(({ pid }) => pid);
  return { npm: child, npmPid: child.pid ?? 0, pids };
}

describe('npm start', () => {
  test.each([
    ['SIGTERM to npm alone, as a supervisor sends it', 'SIGTERM', (pid: number) => pid],
    ['SIGINT to the group of npm, as Ctrl-C sends it', 'SIGINT', (pid: number) => -pid],
  ] as const)(
    'has ended every process and freed its port when npm ends after %s',
    async (_, signal, target) => {
      const running = await started();
      expect(running.pids).toHaveLength(1 + SERVICES.length + 2);
      const page = await fetch(`http://127.0.0.1:${gatewayPort}/console/`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const exited = once(running.npm, 'exit');

      process.kill(target(running.npmPid), signal);
      await exited;

      for (const pid of running.pids) expect({ pid, alive: alive(pid) }).toEqual({ pid, alive: false });
      expect(await portAnswers(gatewayPort)).toBe(false);
      expect(fs.existsSync(path.join(folder, 'run.json'))).toBe(false);
    },
    START_WITHIN_MS,
  );
});
