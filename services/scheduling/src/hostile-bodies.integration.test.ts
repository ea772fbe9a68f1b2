import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchOperation, OPERATIONS } from '@tocsin/api';
import { hostileBody, nested } from '@tocsin/testkit';
import { created, testApp, type TestApp } from './testing/app-fixture.ts';

/** How often each write is tried. */
const TRIES = 40;

/** A write with a body that is in order, and what reads the thing that it changes. */
interface Write {
  readonly method: 'post' | 'patch' | 'put';
  readonly path: string;
  readonly body: object;
  readonly read: string;
}

const user = { type: 'user', id: 'ada', username: 'ada@example.com' };
const hours = { startHour: 22, startMin: 0, endHour: 6, endMin: 30 };
const period = { startDate: '2026-01-01T00:00:00Z', endDate: '2026-02-01T00:00:00Z' };
const rotation = {
  name: 'Nights',
  type: 'daily',
  length: 2,
  ...period,
  participants: [user, { type: 'team', name: 'SRE' }],
  timeRestriction: {
    type: 'weekday-and-time-of-day',
    restrictions: [{ startDay: 'monday', endDay: 'friday', ...hours }],
  },
};
const schedule = {
  name: 'Days',
  description: 'd',
  timezone: 'Europe/Rome',
  enabled: true,
  ownerTeam: { id: 'sre', name: 'SRE' },
  rotations: [rotation, { ...rotation, timeRestriction: { type: 'time-of-day', restriction: hours } }],
};
const override = { alias: 'swap', user, ...period, rotations: [{ name: 'Kept' }] };
const rule = { condition: 'if-not-acked', notifyType: 'all', delay: { timeAmount: 5, timeUnit: 'minutes' } };
const escalation = {
  name: 'Late',
  description: 'd',
  ownerTeam: { id: 'sre' },
  rules: [{ ...rule, recipient: { type: 'team', id: 'sre' } }],
  repeat: { waitInterval: 5, count: 2, resetRecipientStates: true, closeAlertAfterAll: false },
};
const forwarding = { alias: 'holiday', fromUser: { id: 'ada' }, toUser: { username: 'bob@example.com' }, ...period };
const rotationId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const importedSchedule = {
  ...schedule,
  rotations: [{ ...rotation, id: rotationId }],
  overrides: [{ ...override, rotations: [{ id: rotationId }] }],
};
const imported = (kind: string): string => `/v2/imports/${kind}/4f8fad5b-d9cb-469f-a165-70867728950e`;

let app: TestApp;
let writes: readonly Write[];

beforeAll(async () => {
  app = await testApp();
  const rotations = [{ ...rotation, name: 'Kept' }];
  const scheduleId = await created(app, '/v2/schedules', { ...schedule, name: 'Kept', rotations });
  const changedId = await created(app, '/v2/schedules', { ...schedule, name: 'Changed' });
  const escalationId = await created(app, '/v2/escalations', { ...escalation, name: 'Kept' });
  const forwardingId = await created(app, '/v2/forwarding-rules', { ...forwarding, alias: 'kept' });
  const of = `/v2/schedules/${scheduleId}`;
  await app.post(`${of}/overrides`, { ...override, alias: 'kept' });
  const { rotations: kept } = (await app.get(of)).data as { rotations: readonly { id: string }[] };
  const rotationPath = `${of}/rotations/${kept[0]?.id}`;
  writes = [
    { method: 'post', path: '/v2/schedules', body: schedule, read: '/v2/schedules?expand=rotation' },
    { method: 'patch', path: `/v2/schedules/${changedId}`, body: schedule, read: `/v2/schedules/${changedId}` },
    { method: 'post', path: `${of}/rotations`, body: rotation, read: of },
    { method: 'patch', path: rotationPath, body: { ...rotation, name: 'Kept' }, read: rotationPath },
    { method: 'post', path: `${of}/overrides`, body: override, read: `${of}/overrides` },
    { method: 'post', path: `${of}/timeline/simulate`, body: override, read: `${of}/overrides` },
    { method: 'post', path: `${of}/timeline/simulate-rotation`, body: rotation, read: of },
    { method: 'put', path: `${of}/overrides/kept`, body: override, read: `${of}/overrides` },
    { method: 'post', path: '/v2/escalations', body: escalation, read: '/v2/escalations' },
    { method: 'patch', path: `/v2/escalations/${escalationId}`, body: escalation, read: '/v2/escalations' },
    { method: 'post', path: '/v2/forwarding-rules', body: forwarding, read: '/v2/forwarding-rules' },
    { method: 'put', path: `/v2/forwarding-rules/${forwardingId}`, body: forwarding, read: '/v2/forwarding-rules' },
    { method: 'put', path: imported('schedules'), body: importedSchedule, read: '/v2/schedules?expand=rotation' },
    { method: 'put', path: imported('escalations'), body: escalation, read: '/v2/escalations' },
    { method: 'put', path: imported('forwarding-rules'), body: forwarding, read: '/v2/forwarding-rules' },
  ];
});

/** The statuses of a valid request and of an invalid one. Any other status is a defect. */
const UNDERSTOOD = [200, 201];
const REFUSED = [404, 409, 413, 422];

/** The reads after a write: no accepted value may break them. */
const READS = ['/v2/schedules?expand=rotation', '/v2/schedules/on-calls', '/v2/escalations', '/v2/forwarding-rules'];

async function shown(path: string): Promise<string> {
  const { status, data } = await app.get(path);
  expect([path, status]).toEqual([path, 200]);
  return JSON.stringify(data);
}

async function tryOut({ method, path, read }: Write, sent: unknown): Promise<void> {
  const before = await shown(read);
  const { status, body } = await app[method](path, sent);
  expect([...UNDERSTOOD, ...REFUSED]).toContain(status);
  if (UNDERSTOOD.includes(status)) {
    for (const one of READS) await shown(one);
    return;
  }
  expect(await shown(read)).toBe(before);
  const { message, errors = {} } = body as { message?: unknown; errors?: Readonly<Record<string, unknown>> };
  expect(typeof message).toBe('string');
  expect(Object.values(errors).filter((reason) => typeof reason !== 'string')).toEqual([]);
}

describe('any value in a body', () => {
  it('is accepted or refused with the name of a field; a refused one changes nothing, and an accepted one can be read', async () => {
    for (const write of writes) {
      await fc.assert(
        fc.asyncProperty(hostileBody(write.body), (sent) => tryOut(write, sent)),
        { numRuns: TRIES },
      );
    }
    for (const { id } of (await app.get('/v2/schedules')).data as readonly { id: string }[])
      for (const part of ['timeline', 'next-on-calls']) await shown(`/v2/schedules/${id}/${part}`);
  });

  it('is refused however deep it goes', async () => {
    for (const field of ['rotations', 'ownerTeam', 'enabled', 'timezone', 'description'])
      expect(await app.patch(writes[1]?.path ?? '', { [field]: nested(1_000) })).toMatchObject({ status: 422 });
  });

  it('is tried for every operation that takes a body', () => {
    const taking = OPERATIONS.filter(({ body, owner }) => owner === 'scheduling' && body !== undefined);
    const tried = writes.map(({ method, path }) => {
      const match = matchOperation(method.toUpperCase(), path);
      return match.outcome === 'matched' ? match.operation.id : path;
    });
    expect(tried.toSorted()).toEqual(taking.map(({ id }) => id).toSorted());
  });
});
