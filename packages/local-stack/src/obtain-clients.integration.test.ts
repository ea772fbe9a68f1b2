import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-clients-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

/** What obtaining comes to, or the error, on a machine that has `programs` and no others. */
function obtained(what: 'Alertmanager' | 'OpsgenieSdk' | 'Promtool', programs: readonly string[]): Promise<unknown> {
  return called(`obtain${what}`, [path.join(folder, 'downloads')], programs);
}

async function called(name: string, args: readonly string[], programs: readonly string[]): Promise<unknown> {
  const bin = path.join(folder, 'bin');
  fs.mkdirSync(bin);
  for (const program of programs) fs.writeFileSync(path.join(bin, program), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const source = `
    import { ${name} } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
    const outcome = await ${name}(...${JSON.stringify(args)}, () => {})
      .catch(({ name, message }) => ({ name, message }));
    console.log(JSON.stringify(outcome));`;
  const options = { env: { PATH: bin } };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], options);
  return JSON.parse(stdout);
}

const missing = (pattern: string): object => ({
  name: 'MissingPartError',
  message: expect.stringMatching(pattern),
});

describe('obtainAlertmanager', () => {
  test('is content with one of the PATH', async () => {
    expect(await obtained('Alertmanager', ['alertmanager'])).toMatchObject({ command: 'alertmanager' });
  });

  test.each([
    ['apt-get', []],
    ['dpkg-deb', ['apt-get']],
  ])('names %s where it is missing, and leaves nothing', async (program, others) => {
    expect(await obtained('Alertmanager', others)).toEqual(missing(`^${program} is missing.*on the PATH`));
    expect(fs.readdirSync(path.join(folder, 'downloads'))).toEqual([]);
  });
});

describe('obtainPromtool', () => {
  test('is content with one of the PATH', async () => {
    expect(await obtained('Promtool', ['promtool'])).toBe('promtool');
  });

  test('names apt-get where it is missing, and leaves nothing', async () => {
    expect(await obtained('Promtool', [])).toEqual(missing('^apt-get is missing, and promtool.*on the PATH'));
    expect(fs.readdirSync(path.join(folder, 'downloads'))).toEqual([]);
  });
});

describe('obtainOpsgenieSdk', () => {
  test('names pip where it is missing, and leaves nothing', async () => {
    expect(await obtained('OpsgenieSdk', [])).toEqual(missing('python3-pip'));
    expect(fs.readdirSync(path.join(folder, 'downloads'))).toEqual([]);
  });
});

describe('buildGoProgram', () => {
  test('names Go where it is missing, and leaves nothing', async () => {
    const [downloads, target] = [path.join(folder, 'downloads'), path.join(folder, 'program')];
    expect(await called('buildGoProgram', [downloads, folder, target], [])).toEqual(missing('golang-go'));
    expect(fs.readdirSync(folder)).toEqual(['bin']);
  });
});
