import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort, portAnswers, eventually } from '@tocsin/testkit';
import { connectMongo } from '@tocsin/mongo';
import { Installation } from './installation.ts';
import { RunRecord } from './run-record.ts';
import { SERVICES } from './service-plan.ts';
import { readSettings, type Settings } from './settings.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const STAND_IN = `
import http from 'node:http';
for (const port of [process.env.PORT, process.env.ADMIN_PORT])
  http.createServer((_, response) => response.end(process.env.MONGODB_URI)).listen(Number(port), '127.0.0.1');
`;

let root: string;
let settings: Settings;
const started: Installation[] = [];

beforeEach(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-installation-'));
  for (const service of SERVICES) {
    const source = path.join(root, 'services', service, 'src');
    fs.mkdirSync(source, { recursive: true });
    fs.writeFileSync(path.join(source, 'main.ts'), STAND_IN);
  }
  process.env['TOCSIN_DOWNLOADS'] ??= path.join(REPOSITORY, '.tocsin', 'downloads');
  const environment = { GATEWAY_PORT: String(await freePort()) };
  ({ settings } = readSettings(environment, ['--no-demo'], root) as { settings: Settings });
});

afterEach(async () => {
  for (const installation of started.splice(0)) await installation.stop();
  fs.rmSync(root, { recursive: true });
});

async function start(): Promise<Installation> {
  const installation = new Installation(root, settings);
  started.push(installation);
  await installation.start();
  return installation;
}

function pidOf(name: string): number {
  const record = JSON.parse(fs.readFileSync(path.join(settings.dataFolder, 'run.json'), 'utf8')) as {
    children: { name: string; pid: number }[];
  };
  return record.children.find((child) => child.name === name)?.pid ?? 0;
}

describe('an installation', () => {
  test('runs a process for each service until it is stopped, and leaves none', async () => {
    const installation = await start();
    const pids = [...SERVICES, 'Kafka', 'MongoDB'].map(pidOf);
    const { kafka } = JSON.parse(fs.readFileSync(path.join(settings.dataFolder, 'run.json'), 'utf8')) as {
      kafka: unknown;
    };
    expect(kafka).toEqual({ brokers: expect.stringMatching(/^127\.0\.0\.1:\d+$/), topicPrefix: '' });

    expect(await portAnswers(settings.gatewayPort)).toBe(true);
    await installation.stop();

    expect(await portAnswers(settings.gatewayPort)).toBe(false);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('gives a service the login of its own database, with which MongoDB opens no other', async () => {
    await start();
    const record = new RunRecord(path.join(settings.dataFolder, 'run.json'));
    const response = await fetch(`http://127.0.0.1:${String(record.runningServices()?.['directory'])}/`);
    const uri = await response.text();

    const [own, other] = await Promise.all([
      connectMongo({ uri, database: 'tocsin_directory' }),
      connectMongo({ uri, database: 'tocsin_notifier' }),
    ]);

    await expect(own.collection('users').findOne({})).resolves.toBeNull();
    await expect(other.collection('messages').findOne({})).rejects.toMatchObject({ codeName: 'Unauthorized' });
    await Promise.all([own.close(), other.close()]);
  });

  test('starts a service again that was killed', async () => {
    await start();
    const killed = pidOf('scheduling');

    process.kill(killed, 'SIGKILL');

    await eventually(() => {
      expect(pidOf('scheduling')).not.toBe(killed);
    });
  });

  test('resumes with its key and its data after a stop, on whatever ports are free then', async () => {
    const first = await start();
    await first.stop();

    const second = await start();

    expect(second.apiKey).toBe(first.apiKey);
    expect(fs.readdirSync(path.join(settings.dataFolder, 'kafka', 'logs')).join()).toContain('alert-commands.v1-5');
  });

  test('refuses a folder on which another one runs', async () => {
    await start();

    await expect(new Installation(root, settings).start()).rejects.toThrow('already runs');
  });

  test('names the port that is taken and the setting for another', async () => {
    const holder = await start();
    const elsewhere = { ...settings, dataFolder: path.join(root, 'elsewhere') };

    await expect(new Installation(root, elsewhere).start()).rejects.toThrow(
      `GATEWAY_PORT=${String(settings.gatewayPort + 1)}`,
    );
    await holder.stop();
  });

  test('gives up on a service that does not start, with the end of its log', async () => {
    fs.writeFileSync(path.join(root, 'services', 'notifier', 'src', 'main.ts'), 'throw new Error("no such setting");');

    await expect(start()).rejects.toThrow(/notifier does not start[^]*no such setting/);
  });
});
