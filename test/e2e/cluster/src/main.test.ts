import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@tocsin/testkit';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-cluster-run-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

/** A program that writes down how it was called, and does not end where it was to create something. */
function program(name: string): string {
  const file = path.join(folder, name);
  const script = `#!/bin/sh\necho "${name} $*" >> "${folder}/calls"\ncase "$*" in *" create "*) exec tail -f /dev/null ;; esac\n`;
  fs.writeFileSync(file, script, { mode: 0o755 });
  return file;
}

/** A program that fails with `complaint`. */
function broken(name: string, complaint: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> "${folder}/calls"\necho "${complaint}" >&2\nexit 1\n`, {
    mode: 0o755,
  });
  return file;
}

const calls = (): string => {
  const file = path.join(folder, 'calls');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends what runs, removes the namespace once, and is no failed balance',
  async (signal) => {
    const env = {
      PATH: process.env['PATH'],
      KUBECTL: program('kubectl'),
      HELM: program('helm'),
      CLUSTER_NAMESPACE: 'run',
    };
    const child = spawn(process.execPath, ['--conditions=source', MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const printed: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text));
    const ended = once(child, 'close');
    await eventually(() => {
      expect(calls()).toContain('create namespace run');
    });
    child.kill(signal);
    expect(await ended).toEqual([130, null]);
    expect(calls().match(/delete namespace run/g)).toHaveLength(1);
    expect(calls().match(/helm .*uninstall/g)).toHaveLength(1);
    expect(printed.join('')).not.toMatch(/balance|broken off/);
  },
);

const REFUSED = 'The connection to the server localhost:8080 was refused';
const UNSET = /^kubectl reaches no cluster, and KUBECONFIG is not set\. /;

test.each([
  ['KUBECONFIG', () => ({ KUBECTL: broken('kubectl', REFUSED), HELM: program('helm') }), [UNSET, REFUSED]],
  [
    'a cluster that answers',
    () => ({ KUBECTL: broken('kubectl', REFUSED), HELM: program('helm'), KUBECONFIG: '/no/file' }),
    ['kubectl reaches no cluster, and KUBECONFIG is /no/file.', REFUSED],
  ],
  ['kubectl', () => ({ KUBECTL: path.join(folder, 'none'), HELM: program('helm') }), [UNSET, 'ENOENT']],
  [
    'Helm',
    () => ({ KUBECTL: program('kubectl'), HELM: path.join(folder, 'none') }),
    [/^Helm does not run\. /, 'ENOENT'],
  ],
] as const)(
  'a run without %s creates nothing, says what is missing and which page explains it, and exits with 1',
  async (_, given, says) => {
    const env = { PATH: process.env['PATH'], ...given() };
    const child = spawn(process.execPath, ['--conditions=source', MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [complaint, output, ended] = await Promise.all([
      text(child.stderr),
      text(child.stdout),
      once(child, 'close'),
    ]);
    expect([output, ended]).toEqual(['', [1, null]]);
    for (const part of [...says, 'docs/cluster-run.md']) expect(complaint).toMatch(part);
    expect(complaint).not.toMatch(/^ +at /m);
    expect(calls()).not.toMatch(/create|install/);
  },
);
