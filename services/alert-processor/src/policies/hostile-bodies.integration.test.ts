import { beforeAll, describe, expect, it } from '@jest/globals';
import { matchOperation, OPERATIONS } from '@tocsin/api';
import { hostileBody, nested } from '@tocsin/testkit';
import fc from 'fast-check';
import {
  policyFixture,
  V1_BODIES,
  V1_TYPES,
  V2_BODIES,
  V2_TYPES,
  type PolicyFixture,
} from '../testing/policy-fixture.ts';

/** The number of random bodies per write. */
const TRIES = 20;

/** A write with a valid body. */
interface Write {
  readonly method: 'post' | 'put';
  readonly path: string;
  readonly body: object;
}

let fixture: PolicyFixture;
let writes: readonly Write[];

beforeAll(async () => {
  fixture = await policyFixture();
  const created: Write[] = [];
  const imported = (kind: string): string =>
    `/v2/imports/${kind}/4f8fad5b-d9cb-469f-a165-${String(created.length).padStart(12, '0')}`;
  for (const type of V1_TYPES) {
    const body = { ...V1_BODIES[type], type };
    created.push({ method: 'post', path: '/v1/policies', body });
    created.push({ method: 'put', path: `/v1/policies/${await fixture.v1(type)}`, body });
    created.push({ method: 'put', path: imported('policies-v1'), body: { ...body, order: 0 } });
  }
  for (const type of V2_TYPES) {
    const body = { ...V2_BODIES[type], type };
    created.push({ method: 'post', path: '/v2/policies?teamId=ops', body });
    created.push({ method: 'put', path: `/v2/policies/${await fixture.v2(type)}`, body });
    created.push({ method: 'put', path: imported('policies'), body: { ...body, teamId: 'ops', order: 0 } });
  }
  const some = await fixture.v1('notification-suppress');
  const verbs = ['enable', 'disable', 'change-order'].flatMap((verb) => [
    `/v1/policies/${some}/${verb}`,
    `/v2/policies/${some}/${verb}`,
  ]);
  writes = [...created, ...verbs.map((path): Write => ({ method: 'post', path, body: { targetIndex: 1 } }))];
});

/** Bodies that are not objects are tested in `@tocsin/http`. */
const hostile = (body: object) =>
  hostileBody(body).filter((sent): sent is object => typeof sent === 'object' && sent !== null);

const UNDERSTOOD = [200, 201];
const REFUSED = [404, 413, 422];

async function tryOut({ method, path }: Write, sent: object): Promise<void> {
  const before = await fixture.configuration.current();
  const { status, body } = await fixture.send(method, path, sent);
  expect([...UNDERSTOOD, ...REFUSED]).toContain(status);
  if (UNDERSTOOD.includes(status)) return writtenBack(idOf(path, body));
  expect(await fixture.configuration.current()).toBe(before);
  const { message, errors = {} } = body as { message?: unknown; errors?: Readonly<Record<string, unknown>> };
  expect(typeof message).toBe('string');
  expect(Object.values(errors).filter((reason) => typeof reason !== 'string')).toEqual([]);
}

const idOf = (path: string, body: unknown): string =>
  (body as { data?: { id: string } }).data?.id ?? path.split('/')[3] ?? '';

/** Checks that writing back what either version shows changes nothing (E10). */
async function writtenBack(id: string): Promise<void> {
  const before = await fixture.configuration.current();
  for (const path of [`/v1/policies/${id}`, `/v2/policies/${id}`]) {
    const shown = await fixture.get(path);
    if (shown.status === 404) continue;
    const put = await fixture.send('put', path, (shown.body as { data: object }).data);
    expect([path, shown.status, put.status]).toEqual([path, 200, 200]);
  }
  expect(await fixture.configuration.current()).toBe(before);
}

describe('any body of a policy', () => {
  it('is accepted and can be written back, or is refused with the name of a field and changes nothing', async () => {
    for (const write of writes)
      await fc.assert(
        fc.asyncProperty(hostile(write.body), (sent) => tryOut(write, sent)),
        { numRuns: TRIES },
      );
    for (const path of ['/v1/policies', '/v2/policies/alert?teamId=ops', '/v2/policies/notification?teamId=ops'])
      expect(await fixture.read(path)).toBeInstanceOf(Array);
  });

  it('is refused if it is nested too deep, however deep', async () => {
    for (const { method, path, body } of writes.filter((write) => !write.path.endsWith('able')))
      for (const field of Object.keys(body))
        expect([path, field, (await fixture.send(method, path, { ...body, [field]: nested(1_000) })).status]).toEqual([
          path,
          field,
          422,
        ]);
  });

  it('is tried for every operation that takes a body', () => {
    const taking = OPERATIONS.filter(
      ({ method, path }) =>
        /^\/v[12]\/(imports\/)?policies(?!\/evaluate)/.test(path) && method !== 'GET' && method !== 'DELETE',
    );
    const tried = writes.map(({ method, path }) => {
      const match = matchOperation(method.toUpperCase(), path.split('?')[0] ?? '');
      return match.outcome === 'matched' ? match.operation.id : path;
    });
    expect([...new Set(tried)].toSorted()).toEqual(taking.map(({ id }) => id).toSorted());
  });
});
