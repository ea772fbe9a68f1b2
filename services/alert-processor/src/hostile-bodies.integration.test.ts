import { describe, expect, it } from '@jest/globals';
import { matchOperation, OPERATIONS } from '@tocsin/api';
import { hostileBody, nested } from '@tocsin/testkit';
import fc from 'fast-check';
import { anIntegration } from './testing/maintenance-samples.ts';
import { setUp, type Component } from './testing/component-fixture.ts';

/** The number of random bodies per write. */
const TRIES = 40;

/** A write with a valid body. */
interface Write {
  readonly method: 'post' | 'put';
  readonly path: string;
  readonly body: object;
}

const rule = { entity: { type: 'integration', id: 'web' }, state: 'disabled' };
const time = { type: 'schedule', startDate: '2030-01-01T00:00:00Z', endDate: '2030-01-02T00:00:00Z' };
const EVALUATE = '/v2/policies/evaluate';
const SIMULATE = '/v2/alerts/simulate';
const at = '2030-01-01T00:00:00Z';
const responders = [{ type: 'team', name: 'Ops' }];
const evaluated = { message: 'Disk full', alias: 'disk', at, integrationId: 'web', responders, details: { a: 'b' } };
const maintenance = { description: 'Deploy', time, rules: [rule, { ...rule, state: '' }] };

async function furnished(): Promise<{ service: Component; writes: readonly Write[] }> {
  const service = await setUp();
  service.integrations.put('web', anIntegration('web'));
  const created = async (body: object) => {
    const answer = await service.send('post', '/v1/maintenance', body);
    return `/v1/maintenance/${(answer.body as { data: { id: string } }).data.id}`;
  };
  const [planned, active] = [
    await created(maintenance),
    await created({ ...maintenance, time: { type: 'for-1-hour' } }),
  ];
  const writes: readonly Write[] = [
    { method: 'post', path: '/v1/maintenance', body: maintenance },
    { method: 'put', path: planned, body: maintenance },
    { method: 'put', path: '/v2/imports/maintenance/4f8fad5b-d9cb-469f-a165-70867728950e', body: maintenance },
    { method: 'post', path: `${active}/change-end-date`, body: { Id: active, endDate: '2030-01-01T00:00:00Z' } },
    { method: 'post', path: EVALUATE, body: evaluated },
    { method: 'post', path: SIMULATE, body: evaluated },
    { method: 'post', path: EVALUATE, body: { at, identifier: 'disk', identifierType: 'alias' } },
    { method: 'post', path: `${await created(maintenance)}/cancel`, body: { Id: 'x' } },
  ];
  return { service, writes };
}

const UNDERSTOOD = [200, 201];
const REFUSED = [404, 413, 422];

/** Bodies that are not objects are tested in `@tocsin/http`. */
const hostile = (body: object) =>
  hostileBody(body).filter((sent): sent is object => typeof sent === 'object' && sent !== null);

const written = async ({ configuration }: Component): Promise<string> => JSON.stringify(await configuration.current());

async function tryOut(service: Component, { method, path }: Write, sent: object): Promise<boolean> {
  const before = await written(service);
  const { status, body } = (await service.send(method, path, sent)) as { status: number; body: object };
  expect([...UNDERSTOOD, ...REFUSED]).toContain(status);
  if (UNDERSTOOD.includes(status)) return true;
  expect(await written(service)).toBe(before);
  const { message, errors = {} } = body as { message?: unknown; errors?: Readonly<Record<string, unknown>> };
  expect(typeof message).toBe('string');
  expect(Object.values(errors).filter((reason) => typeof reason !== 'string')).toEqual([]);
  return false;
}

/** Checks that writing back what was read changes nothing (E10). */
async function writtenBack(service: Component, path: string): Promise<void> {
  const read = async () => ((await service.get(path)).body as { data: { status: string } }).data;
  const before = await read();
  if (before.status !== 'planned') return;
  expect((await service.send('put', path, before)).status).toBe(200);
  expect(await read()).toEqual(before);
}

describe('any body', () => {
  it('is accepted, or refused with the name of a field; a refused one changes nothing', async () => {
    let { service, writes } = await furnished();
    for (const [index, { body }] of writes.entries())
      await fc.assert(
        fc.asyncProperty(hostile(body), async (sent) => {
          const write = writes[index];
          if (write === undefined || !(await tryOut(service, write, sent))) return;
          if (write.path.startsWith('/v1/') && write.method === 'put') await writtenBack(service, write.path);
          ({ service, writes } = await furnished());
        }),
        { numRuns: TRIES },
      );
  });

  it('is refused if it is nested too deep, however deep', async () => {
    const { service, writes } = await furnished();
    for (const { method, path, body } of writes.filter((write) => !write.path.endsWith('/cancel')))
      for (const field of Object.keys(body).filter((name) => name !== 'Id'))
        expect((await service.send(method, path, { ...body, [field]: nested(1_000) })).status).toBe(422);
  });

  it('is tried for every operation that takes a body', async () => {
    const taking = OPERATIONS.filter(
      ({ id, method, path }) =>
        id === 'evaluate-policies' ||
        id === 'simulate-alert' ||
        id === 'import-maintenance' ||
        (path.startsWith('/v1/maintenance') && method !== 'GET' && method !== 'DELETE'),
    );
    const tried = (await furnished()).writes.map(({ method, path }) => {
      const match = matchOperation(method.toUpperCase(), path);
      return match.outcome === 'matched' ? match.operation.id : path;
    });
    expect([...new Set(tried)].toSorted()).toEqual(taking.map(({ id }) => id).toSorted());
  });
});
