import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertCommands, ALL_TOPICS } from '@tocsin/events';
import { PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import { ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger } from '@tocsin/service';
import {
  eventually,
  freePort,
  processEnvironment,
  readTopic,
  type ServiceEnvironment,
  serviceEnvironment,
  SIGNING_KEY,
} from '@tocsin/testkit';
import { DEFAULT_INTEGRATION } from '../integrations/integration.ts';
import { ACCOUNT } from '../testing/app-fixture.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const SENT = 5;

let installation: ServiceEnvironment;
let kafka: KafkaConnection;
let port: number;
let running: ChildProcess | undefined;

beforeAll(async () => {
  installation = await serviceEnvironment();
  const { brokers, topicPrefix } = installation;
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 1 });
  kafka = new KafkaConnection({
    brokers,
    clientId: 'test',
    topicPrefix,
    logger: createLogger('alert-ingest', 'silent'),
  });
  port = await freePort();
});

afterAll(async () => {
  running?.kill('SIGKILL');
  await kafka.stop();
});

/** The service as a process of its own, which takes requests when this resolves. */
async function start(): Promise<ChildProcess> {
  const env = { ...installation.environment, BOOTSTRAP_API_KEY: randomUUID(), PORT: String(port) };
  const child = spawn(process.execPath, ['--conditions=source', MAIN], {
    env: processEnvironment(env),
    stdio: 'ignore',
  });
  running = child;
  await eventually(samples, { timeoutMs: 60_000 });
  return child;
}

const signer = new PrincipalSigner([SIGNING_KEY]);
const call = async (path: string, body?: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      [PRINCIPAL_HEADER]: await signer.sign(
        { ...ACCOUNT, integrationId: DEFAULT_INTEGRATION.id },
        'alert-ingest',
        new Date(),
      ),
    },
    ...(body !== undefined && { body }),
  });

const send = async (key: string) => {
  const { status } = await call('/hooks/-', JSON.stringify({ message: 'Disk full', key }));
  expect(status).toBe(200);
};

async function samples(): Promise<readonly { readonly items: readonly { readonly alias: string }[] }[]> {
  const { status, body } = await call(`/v2/integrations/${DEFAULT_INTEGRATION.id}/samples`).then(async (answer) => ({
    status: answer.status,
    body: (await answer.json()) as { data: Awaited<ReturnType<typeof samples>> },
  }));
  if (status !== 200) throw new Error(String(status));
  return body.data;
}

describe('the service killed between an answer and the write of its sample', () => {
  it('loses the sample and no alert, and records the requests after its start', async () => {
    const first = await start();
    for (let index = 0; index < SENT; index += 1) await send(`before-${index}`);
    first.kill('SIGKILL');
    await eventually(() => {
      expect(first.signalCode).toBe('SIGKILL');
    });
    const commands = await readTopic(kafka, AlertCommands);
    expect(commands).toHaveLength(SENT);
    await start();
    const left = (await samples()).length;
    expect(left).toBeLessThanOrEqual(SENT);
    await send('after');
    await eventually(async () => {
      expect(await samples()).toHaveLength(left + 1);
    });
    expect((await samples())[0]?.items).toMatchObject([{ alias: expect.stringMatching(/:after$/) }]);
  });
});
