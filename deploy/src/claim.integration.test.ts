import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { freePort } from '@tocsin/testkit';
import { requireFreePorts, thisProcess } from './claim.ts';
import { RunRecord } from './run-record.ts';
import { readSettings, type Settings } from './settings.ts';

const settingsOf = (environment: Readonly<Record<string, string>>) =>
  (readSettings(environment, [], '/repository') as { settings: Settings }).settings;

test('a port is looked for at the address on which the API listens', async () => {
  const port = await freePort();
  const holder = net.createServer().listen(port, '127.0.0.2');
  await once(holder, 'listening');
  const required = (TOCSIN_BIND: string) => requireFreePorts(settingsOf({ TOCSIN_BIND, GATEWAY_PORT: String(port) }));
  await expect(required('127.0.0.2')).rejects.toThrow(`GATEWAY_PORT=${port + 1}`);
  await required('127.0.0.1');
  holder.close();
});

test('an address that this machine does not have is named', async () => {
  // Of a network for documents, which no machine is in.
  const settings = settingsOf({ TOCSIN_BIND: '192.0.2.7' });
  await expect(requireFreePorts(settings)).rejects.toThrow(
    'TOCSIN_BIND should be an address of this machine, not 192.0.2.7.',
  );
});

test('a supervisor that was started by a relative path is known by its command line', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tocsin-claim-'));
  await writeFile(path.join(folder, 'start.mjs'), 'console.log(process.argv[1]); setInterval(() => {}, 1000);');
  const child = spawn(process.execPath, ['start.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const [script] = (await once(child.stdout, 'data')) as [Buffer];
  const record = new RunRecord(path.join(folder, 'run.json'));
  record.claim(thisProcess({ argv: [process.execPath, script.toString().trim()], pid: child.pid ?? 0 }));
  const running = record.runningSupervisor();
  child.kill();
  await rm(folder, { recursive: true });
  expect(running?.pid).toBe(child.pid);
});
