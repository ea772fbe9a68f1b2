import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { API_KEY } from '../system/api.ts';
import { CommandLine } from '../system/command-line.ts';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let scenario: Scenario;
let cli: CommandLine;
let keyFile: string;

/** A side whose definition of one schedule is that of another, and the reverse: the same answers with their ids and names exchanged. */
let exchanged: readonly (readonly [string, string])[] = [];
let methods: Set<string | undefined>;
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    methods.add(request.method);
    void fetch(system.api.url + exchange(request.url ?? ''), {
      headers: { authorization: request.headers.authorization ?? '' },
    }).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(exchange(await answer.text()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function exchange(text: string): string {
  let changed = text;
  for (const [one, other] of exchanged)
    changed = changed
      .split(one)
      .map((part) => part.replaceAll(other, one))
      .join(other);
  return changed;
}

beforeEach(async () => {
  scenario = system.scenario();
  cli = new CommandLine(system.api.url);
  keyFile = path.join(cli.folder, 'key.txt');
  writeFileSync(keyFile, API_KEY, { mode: 0o600 });
  [exchanged, methods] = [[], new Set()];
  await scenario.users('ada', 'bob', 'cyd');
});
afterEach(() => {
  cli.remove();
});

/** A side as Tocsin answers it, with the definitions of `exchanged`. */
const sideUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Others may be in the same installation, with more periods than a timeline has. */
const compare = ([, name]: Named, ...options: readonly string[]) =>
  cli.run(
    '--json',
    'parity',
    '--from',
    sideUrl(),
    '--key-file',
    keyFile,
    '--instants',
    '20',
    '--schedule',
    name,
    ...options,
  );

interface Report {
  readonly results: Readonly<Record<string, number>>;
  readonly schedules: readonly {
    readonly name: string;
    readonly result: string;
    readonly differentMs?: number;
    readonly causes?: readonly string[];
    readonly differences?: readonly object[];
  }[];
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const OFFICE_HOURS = {
  type: 'weekday-and-time-of-day',
  restrictions: WEEKDAYS.map((day) => ({
    ...{ startDay: day, startHour: 8, startMin: 0 },
    ...{ endDay: day, endHour: 18, endMin: 0 },
  })),
};

/** A schedule by its id and name. */
type Named = readonly [id: string, name: string];

/** Ada, Bob and Cyd take turns at office hours; `change` is how another definition differs. */
async function schedule(name: string, change: object = {}): Promise<Named> {
  const full = scenario.name(name);
  const rotation = {
    ...{ name: 'Office', type: 'weekly', startDate: '2026-03-02T07:00:00Z', timeRestriction: OFFICE_HOURS },
    participants: ['ada', 'bob', 'cyd'].map((user) => scenario.user(user)),
    ...change,
  };
  const { id } = await system.api.create<{ readonly id: string }>('/v2/schedules', {
    ...{ name: full, timezone: 'Europe/Berlin' },
    rotations: [rotation],
  });
  return [id, full];
}

describe('tocsin parity', () => {
  it('finds an installation identical to itself, in the same report each time, and sends GET alone', async () => {
    const ops = await schedule('Ops');
    await system.settle();
    const at = ['--at', '2027-01-01T00:00Z'];
    const [first, second] = [await compare(ops, ...at), await compare(ops, ...at)];
    expect([first.code, first.stderr]).toEqual([0, '']);
    const { schedules } = JSON.parse(first.stdout) as Report;
    expect(schedules).toMatchObject([{ name: ops[1], result: 'identical' }]);
    expect(methods).toEqual(new Set(['GET']));
    expect(second).toEqual(first);
  });

  it.each([
    ['a hand-off half an hour later', { startDate: '2026-03-02T07:30:00Z' }, 'startDate'],
    ['two participants in another order', { swapped: true }, 'participants'],
    ['no restriction', { timeRestriction: undefined }, 'timeRestriction'],
  ])('finds %s, and the cause', async (_what, change, field) => {
    const one = await schedule('One');
    const participants = ['bob', 'ada', 'cyd'].map((user) => scenario.user(user));
    const other = await schedule('Other', 'swapped' in change ? { participants } : change);
    const found = await differenceBetween(one, other);
    expect(found).toMatchObject({ result: 'different', causes: [`The rotation [Office] differs in ${field}.`] });
    expect(found?.differentMs).toBeGreaterThan(0);
  });

  it('finds an override that ends a minute later, and exactly when', async () => {
    const [one, other] = [await schedule('One'), await schedule('Other')];
    const startDate = '2027-01-05T09:00:00Z';
    for (const [[id], endDate] of [
      [one, '2027-01-05T11:00:00Z'],
      [other, '2027-01-05T11:01:00Z'],
    ] as const) {
      const override = { alias: 'dentist', user: scenario.user('ada'), startDate, endDate };
      await system.api.create(`/v2/schedules/${id}/overrides`, override);
    }
    const found = await differenceBetween(one, other, '--at', '2027-01-01T00:00Z');
    const [ada, cyd] = [scenario.address('ada'), scenario.address('cyd')];
    expect(found).toMatchObject({
      ...{ result: 'different', differentMs: 60_000, causes: ['All differences are within overrides.'] },
      differences: [
        { from: '2027-01-05T11:00:00.000Z', until: '2027-01-05T11:01:00.000Z', opsgenie: [ada], tocsin: [cyd] },
      ],
    });
  });
});

/** The comparison of a schedule with itself where Opsgenie has the definition of another one. */
async function differenceBetween(one: Named, other: Named, ...options: readonly string[]) {
  await system.settle();
  exchanged = [
    [one[0], other[0]],
    [one[1], other[1]],
  ];
  const { code, stderr, stdout } = await compare(one, ...options);
  expect([code, stderr]).toEqual([1, 'tocsin: 1 of 1 schedules differ.\n']);
  const { results, schedules } = JSON.parse(stdout) as Report;
  expect(results).toEqual({ identical: 0, different: 1, 'not-comparable': 0 });
  return schedules[0];
}
