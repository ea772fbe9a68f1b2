import { describe, expect, it } from '@jest/globals';
import { readBackupCommand, readRestoreCommand } from './command-line.ts';

describe('npm run backup', () => {
  it('reads the folder, and how often changes are archived', () => {
    expect(readBackupCommand(['monday'])).toEqual({
      command: { kind: 'backup', folder: 'monday', follows: false, everyMs: 5_000 },
    });
    expect(readBackupCommand(['monday', '--follow', '--every', '30'])).toEqual({
      command: { kind: 'backup', folder: 'monday', follows: true, everyMs: 30_000 },
    });
    expect(readBackupCommand(['--help'])).toEqual({ command: { kind: 'help' } });
  });

  it.each([
    [[], 'Name the folder'],
    [['monday', 'tuesday'], 'There is one folder'],
    [['monday', '--every', '5'], 'only for --follow'],
    [['monday', '--follow', '--every', '0'], '1 to 3600'],
    [['monday', '--follow', '--every', '1h'], '1 to 3600'],
    [['monday', '--follows'], '--follows'],
  ])('refuses %j: %s', (args, problem) => {
    expect(readBackupCommand(args)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

describe('npm run restore', () => {
  it('reads the folder, the instant and what it may do', () => {
    expect(readRestoreCommand(['monday'])).toEqual({
      command: { kind: 'restore', folder: 'monday', at: undefined, replaces: false, onlyChecks: false },
    });
    expect(readRestoreCommand(['monday', '--at', '2026-03-02T09:00+01:00', '--replace', '--check'])).toEqual({
      command: {
        kind: 'restore',
        folder: 'monday',
        at: new Date('2026-03-02T08:00:00Z'),
        replaces: true,
        onlyChecks: true,
      },
    });
  });

  it('refuses to restore one service apart, and says why', () => {
    expect(readRestoreCommand(['monday', '--only', 'notifier'])).toEqual({
      problem: expect.stringMatching(/its positions on Kafka .* the services would disagree about which .* pages/),
    });
  });

  it.each([
    [[], 'Name the folder'],
    [['monday', '--at', '2026-03-02'], 'an instant with its zone'],
    [['monday', '--at', '2026-03-02T08:00:00'], 'an instant with its zone'],
    [['monday', '--at', '2026-13-02T08:00:00Z'], 'an instant with its zone'],
    [['monday', '--force'], '--force'],
  ])('refuses %j: %s', (args, problem) => {
    expect(readRestoreCommand(args)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
