import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_OPSGENIE_KEYS, OPERATIONS, SAMPLE_LIMITS } from '@tocsin/api';
import type { TrafficCount } from '@tocsin/core';
import { PRINCIPAL_HEADER } from '@tocsin/http';
import { MAX_TURN_MS, measuredAnswer } from '@tocsin/testkit';
import type { Integration } from './integrations/integration.ts';
import { storeIntegrations } from './testing/mongo-fixture.ts';
import { created } from './testing/integrations-fixture.ts';
import { ACCOUNT, openService, type TestService } from './testing/app-fixture.ts';
import type { ItemResult } from './hooks/hook-alert.ts';
import type { Sample } from './samples/sample.ts';
import { SampleStore } from './samples/store.ts';
import { OpsgenieKeyStore } from './opsgenie-keys/store.ts';
import { TrafficStore } from './traffic/store.ts';

const many = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));

/** Of characters that take three bytes each. */
const wide = (length: number): string => '√'.repeat(length);

/** A hundred of these take nearly a million bytes, the most that all actions of an integration may. */
const action = (index: number) => ({
  type: 'create',
  name: `action-${index}`,
  order: index,
  filter: {
    conditionMatchType: 'match-all-conditions',
    conditions: many(10, (each) => ({
      field: 'message',
      operation: 'contains',
      expectedValue: `${each} ${wide(100)}`,
    })),
  },
  message: wide(130),
  description: wide(1_200),
  tags: many(10, (each) => `tag-${each}`),
  extraProperties: Object.fromEntries(many(10, (each) => [`key-${each}`, wide(30)])),
});

const INTEGRATIONS = 5_000;
const LARGE = 50;
const SAMPLES = 100;

let service: TestService;
let id = '';

async function fill(): Promise<void> {
  service = await openService({ webhookSamples: SAMPLES });
  const large = {
    tags: many(20, (each) => `${each}${wide(40)}`),
    extraProperties: Object.fromEntries(many(500, (each) => [`key-${each}`, 'value'])),
  };
  ({ id } = await created(service, large));
  const { status, body } = await service.call('put', `/v2/integrations/${id}/actions`, { create: many(100, action) });
  if (status !== 200) throw new Error(JSON.stringify(body));
  const one = await service.store.find(id);
  if (one === undefined) throw new Error('There is no integration.');
  const copies = many(INTEGRATIONS, (index): Integration => ({
    ...one,
    id: `integration-${index}`,
    name: `${index} ${wide(100)}`,
    key: undefined,
    // Some are as large as they may be.
    ...(index >= LARGE && { actions: { ...one.actions, create: [] } }),
  }));
  await storeIntegrations(service.connection, copies);
  await fillTraffic(copies);
  await fillOpsgenieKeys();
  await fillSamples();
}

/** As many of an integration as may be kept, each as large as it may be. */
async function fillSamples(): Promise<void> {
  const item = (requestId: string): ItemResult => ({
    requestId,
    state: 'open',
    effect: 'none',
    alias: wide(500),
    reason: wide(SAMPLE_LIMITS.textLength),
  });
  const samples = many(SAMPLES, (index): Sample => ({
    id: `request-${index}`,
    receivedAt: new Date(index),
    result: {
      preset: 'fallback',
      itemCount: 1_000,
      items: many(SAMPLE_LIMITS.items, (place) => item(`request-${index}:${place}`)),
    },
    isTruncated: true,
    request: { raw: wide(SAMPLE_LIMITS.length), headers: {}, query: {} },
  }));
  await new SampleStore(service.connection).add(id, samples, SAMPLES);
}

/** As many keys of Opsgenie as may be kept, which ten gateways have reported. */
async function fillOpsgenieKeys(): Promise<void> {
  const store = new OpsgenieKeyStore(service.connection);
  const at = service.clock.now();
  const keys = many(MAX_OPSGENIE_KEYS, (index) => ({
    sha256: String(index).padStart(64, '0'),
    firstAt: at,
    lastAt: at,
    requests: 9,
    operation: 'create-alert',
    requestId: 'x'.repeat(100),
  }));
  for (const source of many(10, () => randomUUID())) await store.store(source, keys);
}

/** The last use of each integration, and a week of one that three processes have counted. */
async function fillTraffic(integrations: readonly Integration[]): Promise<void> {
  const store = new TrafficStore(service.connection);
  const now = service.clock.now();
  const ids = [id, ...integrations.map((each) => each.id)];
  const count = (integrationId: string, hoursAgo: number): TrafficCount => ({
    integrationId,
    hour: new Date(now.getTime() - hoursAgo * 3_600_000),
    writes: 9,
    alerts: 9,
    refused: 9,
    lastRequestAt: now,
    lastAlertAt: now,
    lastRefusal: { at: now, status: 422, operation: 'create-alert' },
  });
  await store.store(
    'gateway-1',
    ids.map((each) => count(each, 0)),
  );
  for (const source of ['gateway-1', 'gateway-2', 'gateway-3'])
    await store.store(
      source,
      many(168, (hours) => count(id, hours)),
    );
}

/** The largest that each read allows. */
const READS: Readonly<Record<string, () => string>> = {
  'take-hook-by-get': () => `/hooks/-?message=${'x'.repeat(15_000)}`,
  'take-hook-of-preset-by-get': () => `/hooks/-/fallback?message=${'x'.repeat(15_000)}`,
  'list-integrations': () => '/v2/integrations',
  'get-integration': () => `/v2/integrations/${id}`,
  'list-integration-actions': () => `/v2/integrations/${id}/actions?effective=true`,
  'list-presets': () => '/v2/integrations/presets',
  'list-integration-traffic': () => '/v2/integrations/traffic',
  'list-integration-samples': () => `/v2/integrations/${id}/samples`,
  'get-integration-sample': () => `/v2/integrations/${id}/samples/request-0`,
  'list-opsgenie-keys': () => '/v2/account/opsgenie-keys',
  'get-integration-traffic': () => `/v2/integrations/${id}/traffic`,
};

const reads = OPERATIONS.filter(({ method, owner }) => method === 'GET' && owner === 'alert-ingest');

describe('every read of alert-ingest', () => {
  beforeAll(fill);

  it('is in this test', () => {
    expect(reads.map((read) => read.id).sort()).toEqual(Object.keys(READS).sort());
  });

  it.each(Object.entries(READS))('blocks the event loop for at most 20 ms of processor time: %s', async (_, path) => {
    const headers = { [PRINCIPAL_HEADER]: await service.vouched(ACCOUNT) };
    const { status, longestTurnMs } = await measuredAnswer({ app: service.app, path: path(), headers });
    expect(status).toBe(200);
    expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
  });
});
