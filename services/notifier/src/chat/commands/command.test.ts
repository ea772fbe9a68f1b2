import { describe, expect, it } from '@jest/globals';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { type Command, readCommand } from './command.ts';

const HOUR_MS = 3_600_000;
const WORDS = ['who', 'list', 'alert', 'ack', 'close', 'snooze', 'note', 'help', ''];
const change = (tinyIds: readonly string[], fields: object): object => ({ kind: 'change', tinyIds, change: fields });

describe('a command', () => {
  it.each<[string, object]>([
    ['list', { kind: 'list' }],
    ['  LIST ', { kind: 'list' }],
    ['who', { kind: 'who' }],
    ['who Database on call', { kind: 'who', schedule: 'Database on call' }],
    ['ack 12', change(['12'], { action: 'acknowledge' })],
    ['Acknowledge #12, #013 12', change(['12', '13'], { action: 'acknowledge' })],
    ['close 12,13', change(['12', '13'], { action: 'close' })],
    ['snooze 12', change(['12'], { action: 'snooze', lengthMs: HOUR_MS })],
    ['snooze 12 13 for 2h', change(['12', '13'], { action: 'snooze', lengthMs: 2 * HOUR_MS })],
    ['snooze 12 for 90 Minutes', change(['12'], { action: 'snooze', lengthMs: 1.5 * HOUR_MS })],
    ['snooze 12 7d', change(['12'], { action: 'snooze', lengthMs: 168 * HOUR_MS })],
    ['note 12 3 disks failed,\nagain', change(['12'], { action: 'note', note: '3 disks failed,\nagain' })],
    ['note 12, 13 both', change(['12', '13'], { action: 'note', note: 'both' })],
    [
      'alert "Disk is "full" for good" for Database',
      { kind: 'alert', message: 'Disk is "full" for good', team: 'Database' },
    ],
    ['alert “Disk full” FOR Web shop', { kind: 'alert', message: 'Disk full', team: 'Web shop' }],
    ['alert "Gate «B» is open" for Web', { kind: 'alert', message: 'Gate «B» is open', team: 'Web' }],
    ['', { kind: 'help' }],
    ['help me', { kind: 'help' }],
  ])('%j is read', (text, command) => {
    expect(readCommand(text)).toEqual(command);
  });

  it.each([
    ['acknowledged 12', 'no command [acknowledged]'],
    ['constructor 12', 'no command [constructor]'],
    ['list open', 'list takes nothing more'],
    ['ack', 'lacks the number of an alert'],
    ['ack twelve', '[twelve] is no number'],
    ['close 12 for 2h', '[for 2h] is no number'],
    ['ack 0', '[0] is no number'],
    ['ack 1234567890123456', 'is no number'],
    ['ack 1 2 3 4 5 6 7 8 9 10 11', 'at most 10 alerts'],
    ['snooze for 2h', 'lacks the number of an alert'],
    ['snooze 12 for 8d', 'from a minute to 7 days'],
    ['snooze 12 for 0m', 'from a minute to 7 days'],
    ['snooze 12 2 h', 'The length of a snooze'],
    ['note 12', 'A note has the number of an alert and a text'],
    ['note 12abc is full', 'A note has the number of an alert and a text'],
    ['note the disk is full', 'A note has the number of an alert and a text'],
    ['alert Disk full for Database', 'in quotation marks and a team'],
    ['alert "Disk full" Database', 'in quotation marks and a team'],
    ['alert "Disk full" for ', 'in quotation marks and a team'],
    ['alert " " for Database', 'in quotation marks and a team'],
    ['alert "', 'in quotation marks and a team'],
    [`who ${'x'.repeat(201)}`, 'A name has at most 200 characters'],
    [`note 12 ${'x'.repeat(4_000)}`, 'A command has at most 4000 characters'],
  ])('%j says what is wrong with it', (text, problem) => {
    expect(readCommand(text)).toMatchObject({ kind: 'help', problem: expect.stringContaining(problem) });
  });

  it('never throws, and requests no more than its bounds allow', () => {
    const anyText = fc.string({ unit: anyCodePoint, maxLength: 300 });
    const likeCommands = fc
      .tuple(
        fc.constantFrom(...WORDS),
        fc.array(fc.oneof(anyText, fc.nat().map(String), fc.constantFrom('"', 'for', ','))),
      )
      .map(([word, rest]) => `${word} ${rest.join(' ')}`);
    fc.assert(
      fc.property(fc.oneof(anyText, likeCommands), (text) => {
        expectBounded(readCommand(text));
      }),
    );
  });

  it('of an action names each alert once, in its order', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('ack', 'close', 'snooze'),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 10 }),
        fc.constantFrom(' ', ',', ' , #'),
        (word, ids, between) => {
          const command = readCommand(`${word} ${ids.join(between)}`);
          expect(command).toMatchObject({ kind: 'change', tinyIds: [...new Set(ids.map(String))] });
        },
      ),
    );
  });
});

function expectBounded(command: Command): void {
  if (command.kind === 'help') expect((command.problem ?? '').length).toBeLessThan(300);
  if (command.kind === 'alert') {
    expect(command.message).not.toBe('');
    expect(command.team.length).toBeLessThanOrEqual(200);
  }
  if (command.kind !== 'change') return;
  const { change: asked, tinyIds } = command;
  expect(tinyIds.length).toBeGreaterThan(0);
  expect(tinyIds.length).toBeLessThanOrEqual(10);
  for (const id of tinyIds) expect(id).toMatch(/^[1-9]\d{0,14}$/);
  expect(asked.action === 'note').toBe(asked.note !== undefined && asked.note !== '');
  if (asked.lengthMs !== undefined) expect(asked.lengthMs).toBeLessThanOrEqual(168 * HOUR_MS);
}
