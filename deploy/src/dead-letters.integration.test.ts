import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AlertCommands, ALL_TOPICS, DeadLetters, type DeadLetter } from '@tocsin/events';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { testKafka } from '@tocsin/testkit';
import { RunRecord } from './run-record.ts';

const BOOTSTRAP = fileURLToPath(new URL('../bootstrap.mjs', import.meta.url));
const SCRIPT = fileURLToPath(new URL('dead-letters.ts', import.meta.url));
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };

let folder: string;
let kafka: KafkaConnection;
let publisher: BatchingPublisher;
let place: { readonly brokers: string; readonly topicPrefix: string };

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-dead-letters-'));
  const { brokers, topicPrefix } = await testKafka();
  place = { brokers: brokers.join(','), topicPrefix };
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 2 });
  kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger: quiet });
  publisher = new BatchingPublisher({ kafka, logger: quiet });
  await publisher.start();
  // The Tocsin that runs in the folder is this test.
  const record = new RunRecord(path.join(folder, 'run.json'));
  record.claim({ name: 'supervisor', pid: process.pid, mark: '' });
  record.noteKafka(place);
});

afterAll(async () => {
  await publisher.stop();
  await kafka.stop();
  fs.rmSync(folder, { recursive: true });
});

/** `npm run dead-letters -- …` without a terminal. */
async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [BOOTSTRAP, '--asks', SCRIPT, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], TOCSIN_DATA: folder, ...environment },
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { said, complained, code: await exit };
}

const letter = (offset: number): DeadLetter => ({
  topic: AlertCommands.name,
  partition: 1,
  offset,
  groupId: `${place.topicPrefix}alert-processor`,
  reason: 'The value is not JSON.',
  failedAt: `2026-03-02T00:00:0${String(offset)}.000Z`,
  key: Buffer.from('disk').toString('base64'),
  value: Buffer.from('{').toString('base64'),
});

const commands = async () => {
  const offsets = await kafka.ask((admin) => admin.fetchTopicOffsets(kafka.wireName(AlertCommands)));
  return offsets.reduce((sum, { high }) => sum + Number(high), 0);
};

describe('npm run dead-letters', () => {
  test('lists, shows and redrives the letters of the Tocsin that runs, and remembers it', async () => {
    expect(await run([])).toEqual({ said: 'There are no dead letters.\n', complained: '', code: 0 });
    await publisher.publish(DeadLetters, [letter(0), letter(1)]);

    const listed = await run(['list']);
    expect(listed.said).toContain('alert-commands.v1/1/1  2026-03-02T00:00:01.000Z  alert-processor  waits');
    expect((await run(['show', 'alert-commands.v1/1/0'])).said).toContain('The value is not JSON.');

    const refused = await run(['redrive', '--all']);
    expect(refused).toMatchObject({ complained: 'There is no terminal to ask: give --yes.\n', code: 2 });
    expect(await commands()).toBe(0);

    const redriven = await run(['redrive', 'alert-commands.v1/1/0', '--yes']);
    expect(redriven).toMatchObject({ code: 0, said: expect.stringContaining('1 letter redriven, 0 not.') });
    expect(await commands()).toBe(1);
    expect((await run(['redrive', '--all', '--yes'])).said).toContain('[1/1] alert-commands.v1/1/1');
    expect(await run(['redrive', '--all', '--yes'])).toMatchObject({ said: 'There is nothing to redrive.\n', code: 0 });
    expect(await commands()).toBe(2);
    expect((await run(['list'])).said.match(/redriven 20/g)).toHaveLength(2);
  });

  test('takes the Kafka that the environment names, before that of the data folder', async () => {
    const { brokers } = place;
    const { code, complained } = await run(['list'], { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: 'nowhere.' });
    expect(code).toBe(1);
    expect(complained).toContain('There is no topic nowhere.dead-letters.v1. Is this the right Kafka');
  });

  test.each([
    [['list'], { TOCSIN_DATA: '/nowhere' }, 1, 'No Tocsin runs on /nowhere.'],
    [['list'], { KAFKA_BROKERS: '127.0.0.1:1' }, 1, 'Kafka at 127.0.0.1:1 does not answer'],
    [['list'], { KAFKA_BROKERS: 'nonsense' }, 1, 'KAFKA_BROKERS should be'],
    [['show', 'alert-commands.v1/0/99'], {}, 1, 'There is no dead letter alert-commands.v1/0/99.'],
    [['remove'], {}, 2, 'There is no command remove'],
  ] as const)('with %j and %j ends with %i and says why', async (args, environment, code, why) => {
    const result = await run(args, environment);
    expect(result).toMatchObject({ said: '', code, complained: expect.stringContaining(why) });
  });

  test('explains itself', async () => {
    const { said, code } = await run(['help']);
    expect(said).toContain('redrive --all');
    expect(code).toBe(0);
  });
});

function ignore(): void {
  // Trouble shows in what the command says.
}
