import { describe, expect, it } from '@jest/globals';
import { matchOperation, OPERATIONS } from '@tocsin/api';
import { hostileBody, nested } from '@tocsin/testkit';
import fc from 'fast-check';
import { attach, BY_ALIAS, idOf, PATH as ATTACHMENTS, withAlert } from './testing/attachments-samples.ts';
import { team, type Component } from './testing/component-fixture.ts';

/** The number of random bodies per write. */
const TRIES = 40;
const SEARCHES = '/v2/alerts/saved-searches';

/** A write with a valid body, and the read of the thing that it changes. */
interface Write {
  readonly method: 'post' | 'patch' | 'put' | 'delete';
  readonly path: string;
  readonly body: object;
  readonly read: string;
}

const search = {
  name: 'Open',
  query: 'status:open AND (tag: db OR NOT count > 3)',
  description: 'd',
  owner: { id: 'ada', username: 'ada@example.com' },
  teams: [{ name: 'Ops' }, { id: 'ops' }],
};

async function furnished(): Promise<{ service: Component; writes: readonly Write[] }> {
  const service = await withAlert();
  service.replicas.user.put('ada', { id: 'ada', username: 'ada@example.com' } as never);
  service.replicas.team.put('ops', team('ops', 'Ops'));
  const id = idOf(await service.send('post', SEARCHES, { ...search, name: 'Kept' }));
  const attachment = idOf(await attach(service));
  const writes: readonly Write[] = [
    { method: 'post', path: SEARCHES, body: search, read: SEARCHES },
    { method: 'patch', path: `${SEARCHES}/${id}`, body: search, read: `${SEARCHES}/${id}` },
    {
      method: 'put',
      path: '/v2/imports/saved-searches/4f8fad5b-d9cb-469f-a165-70867728950e',
      body: { ...search, name: 'Imported' },
      read: SEARCHES,
    },
    {
      method: 'delete',
      path: `${ATTACHMENTS}/${attachment}${BY_ALIAS}`,
      body: { user: 'Ada' },
      read: ATTACHMENTS + BY_ALIAS,
    },
  ];
  return { service, writes };
}

/** Bodies that are not objects are tested in `@tocsin/http`. */
const hostile = (body: object) =>
  hostileBody(body).filter((sent): sent is object => typeof sent === 'object' && sent !== null);

const UNDERSTOOD = [200, 201];
const REFUSED = [404, 409, 413, 422];

async function tryOut({ send, get }: Component, { method, path, read }: Write, sent: object): Promise<void> {
  const shown = async () => (await get(read)).body as { data: unknown };
  const { data: before } = await shown();
  const { status, body } = (await send(method, path, sent)) as { status: number; body: object };
  expect([...UNDERSTOOD, ...REFUSED]).toContain(status);
  if (UNDERSTOOD.includes(status)) return;
  expect((await shown()).data).toEqual(before);
  const { message, errors = {} } = body as { message?: unknown; errors?: Readonly<Record<string, unknown>> };
  expect(typeof message).toBe('string');
  expect(Object.values(errors).filter((reason) => typeof reason !== 'string')).toEqual([]);
}

describe('any body about saved searches and files', () => {
  it('is accepted, or refused with the name of a field; a refused one changes nothing', async () => {
    const { service, writes } = await furnished();
    for (const write of writes)
      await fc.assert(
        fc.asyncProperty(hostile(write.body), (sent) => tryOut(service, write, sent)),
        { numRuns: TRIES },
      );
  });

  it('is refused if it is nested too deep, however deep', async () => {
    const { service, writes } = await furnished();
    for (const { method, path, body } of writes)
      for (const field of Object.keys(body))
        expect((await service.send(method, path, { ...body, [field]: nested(1_000) })).status).toBe(422);
  });

  it('is tried for every operation that takes one', async () => {
    // The body of an upload is a form, whose parts are tested elsewhere.
    const taking = OPERATIONS.filter(
      ({ id, method, path, transfer }) =>
        id === 'delete-attachment' ||
        (/saved-searches|attachments/.test(path) &&
          ['POST', 'PATCH', 'PUT'].includes(method) &&
          transfer === undefined),
    );
    const tried = (await furnished()).writes.map(({ method, path }) => {
      const match = matchOperation(method.toUpperCase(), path.split('?')[0] ?? '');
      return match.outcome === 'matched' ? match.operation.id : path;
    });
    expect(tried.toSorted()).toEqual(taking.map(({ id }) => id).toSorted());
  });
});
