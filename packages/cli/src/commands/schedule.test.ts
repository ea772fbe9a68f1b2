import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person, ScriptedApi } from '../testing/command-fixture.ts';

let person: Person;
let api: ScriptedApi;

beforeEach(() => {
  person = new Person();
});
afterEach(() => {
  api.stop();
  person.leave();
});

const user = (name: string) => ({ type: 'user', id: name, name });
const period = (startDate: string, endDate: string, recipient: object, type = 'default') => ({
  ...{ startDate, endDate, type, recipient },
});
const layer = (...rotations: readonly (readonly object[])[]) => ({
  rotations: rotations.map((periods, at) => ({ id: String(at), name: ['Days', 'Nights'][at], periods })),
});
const NONE = layer([], []);

/** A person who asks for a schedule that the API draws so. */
async function drawn(timeline: object): Promise<void> {
  const _parent = { id: '1', name: 'Ops', enabled: true };
  const range = { startDate: '2026-03-27T00:00:00Z', endDate: '2026-03-31T00:00:00Z' };
  const empty = { baseTimeline: NONE, overrideTimeline: NONE, forwardingTimeline: NONE, finalTimeline: NONE };
  api = new ScriptedApi({ body: { data: { _parent, ...range, ...empty, ...timeline } } });
  person.env = { TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key' };
}

const ADA = user('ada@example.com');
const show = (...options: readonly string[]) => person.types('schedule', 'show', 'Ops', ...options);

describe('tocsin schedule show', () => {
  it('draws plan, changes and result of the days that are asked for, and says when no user is on call', async () => {
    const days = [
      period('2026-03-27T22:00:00Z', '2026-03-28T11:00:00Z', ADA),
      period('2026-03-28T11:00:00Z', '2026-03-29T10:00:00Z', user('bob@example.com')),
    ];
    const override = period('2026-03-29T10:00:00Z', '2026-03-29T22:00:00Z', user('zoë@example.com'), 'override');
    await drawn({
      baseTimeline: layer(days, []),
      overrideTimeline: layer([override], []),
      finalTimeline: layer([...days, { ...override, startDate: '2026-03-29T11:00:00Z' }], []),
    });
    const { code, stdout, stderr } = await show('--week', '2026-03-28', '--days', '2');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'Ops  Europe/Berlin',
      '',
      '         Sat 28                             Sun 29',
      'Days     │ada──────────────│bob──────────────────────────────',
      'Nights',
      'override                                                     │zoë──────────────',
      'ON CALL  │ada──────────────│bob─────────────────────────────GAP│zoë────────────',
      '',
      'NO USER IS ON CALL:',
      '  Sun 29 Mar 12:00 – 13:00 (1 h)',
      'Sun 29 Mar has 23 hours: the clocks change.',
      '',
    ]);
  });

  it('asks for the days of the zone and two more, as the API counts those of another one', async () => {
    await drawn({});
    await show('--week', '2026-03-29', '--days', '1', '--zone', 'Pacific/Auckland');
    await person.types('schedule', 'show', 'd2a7f0ce-9f6a-4f0a-8d8e-2f6f3c1f5a11', '--utc');
    const queries = api.received.map(({ path }) => Object.fromEntries(new URL(path, 'http://x').searchParams));
    const common = { expand: 'base,override,forwarding', intervalUnit: 'days' };
    expect(queries).toEqual([
      { ...common, identifierType: 'name', interval: '3', date: '2026-03-28T11:00:00.000Z' },
      { ...common, identifierType: 'id', interval: '9', date: '2026-03-02T00:00:00.000Z' },
    ]);
  });

  it('lists exactly when with --list, and as JSON the timeline of those days alone', async () => {
    const far = period('2026-03-20T00:00:00Z', '2026-03-28T12:00:00Z', ADA);
    const over = period('2026-03-20T00:00:00Z', '2026-03-21T12:00:00Z', ADA);
    await drawn({ finalTimeline: layer([over, far], []) });
    const { stdout } = await show('--week', '2026-03-28', '--days', '1', '--list', '--utc');
    expect(stdout.split('\n').slice(2, 5)).toEqual([
      'WHEN                                        ON CALL',
      'Sat 28 Mar 00:00 – 12:00 (12 h)             ada@example.com',
      'Sat 28 Mar 12:00 – Sun 29 Mar 00:00 (12 h)  GAP: NO USER',
    ]);
    const json = await show('--week', '2026-03-28', '--days', '1', '--json', '--utc');
    expect(JSON.parse(json.stdout)).toMatchObject({
      startDate: '2026-03-28T00:00:00.000Z',
      endDate: '2026-03-29T00:00:00.000Z',
      finalTimeline: { rotations: [{ periods: [{ endDate: '2026-03-28T12:00:00Z' }] }, { periods: [] }] },
    });
  });

  it('shows of addresses that are alike before the @ the whole', async () => {
    const [first, second] = [user('ada@a.example.com'), user('ada@b.example.com')];
    await drawn({
      finalTimeline: layer(
        [period('2026-03-28T00:00:00Z', '2026-03-29T00:00:00Z', first)],
        [period('2026-03-28T00:00:00Z', '2026-03-29T00:00:00Z', second)],
      ),
    });
    const { stdout } = await show('--week', '2026-03-28', '--days', '1', '--utc');
    expect(stdout).toContain('ON CALL │ada@a.example.com+ada@b.example.com─');
    expect(stdout).toContain('A user is on call all the time.');
  });

  it('says what it does not look into, whom an override sends home, and that a schedule is disabled', async () => {
    const team = { type: 'team', id: 't', name: 'SRE' };
    const home = period('2026-03-28T00:00:00Z', '2026-03-28T12:00:00Z', { type: 'none' }, 'override');
    await drawn({
      _parent: { id: '1', name: 'Ops', enabled: false },
      overrideTimeline: layer([home], []),
      finalTimeline: layer([period('2026-03-28T12:00:00Z', '2026-03-29T00:00:00Z', team)], []),
    });
    const { stdout } = await show('--week', '2026-03-28', '--days', '1', '--utc');
    expect(stdout).toContain('It is disabled: no user is on call.');
    expect(stdout).toContain('override │no user─');
    expect(stdout).toContain('Whether a user is on call in team SRE is not looked at here');
    expect(stdout).toContain('  Sat 28 Mar 00:00 – 12:00 (12 h)\n');
  });

  it('is as wide as the terminal', async () => {
    await drawn({});
    person.env = { ...person.env, COLUMNS: '100' };
    const widest = async () =>
      Math.max(...(await show('--week', '2026-03-23')).stdout.split('\n').map(({ length }) => length));
    expect(await widest()).toBe(99);
    person.columns = 60;
    expect(await widest()).toBe(56);
  });

  it.each([
    ['--week', 'soon'],
    ['--week', '2026-02-30'],
    ['--days', '32'],
    ['--zone', 'Mars/Olympus'],
  ])('ends with 2 for %s %s, and asks nothing', async (option, value) => {
    await drawn({});
    expect((await show(option, value)).code).toBe(2);
    expect(api.received).toEqual([]);
  });
});
