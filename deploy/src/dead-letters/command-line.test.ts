import { describe, expect, test } from '@jest/globals';
import { readCommand } from './command-line.ts';

const NOW = new Date('2026-03-02T08:00:00Z');
const read = (...args: string[]) => readCommand(args, NOW);
const ANY = { topic: undefined, group: undefined, since: undefined };
const LIST = { kind: 'list', selection: ANY, limit: 50, page: 1, json: false };

describe('the command line of dead letters', () => {
  test('lists the newest 50 when nothing is said', () => {
    expect(read()).toEqual({ command: LIST });
    expect(read('list')).toEqual({ command: LIST });
  });

  test('takes every option of a list', () => {
    const args = ['list', '--topic', 'pages.v1', '--group=notifier', '--since', '12h', '--limit', '10', '--page', '3'];
    expect(read(...args, '--json')).toEqual({
      command: {
        kind: 'list',
        limit: 10,
        page: 3,
        json: true,
        selection: { topic: 'pages.v1', group: 'notifier', since: new Date('2026-03-01T20:00:00Z') },
      },
    });
  });

  test.each([
    ['90m', '2026-03-02T06:30:00.000Z'],
    ['7d', '2026-02-23T08:00:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
  ])('reads --since %s', (since, instant) => {
    expect(read('list', '--since', since)).toMatchObject({ command: { selection: { since: new Date(instant) } } });
  });

  test('shows one letter', () => {
    expect(read('show', 'pages.v1/0/7')).toEqual({ command: { kind: 'show', address: 'pages.v1/0/7', json: false } });
  });

  test('redrives letters, each once, or all of a selection', () => {
    const asked = { kind: 'redrive', selection: ANY, again: false, yes: false };
    expect(read('redrive', 'a.v1/0/7', 'b.v1/1/0', 'a.v1/0/7')).toEqual({
      command: { ...asked, addresses: ['a.v1/0/7', 'b.v1/1/0'] },
    });
    expect(read('redrive', '--all', '--topic', 'a.v1', '--again', '--yes')).toEqual({
      command: { ...asked, addresses: undefined, selection: { ...ANY, topic: 'a.v1' }, again: true, yes: true },
    });
  });

  test.each([[['help']], [['--help']], [['redrive', '--help']]])('helps: %j', (args) => {
    expect(read(...args)).toEqual({ command: { kind: 'help' } });
  });

  test.each([
    [['remove'], 'no command remove'],
    [['list', 'pages.v1/0/7'], 'list takes no pages.v1/0/7'],
    [['list', '--yes'], 'list has no option --yes'],
    [['list', '--colour'], '--colour'],
    [['list', '--limit', '0'], '--limit should be'],
    [['list', '--limit', '1001'], '--limit should be'],
    [['list', '--page', 'two'], '--page should be'],
    [['list', '--since', 'yesterday'], '--since should be'],
    [['list', '--since', '2026-13-01'], '--since should be'],
    [['show'], 'show takes one letter'],
    [['show', 'a.v1/0/7', 'a.v1/0/8'], 'show takes one letter'],
    [['show', 'a.v1/7'], 'a.v1/7 names no letter'],
    [['redrive'], 'Say which letters'],
    [['redrive', '--all', 'a.v1/0/7'], 'Either --all or letters'],
    [['redrive', 'a.v1/0/x'], 'names no letter'],
    [['redrive', 'a.v1/0/7', '--topic', 'a.v1'], '--topic goes with --all'],
  ])('says what is wrong with %j', (args, problem) => {
    expect(read(...args)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
