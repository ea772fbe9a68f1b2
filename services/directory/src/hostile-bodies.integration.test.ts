import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchOperation, OPERATIONS } from '@tocsin/api';
import { hostileBody, nested } from '@tocsin/testkit';
import {
  role,
  routingRule,
  rule,
  shift,
  teamRole,
  type Things,
  type Write,
  writesOf,
} from './testing/hostile-bodies.ts';
import { moveBody } from './testing/move-samples.ts';
import { ADA, rulesApp, type RulesApp } from './testing/notification-rule-fixture.ts';

/** How often each write is tried. */
const TRIES = 25;

let app: RulesApp;
let things: Things;

beforeAll(async () => {
  app = await rulesApp();
  app.scheduling.addSchedule('night', 'Night shift');
  const teamId = await app.team('Ops', [{ user: { username: ADA } }]);
  const { schedules } = app.scheduling;
  const night = await schedules.fetch('id', 'night');
  if (night !== undefined) schedules.put('night', { ...night, ownerTeamId: teamId });
  const create = async (path: string, body: object): Promise<string> => {
    const { status, body: answer } = await app.post(path, body);
    if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`);
    return (answer as { data: { id: string } }).data.id;
  };
  const ruleId = await app.rule(rule);
  const { steps } = (await app.read(`/v2/users/${ADA}/notification-rules/${ruleId}`)) as { steps: { id: string }[] };
  await app.put('/v2/account/move', moveBody());
  things = {
    teamId,
    ruleId,
    stepId: steps[0]?.id ?? '',
    bobId: await app.user('bob@example.com'),
    shiftId: await app.rule(shift),
    contactId: await create(`/v2/users/${ADA}/contacts`, { method: 'sms', to: '1-555' }),
    routingRuleId: await create(`/v2/teams/${teamId}/routing-rules`, routingRule),
    roleId: await create('/v2/roles', role),
    teamRoleId: await create(`/v2/teams/${teamId}/roles`, teamRole),
  };
});

/** Answers of a request that was understood, and of one that was not: nothing else is a fault of the service. */
const UNDERSTOOD = [200, 201, 202];
/** 429: codes to sign in are limited. */
const REFUSED = [404, 409, 413, 422, 428, 429];

/** The answer to a GET, without the port. */
const shown = async (path: string): Promise<string> =>
  JSON.stringify(await app.read(path)).replaceAll(/127\.0\.0\.1:\d+/g, 'host');

async function tryOut({ method, path, read }: Write, sent: unknown): Promise<void> {
  const before = await shown(read);
  const answer = await app[method](path, sent as object);
  expect([...UNDERSTOOD, ...REFUSED]).toContain(answer.status);
  if (UNDERSTOOD.includes(answer.status)) return;
  expect(await shown(read)).toBe(before);
  const { message, errors = {} } = answer.body as { message: unknown; errors?: Readonly<Record<string, unknown>> };
  expect(typeof message).toBe('string');
  expect(Object.values(errors).filter((reason) => typeof reason !== 'string')).toEqual([]);
}

describe('any body of a request', () => {
  it('is accepted or refused with the name of a field, and a refused one changes nothing', async () => {
    for (const write of writesOf(things)) {
      await fc.assert(
        fc.asyncProperty(hostileBody(write.body), (sent) => tryOut(write, sent)),
        { numRuns: TRIES },
      );
    }
  });

  it('is refused however deep it goes', async () => {
    const { ruleId } = things;
    const path = `/v2/users/${ADA}/notification-rules/${ruleId}`;
    for (const field of ['criteria', 'timeRestriction', 'repeat', 'steps', 'schedules', 'notificationTime', 'enabled'])
      expect(await app.patch(path, { [field]: nested(1_000) })).toMatchObject({ status: 422 });
  });

  it('is tried for every operation that takes a body', () => {
    const bodiless = /\/(enable|disable|verification|sign-out|sign-in\/openid)$/;
    const taking = OPERATIONS.filter(
      ({ owner, method }) => owner === 'directory' && method !== 'GET' && method !== 'DELETE',
    );
    const expected = taking.filter(({ path }) => !bodiless.test(path)).map(({ id }) => id);
    const tried = writesOf(things).map(({ method, path }) => {
      const match = matchOperation(method.toUpperCase(), path);
      return match.outcome === 'matched' ? match.operation.id : path;
    });
    expect(tried).toEqual(expect.arrayContaining(expected));
  });
});
