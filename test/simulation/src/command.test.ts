import { describe, expect, it } from '@jest/globals';
import { type CommandEnvironment, runCommand } from './command.ts';
import { MUTATIONS } from './mutations.ts';
import type { ChoiceSource } from './scheduler/choices.ts';
import type { Simulation, SimulationResult } from './world.ts';

const KEPT: SimulationResult = { violations: [], log: [{ atMs: 7, process: 'p1', text: 'sends ping' }], done: 2 };

/** Asks for one choice. */
const simulation =
  (result: SimulationResult): Simulation =>
  (choices) => {
    choices.choose('any', 9);
    return Promise.resolve(result);
  };

async function run(args: readonly string[], simulate: Simulation, more: Partial<CommandEnvironment> = {}) {
  const [out, errors]: [string[], string[]] = [[], []];
  const status = await runCommand(args, {
    applyMutation: (name) => {
      throw new TypeError(`There is no mutation ${name}.`);
    },
    load: () => Promise.resolve([{ name: 'fake', simulate }]),
    print: (text) => void out.push(text),
    printError: (text) => void errors.push(text),
    spawn: () => {
      throw new Error('Nothing is to be started.');
    },
    ...more,
  });
  return { status, out: out.join('\n'), errors: errors.join('\n') };
}

describe('seeds', () => {
  it('that keep every promise end with 0', async () => {
    expect(await run(['--seeds', '200'], simulation(KEPT))).toEqual({
      status: 0,
      out: [
        '100 of 200 seeds kept every promise.',
        '200 of 200 seeds kept every promise.',
        '200 seeds kept every promise; 400 messages were published.',
      ].join('\n'),
      errors: '',
    });
  });

  it('one alone prints its log', async () => {
    const { out, status } = await run(['--seed', '3'], simulation(KEPT));
    expect(status).toBe(0);
    expect(out).toContain('The log of the simulation fake:\n     7 ms  p1 sends ping\n1 seed kept every promise');
  });

  it('that break a promise end with 1 and the commands that show it', async () => {
    const { out, status } = await run(['--from', '5'], simulation({ ...KEPT, violations: ['A step is missing.'] }));
    expect(status).toBe(1);
    expect(out).toBe(
      [
        'Seed 5 breaks a promise of the simulation fake: A step is missing.',
        'Its log: npm run simulate -- --seed 5 --simulation fake',
        'With fewer faults: npm run simulate -- --seed 5 --simulation fake --shrink',
      ].join('\n'),
    );
  });
});

it('the commands that show a broken promise have the mutation of the run', async () => {
  const broken = simulation({ ...KEPT, violations: ['A step is missing.'] });
  const { out } = await run(['--seeds', '1', '--mutation', 'm'], broken, { applyMutation: () => undefined });
  expect(out.match(/npm run .*/g)).toEqual([
    'npm run simulate -- --seed 1 --simulation fake --mutation m',
    'npm run simulate -- --seed 1 --simulation fake --mutation m --shrink',
  ]);
});

describe('a run that is repeated', () => {
  /** The second run is another one. */
  const changing = (first: (choices: ChoiceSource) => SimulationResult, second: typeof first): Simulation => {
    let runs = 0;
    return (choices) => Promise.resolve((runs++ === 0 ? first : second)(choices));
  };
  const asking = (count: number, result: SimulationResult) => (choices: ChoiceSource) => {
    for (let asked = 0; asked < count; asked += 1) choices.choose('any', 9);
    return result;
  };
  const other = { ...KEPT, log: [{ atMs: 7, process: 'p2', text: 'sends ping' }] };

  it.each([
    [
      'another log',
      asking(2, other),
      'Entry 0 of the log is "     7 ms  p2 sends ping". It was "     7 ms  p1 sends ping"',
    ],
    ['a longer log', asking(2, { ...KEPT, log: [...KEPT.log, ...KEPT.log] }), 'It was "missing"'],
    ['a shorter log', asking(2, { ...KEPT, log: [] }), 'is "missing"'],
    ['fewer choices', asking(1, KEPT), 'asks for less than the recorded 2 choices'],
    ['more choices', asking(3, KEPT), 'Choice 2 is "any" of 9.'],
  ])('fails with %s', async (_, second, text) => {
    const { out, status } = await run(['--seeds', '1'], changing(asking(2, KEPT), second));
    expect(status).toBe(1);
    expect(out).toContain('Seed 1 of the simulation fake did something else when it ran again. ');
    expect(out).toContain(text);
  });
});

describe('an error', () => {
  it.each([
    ['while the production code is loaded', { load: () => Promise.reject(new TypeError('x is not a function')) }],
    ['during a run', {}],
  ])('%s is no wrong option, also where it is a TypeError', async (_, more) => {
    const { errors, status } = await run([], () => Promise.reject(new TypeError('x is not a function')), more);
    expect(status).toBe(1);
    expect(errors).toContain('TypeError: x is not a function\n    at ');
  });

  it.each([
    ['an option that is no number', ['--seeds', 'many'], '--seeds takes a whole number, not many.'],
    [
      'a list that has no numbers',
      ['--seed', '1', '--simulation', 'fake', '--faults', '1,,2'],
      '--faults takes a whole',
    ],
    ['an unknown option', ['--sed', '1'], "Unknown option '--sed'"],
    ['an unknown mutation', ['--mutation', 'none'], 'There is no mutation none.'],
    ['an unknown simulation', ['--simulation', 'none'], 'There is no simulation none. There are fake.'],
    ['options that exclude each other', ['--seed', '1', '--from', '2'], '--seed and --from exclude each other.'],
    ['faults of no seed', ['--simulation', 'fake', '--faults', '1'], '--faults needs --seed.'],
    ['shrinking of no simulation', ['--shrink', '--seed', '1'], '--shrink needs --simulation.'],
  ])('refuses %s', async (_, args, text) => {
    const { errors, out, status } = await run(args, simulation(KEPT));
    expect(status).toBe(2);
    expect(errors).toContain(text);
    expect(out).toBe('');
  });
});

describe('all mutations', () => {
  it('are run with the seeds and the first seed that are asked for', async () => {
    const spawned: (readonly string[])[] = [];
    const spawn: CommandEnvironment['spawn'] = (args) => {
      spawned.push(args);
      return { status: 1, stdout: 'Seed 7 breaks a promise of the simulation fake: A step is missing.\n', stderr: '' };
    };
    const { out, status } = await run(['--mutations', '--seeds', '9', '--from', '7'], simulation(KEPT), { spawn });
    expect(status).toBe(0);
    const of = (simulation: string | undefined) => (simulation === undefined ? [] : ['--simulation', simulation]);
    expect(spawned).toEqual(
      MUTATIONS.map(({ name, simulation: s }) => ['--mutation', name, ...of(s), '--seeds', '9', '--from', '7']),
    );
    expect(out).toContain(`${MUTATIONS[0]?.name}: Seed 7 breaks a promise`);
  });

  it('end with 1 where one is not found', async () => {
    const spawn = () => ({ status: 0, stdout: '', stderr: '' });
    const { out, status } = await run(['--mutations'], simulation(KEPT), { spawn });
    expect(status).toBe(1);
    expect(out).toContain(`${MUTATIONS[0]?.name}: not found.`);
  });
});

describe('shrinking', () => {
  /** Breaks a promise where at least one fault happens. */
  const fragile: Simulation = (choices) => {
    const values = Array.from({ length: 30 }, () => choices.choose('fault', 6));
    const violations = values.some((value) => value < 2) ? ['A step is missing.'] : [];
    return Promise.resolve({ ...KEPT, violations });
  };

  it('prints the command of a run with fewer faults, which breaks a promise too', async () => {
    const { out, status } = await run(['--shrink', '--seed', '4', '--simulation', 'fake'], fragile);
    expect(status).toBe(0);
    expect(out).toContain('Seed 4 breaks a promise of the simulation fake with 1 faults: A step is missing.');
    const command = /npm run simulate -- (--seed 4 --simulation fake --faults \d+)$/.exec(out)?.[1] ?? '';
    expect(await run(command.split(' '), fragile)).toMatchObject({
      status: 1,
      out: expect.stringContaining('Seed 4 breaks a promise of the simulation fake: A step is missing.'),
    });
  });

  it('ends with 1 where the seed keeps every promise', async () => {
    const { out, status } = await run(['--shrink', '--seed', '4', '--simulation', 'fake'], simulation(KEPT));
    expect(status).toBe(1);
    expect(out).toBe('Seed 4 keeps every promise of the simulation fake.');
  });
});
