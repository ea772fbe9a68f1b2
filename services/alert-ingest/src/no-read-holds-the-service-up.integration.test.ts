import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { PRINCIPAL_HEADER } from '@tocsin/http';
import { MAX_TURN_MS, measuredAnswer } from '@tocsin/testkit';
import type { Integration } from './integrations/integration.ts';
import { storeIntegrations } from './testing/mongo-fixture.ts';
import { created } from './testing/integrations-fixture.ts';
import { ACCOUNT, openService, type TestService } from './testing/app-fixture.ts';

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

let service: TestService;
let id = '';

async function fill(): Promise<void> {
  service = await openService();
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
}

/** The largest that each read allows. */
const READS: Readonly<Record<string, () => string>> = {
  'list-integrations': () => '/v2/integrations',
  'get-integration': () => `/v2/integrations/${id}`,
  'list-integration-actions': () => `/v2/integrations/${id}/actions`,
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
