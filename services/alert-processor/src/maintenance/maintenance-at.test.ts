import { describe, expect, it } from '@jest/globals';
import type { MaintenanceRule } from '@tocsin/api';
import fc from 'fast-check';
import { aMaintenance, disabledIntegration, policyRule } from '../testing/maintenance-samples.ts';
import { type Maintenance, maintenanceAt } from './maintenance.ts';

const START = new Date('2026-03-02T08:00:00.000Z');
const END = new Date('2026-03-02T09:00:00.000Z');
const at = (instant: Date, byMs: number) => new Date(instant.getTime() + byMs);

const window = (id: string, rules: readonly MaintenanceRule[], more: Partial<Maintenance> = {}) =>
  aMaintenance({ id, rules, startsAt: START, endsAt: END, ...more });

describe('maintenanceAt', () => {
  it('silences an integration from the first millisecond of a window and no longer at its end', () => {
    const deploy = window('deploy', [disabledIntegration('web')]);
    const silencing = (instant: Date) => maintenanceAt([deploy], instant).silencing({ id: 'web' })?.id;
    expect([at(START, -1), START, at(END, -1), END].map(silencing)).toEqual([undefined, 'deploy', 'deploy', undefined]);
  });

  it('silences no integration that the window does not name, and no policy of the same id', () => {
    const governing = maintenanceAt([window('deploy', [disabledIntegration('web')])], START);
    expect(governing.silencing({ id: 'mail' })).toBeUndefined();
    expect(governing.ofPolicy({ id: 'web' })).toBeUndefined();
  });

  it('names the window created first if several silence an integration', () => {
    const rules = [disabledIntegration('web')];
    const over = window('over', rules, { endsAt: at(START, 1) });
    const windows = [over, window('first', rules), window('second', rules)];
    expect(maintenanceAt(windows, at(START, 1)).silencing({ id: 'web' })?.id).toBe('first');
  });

  it('ends a window when it is cancelled or deleted, but it stays in force for what was accepted before', () => {
    for (const ended of [{ cancelledAt: at(START, 10) }, { deletedAt: at(START, 10) }]) {
      const windows = [window('deploy', [disabledIntegration('web')], ended)];
      expect(maintenanceAt(windows, at(START, 9)).silencing({ id: 'web' })?.id).toBe('deploy');
      expect(maintenanceAt(windows, at(START, 10)).silencing({ id: 'web' })).toBeUndefined();
    }
  });

  it('keeps a window without an end in force until it is cancelled', () => {
    const windows = [window('deploy', [disabledIntegration('web')], { type: 'indefinitely', endsAt: undefined })];
    expect(maintenanceAt(windows, new Date('9998-12-31T23:59:59Z')).silencing({ id: 'web' })?.id).toBe('deploy');
  });

  it('gives the state of a policy inside a window, and none outside', () => {
    const windows = [window('deploy', [policyRule('nights', 'enabled')])];
    expect(maintenanceAt(windows, START).ofPolicy({ id: 'nights' })).toEqual({
      maintenance: windows[0],
      state: 'enabled',
    });
    expect(maintenanceAt(windows, END).ofPolicy({ id: 'nights' })).toBeUndefined();
  });

  it('lets disabled win if windows, or rules of one window, disagree about a policy', () => {
    const on = window('on', [policyRule('nights', 'enabled')]);
    const off = window('off', [policyRule('nights', 'disabled')]);
    const both = window('both', [policyRule('nights', 'enabled'), policyRule('nights', 'disabled')]);
    const said = (...windows: readonly Maintenance[]) => maintenanceAt(windows, START).ofPolicy({ id: 'nights' });
    expect(said(on, off)).toEqual({ maintenance: off, state: 'disabled' });
    expect(said(off, on)).toEqual({ maintenance: off, state: 'disabled' });
    expect(said(both)).toEqual({ maintenance: both, state: 'disabled' });
  });

  it('applies a window of a team only to what the team owns, and one of the account to everything', () => {
    const rules = [disabledIntegration('web'), policyRule('nights', 'disabled')];
    const counts = (teamId: string | undefined, ownerTeamId: string | undefined) => {
      const governing = maintenanceAt([window('deploy', rules, { teamId })], START);
      return [governing.silencing({ id: 'web', ownerTeamId }), governing.ofPolicy({ id: 'nights', ownerTeamId })].map(
        (found) => found !== undefined,
      );
    };
    expect(counts('ops', 'ops')).toEqual([true, true]);
    expect(counts('ops', 'red')).toEqual([false, false]);
    expect(counts('ops', undefined)).toEqual([false, false]);
    expect(counts(undefined, 'red')).toEqual([true, true]);
  });

  it('skips the window of a team that no longer owns the thing', () => {
    const rules = [disabledIntegration('web')];
    const windows = [window('lost', rules, { teamId: 'ops' }), window('own', rules, { teamId: 'red' })];
    expect(maintenanceAt(windows, START).silencing({ id: 'web', ownerTeamId: 'red' })?.id).toBe('own');
  });

  const isInForce = ({ startsAt, endsAt, cancelledAt, deletedAt }: Maintenance, instant: Date) =>
    startsAt <= instant && [endsAt, cancelledAt, deletedAt].every((end) => end === undefined || instant < end);

  it('agrees with a search through all windows, whatever they are', () => {
    const instant = fc.integer({ min: 0, max: 8 }).map((hours) => at(START, hours * 3_600_000));
    const maybe = fc.option(instant, { nil: undefined });
    const ids = fc.constantFrom('web', 'mail');
    const rule = fc.oneof(
      ids.map(disabledIntegration),
      fc.tuple(ids, fc.constantFrom('enabled' as const, 'disabled' as const)).map((args) => policyRule(...args)),
    );
    const windows = fc.array(
      fc.record({
        startsAt: instant,
        endsAt: maybe,
        cancelledAt: maybe,
        deletedAt: maybe,
        rules: fc.array(rule, { maxLength: 3 }),
      }),
    );
    fc.assert(
      fc.property(windows, instant, ids, (parts, asked, id) => {
        const all = parts.map((part, index) => aMaintenance({ id: String(index), ...part }));
        const naming = (type: string, states: readonly string[]) =>
          all.find(
            (one) =>
              isInForce(one, asked) &&
              one.rules.some(({ entity, state }) => entity.type === type && entity.id === id && states.includes(state)),
          );
        const governing = maintenanceAt(all, asked);
        expect(governing.silencing({ id })).toBe(naming('integration', ['disabled']));
        const off = naming('policy', ['disabled']);
        expect(governing.ofPolicy({ id })?.maintenance).toBe(off ?? naming('policy', ['enabled']));
      }),
    );
  });
});
