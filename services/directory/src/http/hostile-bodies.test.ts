import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchOperation, OPERATIONS } from '@tocsin/contracts';
import {
  role,
  routingRule,
  rule,
  shift,
  teamRole,
  writesOf,
  type Things,
  type Write,
} from './hostile-bodies.samples.ts';
import { ADA, rulesApp, type RulesApp } from './notification-rule-fixture.contract.ts';

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
  things = {
    ...{ teamId, ruleId, stepId: steps[0]?.id ?? '', bobId: await app.user('bob@example.com') },
    shiftId: await app.rule(shift),
    contactId: await create(`/v2/users/${ADA}/contacts`, { method: 'sms', to: '1-555' }),
    routingRuleId: await create(`/v2/teams/${teamId}/routing-rules`, routingRule),
    roleId: await create('/v2/roles', role),
    teamRoleId: await create(`/v2/teams/${teamId}/roles`, teamRole),
  };
});

type Path = readonly (string | number)[];

/** The places of a body at which something else can stand, the body itself first. */
function placesIn(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const parts: readonly (readonly [string, unknown])[] = Object.entries(value);
  return [at, ...parts.flatMap(([key, part]) => placesIn(part, [...at, Array.isArray(value) ? Number(key) : key]))];
}

/** The body with `other` at that place. */
function changed(value: unknown, [first, ...rest]: Path, other: unknown): unknown {
  if (first === undefined) return other;
  if (Array.isArray(value))
    return value.map((part: unknown, index) => (index === first ? changed(part, rest, other) : part));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [first]: changed(fields[first], rest, other) };
}

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      null,
      '',
      ' ',
      0,
      -1,
      1.5,
      1e300,
      true,
      [],
      {},
      [null],
      [[]],
      [{}],
      { id: null },
      'ALL',
      '__proto__',
      'constructor',
    ],
    ...[
      '\u0000',
      'a\ud800b',
      '\u{1f600}'.repeat(1_001),
      'x'.repeat(20_000),
      'a\r\nBcc: eve@example.com',
      '(a+)+$',
      '[',
    ],
    ...[{ $gt: '' }, { 'a\u0000b': ['x'] }, JSON.parse('{"__proto__": {"a": 1}}'), nested(100)],
    ...[Array.from({ length: 1_001 }, () => 'x'), Array.from({ length: 1_001 }, () => ({})), 'P1', 'UTC', 'en_US'],
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

/** Answers of a request that was understood, and of one that was not: nothing else can be somebody's fault. */
const UNDERSTOOD = [200, 201];
const REFUSED = [404, 409, 422, 428];

/** What a GET answers, but for the port of the moment. */
const shown = async (path: string): Promise<string> =>
  JSON.stringify(await app.read(path)).replaceAll(/127\.0\.0\.1:\d+/g, 'host');

async function tryOut({ method, path, body, read }: Write, place: Path, other: unknown): Promise<void> {
  const before = await shown(read);
  const sent = changed(body, place, other);
  const answer = await app[method](path, sent as object);
  expect([...UNDERSTOOD, ...REFUSED]).toContain(answer.status);
  if (UNDERSTOOD.includes(answer.status)) return;
  expect(await shown(read)).toBe(before);
  const { message, errors = {} } = answer.body as { message: unknown; errors?: Readonly<Record<string, unknown>> };
  expect(typeof message).toBe('string');
  expect(Object.values(errors).filter((reason) => typeof reason !== 'string')).toEqual([]);
}

describe('whatever stands in a body', () => {
  it('is understood or refused by its field, and what is refused changes nothing', async () => {
    for (const write of writesOf(things)) {
      const place = fc.constantFrom(...placesIn(write.body));
      await fc.assert(
        fc.asyncProperty(place, hostile, (at, other) => tryOut(write, at, other)),
        { numRuns: TRIES },
      );
    }
  }, 60_000);

  it('is refused however deep it goes', async () => {
    const { ruleId } = things;
    const path = `/v2/users/${ADA}/notification-rules/${ruleId}`;
    for (const field of ['criteria', 'timeRestriction', 'repeat', 'steps', 'schedules', 'notificationTime', 'enabled'])
      expect(await app.patch(path, { [field]: nested(1_000) })).toMatchObject({ status: 422 });
  });

  it('is tried for every operation that takes a body', () => {
    const bodiless = /\/(enable|disable|verification)$/;
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
