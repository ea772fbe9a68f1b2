import { describe, expect, it } from '@jest/globals';
import { readCommand } from './command-line.ts';

const FAULTS = ['broker-killed', 'primary-frozen', 'mail-cut'];
const read = (...args: readonly string[]) => readCommand(args, FAULTS, 'usual.md');

describe('the arguments of the failure suite', () => {
  it('are all faults, five alerts a second and the usual report where there are none', () => {
    expect(read()).toEqual({ command: { kind: 'run', faults: FAULTS, rate: 5, report: 'usual.md' } });
  });

  it('are faults in the order of the user, a rate and a file', () => {
    expect(read('mail-cut', 'broker-killed', '--rate', '12.5', '--report', 'mine.md')).toEqual({
      command: { kind: 'run', faults: ['mail-cut', 'broker-killed'], rate: 12.5, report: 'mine.md' },
    });
  });

  it.each([
    ['--help', 'help'],
    ['-h', 'help'],
    ['--list', 'list'],
  ])('%s starts nothing', (arg, kind) => {
    expect(read(arg, 'broker-killed')).toEqual({ command: { kind } });
  });

  it.each([
    [['broker-drowned'], 'There is no fault broker-drowned.'],
    [['mail-cut', 'mail-cut'], 'Each fault should be named once.'],
    [['--rate', '0'], '--rate should be a number from 1 to 50.'],
    [['--rate', 'fast'], '--rate should be a number from 1 to 50.'],
    [['--rate', '51'], '--rate should be a number from 1 to 50.'],
    [['--report', ''], '--report should be the name of a file.'],
    [['--fast'], "Unknown option '--fast'"],
  ])('%j is a problem that is explained', (args, problem) => {
    expect(read(...args)).toEqual({ problem: expect.stringContaining(problem) as unknown });
  });
});
