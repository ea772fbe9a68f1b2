import { describe, expect, it } from '@jest/globals';
import { atStart, newSwitch, overruling, switched, withImportedKeys, leavingImportedKeys } from './shadow-switch.ts';

const now = new Date('2026-01-02T00:00:00Z');
const created = newSwitch(new Date('2026-01-01T00:00:00Z'));
const by = { at: now, by: 'ada@example.com', newId: () => 'period-1' };
const on = switched(created, { ...by, enabled: true });

describe('switched', () => {
  it('begins a period with an id of its own, and ends it by a state that names it', () => {
    expect(on).toMatchObject({ enabled: true, periodId: 'period-1', changedBy: 'ada@example.com', version: { n: 2 } });
    const off = switched(on, { ...by, enabled: false, newId: () => 'unused' });
    expect(off).toMatchObject({ enabled: false, periodId: 'period-1', version: { n: 3 } });
  });

  it('changes nothing where the switch is so already', () => {
    expect(switched(on, { ...by, enabled: true })).toBe(on);
    expect(switched(created, { ...by, enabled: false })).toBe(created);
  });
});

describe('requests with imported keys (M8)', () => {
  const here = withImportedKeys(created);

  it('are handled here after a confirmed end, and are left before the next begin', () => {
    expect(here).toMatchObject({ enabled: false, importedKeys: 'here', version: { n: 2 } });
    expect(withImportedKeys(here)).toBe(here);
    const leaving = leavingImportedKeys(here);
    expect(leaving).toMatchObject({ enabled: false, importedKeys: 'leaving', version: { n: 3 } });
    expect(leavingImportedKeys(leaving)).toBe(leaving);
    expect(switched(leaving, { ...by, enabled: true })).not.toHaveProperty('importedKeys');
  });

  it('are forwarded where notifier keeps another state, and after a start without a topic', () => {
    const kept = { enabled: true, periodId: 'lost', version: { epoch: 0, n: 1 }, isEffective: false };
    expect(overruling(here, kept)).not.toHaveProperty('importedKeys');
    const started = atStart(here, undefined, now);
    expect([started.importedKeys, started.version.n]).toEqual([undefined, here.version.n + 1]);
  });

  it('are handled where the topic says after a restore', () => {
    const state = { enabled: false, changedAt: now.toISOString(), importedKeys: 'here' as const };
    const published = { state, version: { epoch: created.version.epoch, n: 7 } };
    expect(atStart(created, published, now).importedKeys).toBe('here');
    const forwarded = { enabled: true, changedAt: now.toISOString() };
    expect(atStart(here, { ...published, state: forwarded }, now)).not.toHaveProperty('importedKeys');
    expect(atStart(here, { state, version: here.version }, now)).toBe(here);
  });
});

describe('atStart (M3)', () => {
  const state = { enabled: true, periodId: 'period-1', changedAt: now.toISOString() };
  const { epoch } = created.version;

  it('is off in a new account', () => {
    expect(atStart(undefined, undefined, now)).toMatchObject({ enabled: false, changedAt: now });
  });

  it('is as the topic says where the database is older or has none, with a version that is newer than both', () => {
    const published = { state, version: { epoch, n: 7 } };
    const expected = { enabled: true, periodId: 'period-1', version: { epoch: epoch + 1, n: 1 } };
    expect(atStart(created, published, now)).toMatchObject(expected);
    expect(atStart(undefined, published, now)).toMatchObject(expected);
  });

  it('is as the database says where the topic has the same or less', () => {
    expect(atStart(on, { state: { ...state, enabled: false }, version: created.version }, now)).toBe(on);
    expect(atStart(on, undefined, now)).toBe(on);
  });
});

describe('overruling', () => {
  it('ends the period that notifier keeps, by a newer version', () => {
    const kept = {
      enabled: true,
      periodId: 'lost',
      version: { epoch: created.version.epoch + 5, n: 3 },
      isEffective: true,
    };
    expect(overruling(created, kept)).toMatchObject({
      enabled: false,
      periodId: 'lost',
      version: { epoch: created.version.epoch + 6, n: 1 },
    });
    expect(overruling(on, { ...kept, version: { epoch: 0, n: 1 } })).toMatchObject({
      periodId: 'period-1',
      version: { epoch: created.version.epoch, n: 3 },
    });
  });
});
