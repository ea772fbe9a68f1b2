import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { Api } from '../system/api.ts';
import type * as Composed from '../system/composed-system.ts';
import { furnished } from './furnishing.ts';
import { fuzzed } from './schemathesis.ts';

/** Gives the module that Node loads once for all test files of this process. */
declare const importOnce: (url: string) => Promise<typeof Composed>;

/** Narrows the operations that are asked for, as a regular expression of their paths. */
const PATHS = process.env['FUZZ_PATHS'] ?? '^/v';
const asked = OPERATIONS.filter(({ path: of }) => new RegExp(PATHS).test(of));

let found: ReadonlyMap<string, string>;

beforeAll(async () => {
  const { startComposedSystem } = await importOnce(new URL('../system/composed-system.ts', import.meta.url).href);
  const system = await startComposedSystem({ RATE_LIMITS: 'off', PUSH_URL: 'https://push.example.com' });
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'tocsin-fuzz-'));
  try {
    const api = new Api(system.gatewayUrl);
    const things = { kept: await furnished(api, 'kept'), deleted: await furnished(api, 'deleted') };
    found = await fuzzed({ url: api.url, folder, things, paths: PATHS });
  } finally {
    await system.stop();
    await fs.rm(folder, { recursive: true });
  }
}, 3_600_000);

describe('whatever is asked of an operation, as its description has it or not', () => {
  it.each(asked.map(({ id, method, path: of }) => [id, `${method} ${of}`] as const))(
    '%s answers as it describes, and never fails by itself',
    (_, label) => {
      expect([label, found.get(label)]).toEqual([label, '']);
    },
  );
});
