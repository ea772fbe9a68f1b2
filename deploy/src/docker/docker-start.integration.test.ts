import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@tocsin/local-stack';
import { eventually } from '@tocsin/testing';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const FLAGS = ['--conditions=source', '--disable-warning=ExperimentalWarning'];

/** Writes down what it is asked, and does what its variables say: no engine, or an `up` that fails or lasts. */
const DOCKER = `#!/bin/sh
[ "$UP" = lasts ] && trap 'echo "up has ended" >> "$CALLS"; exit 1' TERM
echo "$*" >> "$CALLS"
case "$*" in
  version*) [ "$ENGINE" = away ] && echo 'Cannot connect to the Docker daemon.' >&2 && exit 1; echo 28.5.1 ;;
  'compose version'*) echo 2.40.3 ;;
  *' up '*)
    env > "$CALLS.env"
    [ "$UP" = fails ] && exit 1
    [ "$UP" = lasts ] && read -r _ < "$CALLS.pipe"
    exit 0 ;;
esac
`;

let folder: string;
let calls: string;
let environment: Record<string, string>;
const running: ChildProcess[] = [];

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-docker-'));
  calls = path.join(folder, 'calls');
  const bin = path.join(folder, 'bin');
  fs.mkdirSync(bin);
  // A machine with Docker and nothing else that an installation could be made of.
  fs.writeFileSync(path.join(bin, 'docker'), DOCKER, { mode: 0o755 });
  fs.symlinkSync('/usr/bin/env', path.join(bin, 'env'));
  environment = {
    PATH: bin,
    CALLS: calls,
    TOCSIN_DATA: path.join(folder, 'data'),
    TOCSIN_DOWNLOADS: path.join(folder, 'downloads'),
    GATEWAY_PORT: String(await freePort()),
  };
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly ended: Promise<unknown>;
}

function run(script: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Run {
  const child = spawn(process.execPath, [...FLAGS, path.join(SOURCES, script), ...args], {
    env: { ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, said: () => text, ended: once(child, 'close') };
}

const start = (args: readonly string[] = [], more = {}): Run => run('start.ts', ['--no-demo', ...args], more);

async function ready(starting: Run): Promise<void> {
  await eventually(() => {
    expect(starting.said()).toContain('Tocsin is ready at');
  });
}

async function stopped({ child, ended }: Run): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

/** What Compose was asked to do, in order. */
function asked(): readonly string[] {
  const lines = fs.existsSync(calls) ? fs.readFileSync(calls, 'utf8').trim().split('\n') : [];
  return lines.flatMap((line) => {
    const [, rest] = /^compose --env-file \S+ (.*)$/.exec(line) ?? [];
    return rest ?? (line.startsWith('up ') ? line : []);
  });
}

const UP = expect.stringMatching(/^up --detach .*--wait\b/);
const toldTo = (name: string): string | undefined =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(fs.readFileSync(`${calls}.env`, 'utf8'))?.[1];

describe('npm start with Docker', () => {
  test('brings containers up, shows their pages, and stops them at SIGTERM', async () => {
    const starting = start(['--docker']);
    await ready(starting);
    expect(starting.said()).toMatch(/Mailbox +http.*[^]*\(Grafana\).*\(Prometheus\)/);
    expect(asked()).toEqual([UP]);

    await stopped(starting);

    expect(starting.child.exitCode).toBe(0);
    expect(asked()).toEqual([UP, 'stop']);
  });

  test('goes on with the key and the volumes of an earlier start, without being asked for Docker again', async () => {
    const first = start(['--docker']);
    await ready(first);
    const before = ['BOOTSTRAP_API_KEY', 'INTERNAL_SIGNING_KEY', 'COMPOSE_PROJECT_NAME'].map(toldTo);
    await stopped(first);

    const second = start();
    await ready(second);

    expect(['BOOTSTRAP_API_KEY', 'INTERNAL_SIGNING_KEY', 'COMPOSE_PROJECT_NAME'].map(toldTo)).toEqual(before);
    expect(second.said()).toMatch(/^Docker is used: it keeps the data/);
    await stopped(second);
  });

  test('is chosen where Java is missing, and says so in one line', async () => {
    const starting = start();
    await ready(starting);

    expect(starting.said().split('\n')[0]).toMatch(/^Docker is used: .*Java 17 is missing/);
    await stopped(starting);
  });

  test('names both ways where there is neither Java nor an engine, and leaves nothing', async () => {
    const starting = start([], { ENGINE: 'away' });
    await starting.ended;

    expect(starting.child.exitCode).toBe(1);
    expect(starting.said()).toMatch(
      /Java 17 is missing[^]*npm start -- --docker[^]*Cannot connect to the Docker daemon/,
    );
    expect(fs.existsSync(environment['TOCSIN_DATA'] ?? '')).toBe(false);
  });

  test('says how to read what a container said when one does not come up, and stops the others', async () => {
    const starting = start(['--docker'], { UP: 'fails' });
    await starting.ended;

    expect(starting.child.exitCode).toBe(1);
    expect(starting.said()).toMatch(/did not bring everything up.*docker compose --env-file \S+ logs/);
    expect(asked()).toEqual([UP, 'stop']);
  });

  test('told to end while containers come up, lets that end first: it would go on making some', async () => {
    execFileSync('mkfifo', [`${calls}.pipe`]);
    const starting = start(['--docker'], { UP: 'lasts' });
    await eventually(() => {
      expect(asked()).toEqual([UP]);
    });

    await stopped(starting);

    expect(starting.child.exitCode).toBe(0);
    expect(asked()).toEqual([UP, 'up has ended', 'stop']);
  });

  test('names the setting for another port where that of the API is taken, and starts nothing', async () => {
    const holder = net.createServer().listen(Number(environment['GATEWAY_PORT']), '127.0.0.1');
    await once(holder, 'listening');

    const starting = start(['--docker']);
    await starting.ended;

    expect(starting.said()).toContain('GATEWAY_PORT=');
    expect(asked()).toEqual([]);
    holder.close();
  });

  test('stops what a supervisor that was killed left behind before it takes its ports', async () => {
    const first = start(['--docker']);
    await ready(first);
    first.child.kill('SIGKILL');
    await first.ended;

    const second = start();
    await ready(second);

    expect(asked()).toEqual([UP, 'stop', UP]);
    await stopped(second);
  });
});

describe('npm run reset', () => {
  test('removes containers and volumes with the folder, once nothing runs', async () => {
    const starting = start(['--docker']);
    await ready(starting);
    const refused = run('reset.ts', []);
    await refused.ended;
    expect(refused.said()).toContain('Stop it first');
    await stopped(starting);

    await run('reset.ts', []).ended;

    expect(asked()).toEqual([UP, 'stop', 'down --volumes --remove-orphans']);
    expect(fs.readdirSync(environment['TOCSIN_DATA'] ?? '')).toEqual([]);
  });

  test('removes nothing where Docker keeps data and does not answer', async () => {
    const starting = start(['--docker']);
    await ready(starting);
    await stopped(starting);

    const resetting = run('reset.ts', [], { ENGINE: 'away' });
    await resetting.ended;

    expect(resetting.child.exitCode).toBe(1);
    expect(resetting.said()).toContain('Cannot connect to the Docker daemon');
    expect(fs.existsSync(path.join(environment['TOCSIN_DATA'] ?? '', 'secrets.json'))).toBe(true);
  });
});
