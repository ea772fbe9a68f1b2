import { describe, expect, it } from '@jest/globals';
import { addNote, byAlias, byId, close, create, order } from '../testing/commands-samples.ts';
import { EVERYTHING } from '../testing/open-storage.ts';
import { useStorage } from '../testing/mongo-fixture.ts';
import { lateEntries, removeAll } from '../testing/retention-samples.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 5, 8, minute));
const NOW = new Date('2027-06-01T00:00:00.000Z');
const open = useStorage();
describe('documents that are kept for a limited time', () => {
  const history = { order: 'asc', after: undefined, limit: 10 } as const;

  it('removes alerts that were closed by then, with notes and log; later ones and open ones stay', async () => {
    const { reader, retained, apply } = await open();
    const [old, later, still] = [create('old', { note: 'n' }), create('later', { note: 'n' }), create('open')];
    await apply(old, later, still, addNote(byAlias('old'), 'second'));
    await apply(close(byAlias('old'), { at: at(5).toISOString() }));
    await apply(close(byAlias('later'), { at: at(6).toISOString() }));
    expect(await retained.oldest('alerts')).toEqual(at(5));
    expect(await removeAll(retained, 'alerts', new Date(at(5).getTime() - 1))).toBe(0);
    expect(await removeAll(retained, 'alerts', at(5))).toBe(1);
    expect(await reader.find(byId(old.alert.alertId))).toBeUndefined();
    expect(await reader.logs({ ...history, alertId: old.alert.alertId })).toEqual([]);
    expect(await reader.notes({ ...history, alertId: old.alert.alertId })).toEqual([]);
    expect(await reader.notes({ ...history, alertId: later.alert.alertId })).toHaveLength(1);
    expect(await retained.oldest('alerts')).toEqual(at(6));
    expect(await removeAll(retained, 'alerts', NOW)).toBe(1);
    expect(await retained.oldest('alerts')).toBeUndefined();
    expect(await reader.find(byAlias('open'))).toMatchObject({ id: still.alert.alertId });
    expect(await reader.count(EVERYTHING, 10)).toBe(1);
  });

  it('removes statuses that were processed by then', async () => {
    const { retained, apply, statuses } = await open();
    const command = create('disk');
    await apply(command);
    const processedAt = (await statuses.find([command.requestId]))[0]?.processedAt ?? NOW;
    expect(await retained.oldest('statuses')).toEqual(processedAt);
    expect(await removeAll(retained, 'statuses', new Date(processedAt.getTime() - 1))).toBe(0);
    expect(await removeAll(retained, 'statuses', processedAt)).toBe(1);
    expect(await statuses.find([command.requestId])).toEqual([]);
    expect(await retained.oldest('statuses')).toBeUndefined();
  });

  it('stores no decision about an alert that was deleted or expired, until its removal is forgotten', async () => {
    const { decisionLog, reader, retained, apply } = await open();
    const [deleted, expired, kept] = [create('deleted'), create('expired'), create('kept')];
    await apply(deleted, expired, kept, order(byAlias('deleted'), { kind: 'delete' }), close(byAlias('expired')));
    await apply(order(byId(deleted.alert.alertId), { kind: 'delete' }));
    await removeAll(retained, 'alerts', NOW);
    const ids = [deleted, expired, kept].map(({ alert }) => alert.alertId);
    await decisionLog.append(ids.flatMap(lateEntries));
    const entries = await Promise.all(ids.map((alertId) => reader.logs({ ...history, alertId })));
    expect(entries.map(({ length }) => length)).toEqual([0, 0, 2]);
    expect(await retained.oldest('removals')).toBeDefined();
    expect(await removeAll(retained, 'removals', NOW)).toBeGreaterThan(0);
    expect(await retained.oldest('removals')).toBeUndefined();
  });
});
