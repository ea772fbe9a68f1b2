import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tocsin/testkit';

const BOOTSTRAP = fileURLToPath(new URL('../bootstrap.mjs', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-bootstrap-'));
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

function run(name: string, source: string, ...args: string[]) {
  const script = path.join(folder, `${name}.ts`);
  fs.writeFileSync(script, source);
  return spawn(process.execPath, [BOOTSTRAP, script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

describe('bootstrap', () => {
  test('runs a TypeScript file on Node 24 with its arguments', async () => {
    const child = run(
      'version',
      'const [first]: string[] = process.argv.slice(2); console.log(process.version, first);',
      'one',
    );

    expect(await text(child.stdout)).toMatch(/^v2[4-9]\.\d+\.\d+ one\n$/);
  });

  test('ends as the script ends', async () => {
    expect(await endOf(run('code', 'process.exit(7);'))).toBe(7);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('passes %s on, once, and waits for the script to end', async (signal) => {
    const child = run(
      signal,
      `let seen = 0;
       process.on('${signal}', () => { seen++; setTimeout(() => process.exit(10 + seen), 200); });
       console.log('ready'); setInterval(() => {}, 1000);`,
    );
    await once(child.stdout, 'data');

    child.kill(signal);

    expect(await endOf(child)).toBe(11);
  });

  test('ends the script when it is killed itself', async () => {
    const file = path.join(folder, 'ended');
    const child = run(
      'orphan',
      `import fs from 'node:fs';
       process.on('disconnect', () => { fs.writeFileSync(${JSON.stringify(file)}, ''); process.exit(); });
       console.log('ready'); setInterval(() => {}, 1000);`,
    );
    await once(child.stdout, 'data');

    child.kill('SIGKILL');

    await eventually(() => {
      expect(fs.existsSync(file)).toBe(true);
    });
  });
});
