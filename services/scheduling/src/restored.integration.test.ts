import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Escalations, Schedules, Users, type EscalationState, type ScheduleState } from '@tocsin/events';
import { PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import { composeService } from '@tocsin/service';
import { RestorableService } from '@tocsin/service/testing';
import { accountKey, eventually, SIGNING_KEY } from '@tocsin/testkit';
import { compose } from './compose.ts';
import { Config } from './config.ts';
import { userOf } from './testing/on-call-samples.ts';

const signer = new PrincipalSigner([SIGNING_KEY]);
let directory: Server;
let service: RestorableService;
let schedules: ReplicaView<ScheduleState>;
let escalations: ReplicaView<EscalationState>;

beforeAll(async () => {
  directory = createServer((_, response) => response.end('{"data":[]}'));
  await new Promise<void>((resolve) => directory.listen(0, '127.0.0.1', resolve));
  const { port } = directory.address() as AddressInfo;
  const settings = { DIRECTORY_URL: `http://127.0.0.1:${port}` };
  service = await RestorableService.open('scheduling', settings, (environment) =>
    composeService({ name: 'scheduling', config: Config.parse(environment), compose, clock: systemClock }),
  );
  schedules = service.follow(Schedules);
  escalations = service.follow(Escalations);
  const ada = { id: 'ada', version: { epoch: 1, n: 1 }, deleted: false as const, state: userOf('ada') };
  await service.publisher.publish(Users, [ada]);
  await service.start();
});

afterAll(async () => {
  await service.end();
  directory.close();
});

async function call(method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method,
    headers: {
      [PRINCIPAL_HEADER]: await signer.sign(accountKey, 'scheduling', systemClock.now()),
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, message } = (await response.json()) as { data?: { id: string }; message?: string };
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${message ?? ''}`);
  return data?.id ?? '';
}

/** All documents, by collection. */
async function backUp() {
  const collections = (await service.database.db?.collections()) ?? [];
  return Promise.all(
    collections.map(async (collection) => ({ collection, documents: await collection.find().toArray() })),
  );
}

async function restore(backup: Awaited<ReturnType<typeof backUp>>): Promise<void> {
  for (const collection of (await service.database.db?.collections()) ?? []) await collection.deleteMany({});
  for (const { collection, documents } of backup) if (documents.length > 0) await collection.insertMany(documents);
}

const names = () => ({
  schedules: [...schedules.all()].map(({ name }) => name).toSorted(),
  escalations: [...escalations.all()].map(({ name }) => name).toSorted(),
});

const rules = [
  {
    condition: 'if-not-acked',
    notifyType: 'default',
    delay: { timeAmount: 0 },
    recipient: { type: 'user', username: 'ada@example.com' },
  },
];

describe('a database that is restored from a backup while the topics go on', () => {
  it('is the source of every service after the start, without any step on Kafka', async () => {
    const changed = await call('POST', '/v2/schedules', { name: 'Changed later' });
    const removed = await call('POST', '/v2/schedules', { name: 'Removed later' });
    const escalation = await call('POST', '/v2/escalations', { name: 'Changed later', rules });
    const atBackup = { schedules: ['Changed later', 'Removed later'], escalations: ['Changed later'] };
    await eventually(() => {
      expect(names()).toEqual(atBackup);
    });
    const backup = await backUp();
    await call('PATCH', `/v2/schedules/${changed}`, { name: 'Changed' });
    await call('PATCH', `/v2/schedules/${changed}`, { name: 'Changed again' });
    await call('DELETE', `/v2/schedules/${removed}`);
    await call('PATCH', `/v2/escalations/${escalation}`, { name: 'Changed' });
    await call('POST', '/v2/schedules', { name: 'Made later' });
    await eventually(() => {
      expect(names()).toEqual({ schedules: ['Changed again', 'Made later'], escalations: ['Changed'] });
    });
    await service.stop();
    await restore(backup);
    await service.start();
    await eventually(() => {
      expect(names()).toEqual(atBackup);
    });
    await call('PATCH', `/v2/schedules/${changed}`, { name: 'Changed anew' });
    await eventually(() => {
      expect(names().schedules).toEqual(['Changed anew', 'Removed later']);
    });
  });
});
