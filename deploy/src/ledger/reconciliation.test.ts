import { describe, expect, test } from '@jest/globals';
import { reconciliationText, missingOf, type Reconciliation } from './reconciliation.ts';
import { readCommand } from './command-line.ts';

const NOW = new Date('2026-03-02T08:00:00Z');
const since = new Date('2026-03-02T07:00:00Z');
const balanced: Reconciliation = {
  commands: {
    accepted: 1_204,
    unacknowledged: 3,
    lost: 0,
    waiting: 0,
    settledSince: 1_210,
    reportedAt: NOW.toISOString(),
  },
  flows: { runs: 12, overdue: 0 },
  messages: { waiting: 7, sent: 90, delivered: 4, failed: 1, dropped: 2, heldBack: 0, undelivered: 0 },
};

describe('the ledger', () => {
  test('balance where everything that is owed is done, whatever failed for a reason', () => {
    expect(missingOf(balanced)).toBe(0);
    const text = reconciliationText(balanced, since);
    expect(text.at(-1)).toBe('The ledger balances.');
    expect(text[0]).toMatch(/^accepted +1204 {2}commands answered 202/);
  });

  test.each([
    ['a command that is lost', { ...balanced, commands: { ...balanced.commands, lost: 2 } }, 2],
    ['a command that waits', { ...balanced, commands: { ...balanced.commands, waiting: 1 } }, 1],
    ['a run that is overdue', { ...balanced, flows: { runs: 12, overdue: 4 } }, 4],
    ['a message that no process sends', { ...balanced, messages: { ...balanced.messages, undelivered: 1 } }, 1],
  ])('does not balance with %s', (_, reconciliation, missing) => {
    expect(missingOf(reconciliation)).toBe(missing);
    expect(reconciliationText(reconciliation, since).at(-1)).toBe(`The ledger does not balance: ${missing} missing.`);
  });
});

describe('npm run ledger --', () => {
  test('counts from an hour ago, or from `--since`', () => {
    const sinceOf = (...args: string[]) => readCommand(args, NOW);
    expect(sinceOf()).toEqual({ command: { kind: 'reconcile', since, json: false } });
    expect(sinceOf('--since', '2d', '--json')).toEqual({
      command: { kind: 'reconcile', since: new Date('2026-02-28T08:00:00Z'), json: true },
    });
    expect(sinceOf('--since', '2026-03-01T00:00:00Z')).toMatchObject({
      command: { since: new Date('2026-03-01T00:00:00Z') },
    });
    expect(sinceOf('--help')).toEqual({ command: { kind: 'help' } });
    expect(sinceOf('help')).toEqual({ command: { kind: 'help' } });
  });

  test.each([[['--since', 'yesterday']], [['--since', '2027-01-01']], [['--until', '1h']], [['balance']]])(
    'does not understand %j',
    (args) => {
      expect(readCommand(args, NOW)).toHaveProperty('problem');
    },
  );
});
