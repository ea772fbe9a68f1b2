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

/** The result of obtaining, or the error, on a machine with `programs` only. */
function obtained(what: 'Alertmanager' | 'OpsgenieSdk' | 'Promtool', programs: readonly string[]): Promise<unknown> {
  return called(`obtain${what}`, [path.join(folder, 'downloads')], programs);
}

/** Each program runs `script`; others are found in the folders of `system`. */
async function called(
  name: string,
  args: readonly string[],
  programs: readonly string[],
  { script = 'exit 0', system = [] }: { readonly script?: string; readonly system?: readonly string[] } = {},
): Promise<unknown> {
  const bin = path.join(folder, 'bin');
  fs.mkdirSync(bin);
  for (const program of programs) fs.writeFileSync(path.join(bin, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const source = `
    import { ${name} } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
    const outcome = await ${name}(...${JSON.stringify(args)}, () => {})
      .catch(({ name, message }) => ({ name, message }));
    console.log(JSON.stringify(outcome));`;
  const options = { env: { PATH: [bin, ...system].join(':') } };
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

describe('obtainGoModule', () => {
  test('names Go where it is missing, and leaves nothing', async () => {
    expect(await called('obtainGoModule', [folder, 'example.com/m', '1.0.0'], [])).toEqual(missing('golang-go'));
    expect(fs.readdirSync(folder)).toEqual(['bin']);
  });

  test('asks a newer Go, which comes as a module, where that of the machine is too old to fetch one', async () => {
    const toolchain = path.join(folder, 'toolchain');
    for (const part of ['bin', 'pkg']) fs.mkdirSync(path.join(toolchain, part), { recursive: true });
    fs.writeFileSync(path.join(toolchain, 'bin', 'go'), `#!/bin/sh\necho "{\\"Dir\\": \\"$4\\"}"\n`, { mode: 0o444 });
    const old = `case "$1 $4" in
      version*) echo 'go version go1.19.8 linux/amd64';;
      env*) printf 'linux\\namd64\\n';;
      'mod golang.org/toolchain@v0.0.1-go1.25.0.linux-amd64') echo '{"Dir": "${toolchain}"}';;
      *) exit 1;;
    esac`;
    const downloads = path.join(folder, 'downloads');
    const args = [downloads, 'example.com/m', '1.0.0'];
    expect(await called('obtainGoModule', args, ['go'], { script: old, system: ['/usr/bin', '/bin'] })).toBe(
      'example.com/m@v1.0.0',
    );
    expect(fs.readdirSync(downloads)).toEqual(['go1.25.0']);
  });
});

describe('buildGoProgram', () => {
  test('names Go where it is missing, and leaves nothing', async () => {
    const [downloads, target] = [path.join(folder, 'downloads'), path.join(folder, 'program')];
    expect(await called('buildGoProgram', [downloads, folder, target], [])).toEqual(missing('golang-go'));
    expect(fs.readdirSync(folder)).toEqual(['bin']);
  });
});
