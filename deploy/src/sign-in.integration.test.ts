import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { createServiceApp, defineInternalRoute, PrincipalVerifier } from '@tocsin/http';
import { processEnvironment } from '@tocsin/testkit';
import { z } from 'zod';
import { DataFolder } from './data-folder.ts';
import { RunRecord } from './run-record.ts';

const BOOTSTRAP = fileURLToPath(new URL('../bootstrap.mjs', import.meta.url));
const SCRIPT = fileURLToPath(new URL('sign-in.ts', import.meta.url));

let folder: string;
let directory: Server;
const asked: string[] = [];

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-sign-in-'));
  const data = new DataFolder(folder);
  directory = createServer(directoryDouble(data.secrets(undefined).signingKey));
  await once(directory.listen(0, '127.0.0.1'), 'listening');
  // The Tocsin that runs in the folder is this test.
  const record = new RunRecord(data.runRecord);
  record.claim({ name: 'supervisor', pid: process.pid, mark: '' });
  record.noteServices({ directory: (directory.address() as AddressInfo).port });
});

afterAll(async () => {
  directory.closeAllConnections();
  await new Promise((resolve) => directory.close(resolve));
  fs.rmSync(folder, { recursive: true });
});

/** Gives a code to a caller with that key. */
function directoryDouble(signingKey: string) {
  return createServiceApp({
    routes: [],
    internalRoutes: [
      defineInternalRoute({
        method: 'POST',
        path: '/internal/sign-ins',
        body: z.object({ username: z.string() }),
        handle: ({ body: { username } }) => {
          asked.push(username);
          return Promise.resolve({ body: { data: { code: 'the-code', expiresAt: '2026-03-02T08:10:00Z' } } });
        },
      }),
    ],
    verifier: new PrincipalVerifier([signingKey], 'directory'),
    clock: systemClock,
    onDefect: () => undefined,
    meaningOf: (error) => error,
  });
}

/** `npm run sign-in -- …` */
async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [BOOTSTRAP, SCRIPT, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: processEnvironment({ TOCSIN_DATA: folder, ...environment }),
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { said, complained, code: await exit };
}

describe('npm run sign-in', () => {
  test('prints a code of the Tocsin that runs, and nothing else on standard output', async () => {
    expect(await run(['owner@example.com'])).toEqual({
      said: 'the-code\n',
      complained: 'Of use until 2026-03-02T08:10:00Z, once, where the console asks for the code of a mail:\n',
      code: 0,
    });
    expect(asked).toEqual(['owner@example.com']);
  });

  test('says that no Tocsin runs, and how to ask one in containers', async () => {
    const { code, complained, said } = await run(['owner@example.com'], { TOCSIN_DATA: '/nowhere' });
    expect({ code, said }).toEqual({ code: 3, said: '' });
    expect(complained).toContain('No Tocsin runs as processes on /nowhere.');
  });

  test('explains itself', async () => {
    const { code, said } = await run(['help'], { TOCSIN_DATA: '/nowhere' });
    expect(code).toBe(0);
    expect(said).toContain('kubectl exec deploy/tocsin-directory');
  });
});
