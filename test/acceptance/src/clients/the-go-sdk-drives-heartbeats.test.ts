import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildGoProgram, downloads } from '@tocsin/testkit';
import { API_KEY } from '../system/api.ts';
import { useSystem } from '../system/system.ts';

const SOURCE = fileURLToPath(new URL('go-sdk', import.meta.url));
const system = useSystem();
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'tocsin-go-'));
  program = path.join(folder, 'go-sdk');
  await buildGoProgram(downloads(), SOURCE, program, (line) => process.stderr.write(`${line}\n`));
});

afterAll(async () => {
  await fs.rm(folder, { recursive: true });
});

describe('the Go SDK', () => {
  it('creates, enables, pings, updates, reads, lists, disables and deletes a heartbeat', async () => {
    const name = 'backup';
    const env = { TOCSIN_HOST: new URL(system.api.url).host, TOCSIN_KEY: API_KEY };
    const { stdout } = await promisify(execFile)(program, [name], { env });
    const created = {
      name,
      description: 'nightly',
      interval: 10,
      intervalUnit: 'minutes',
      enabled: false,
      expired: false,
      // The SDK sends and shows an empty one where there is none.
      ownerTeam: {},
      alertMessage: 'Backup is missing',
      alertTags: ['db'],
      alertPriority: 'P2',
    };
    expect(JSON.parse(stdout)).toEqual({
      created,
      switched: [
        [name, true, false],
        [name, true, false],
        [name, false, false],
      ],
      ping: 'PONG - Heartbeat received',
      read: { ...created, description: 'daily', interval: 2, intervalUnit: 'days', enabled: true },
      listed: [name],
      deleted: 'Deleted',
      gone: [404, expect.any(String)],
    });
  });
});
