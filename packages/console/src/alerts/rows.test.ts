import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasSelected, heldRows, idsBetween, hasGap, mergeAlerts, waitingText } from './rows.ts';

const at = (second: number, note = '') => ({
  id: `alert-${second}`,
  createdAt: new Date(second * 1_000).toISOString(),
  note,
});
const ids = (alerts: readonly { readonly id: string }[]) => alerts.map(({ id }) => id);

describe('the alerts of a search', () => {
  test('The newest are as they are now, and older ones as they were read.', () => {
    const merged = mergeAlerts([at(9, 'now'), at(8, 'now')], [at(8, 'before'), at(7, 'before')], true);

    expect(merged).toEqual([at(9, 'now'), at(8, 'now'), at(7, 'before')]);
  });

  test('An alert that left the search is not shown as it was before.', () => {
    expect(ids(mergeAlerts([at(9), at(7)], [at(9), at(8), at(7), at(6)], true))).toEqual([
      'alert-9',
      'alert-7',
      'alert-6',
    ]);
  });

  test('No alert is listed twice, whatever was read when.', () => {
    const alerts = fc.array(
      fc.integer({ min: 0, max: 20 }).map((second) => at(second)),
      { maxLength: 20 },
    );
    const sorted = alerts.map((all) => all.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)));
    const newest = sorted.map((all) => all.filter((each, index) => each.id !== all[index - 1]?.id));
    fc.assert(
      fc.property(newest, sorted, (first, earlier) => {
        const merged = ids(mergeAlerts(first, earlier, true));

        expect(merged).toEqual([...new Set(merged)]);
      }),
    );
  });

  test('Alerts can be missing where the newest do not reach down to those that were read before.', () => {
    const earlier = [at(5), at(4), at(3)];

    expect(hasGap([at(9), at(8)], earlier, true)).toBe(true);
    expect(hasGap([at(9), at(5)], earlier, true)).toBe(false);
    // The last of the newest has left the search that was read before, or came back to it.
    expect(hasGap([at(9), at(3.5)], earlier, true)).toBe(false);
    expect(hasGap([at(9), at(8)], earlier, false)).toBe(false);
    expect(hasGap([at(9), at(8)], [], true)).toBe(false);
  });

  test('Where the newest are all, nothing that was read before is shown.', () => {
    expect(ids(mergeAlerts([at(9)], [at(9), at(8)], false))).toEqual(['alert-9']);
    expect(mergeAlerts([], [at(8)], false)).toEqual([]);
  });
});

describe('alerts of one instant', () => {
  const same = (id: string) => ({ id, createdAt: new Date(0).toISOString() });

  test('They have the order of the server, also where the list is read on.', () => {
    const merged = mergeAlerts([same('d'), same('c')], [same('d'), same('c'), same('b'), same('a')], true);

    expect(ids(merged)).toEqual(['d', 'c', 'b', 'a']);
  });

  test('In a list that is held those that came later wait, and those that were read for scrolling follow.', () => {
    const { rows, waiting } = heldRows([same('c'), same('b')], [same('d'), same('c'), same('b'), same('a')]);

    expect(ids(rows.map(({ alert }) => alert))).toEqual(['c', 'b', 'a']);
    expect(ids(waiting)).toEqual(['d']);
  });
});

describe('a list that is held', () => {
  test('New alerts wait, known ones show their present state, and those that left say so.', () => {
    const { rows, waiting } = heldRows([at(5), at(4), at(3)], [at(7), at(5, 'acknowledged'), at(3)]);

    expect(rows).toEqual([
      { alert: at(5, 'acknowledged'), hasLeft: false },
      { alert: at(4), hasLeft: true },
      { alert: at(3), hasLeft: false },
    ]);
    expect(ids(waiting)).toEqual(['alert-7']);
  });

  test('Older alerts that were read for scrolling follow at its end.', () => {
    const { rows, waiting } = heldRows([at(5), at(4)], [at(5), at(4), at(2), at(1)]);

    expect(ids(rows.map(({ alert }) => alert))).toEqual(['alert-5', 'alert-4', 'alert-2', 'alert-1']);
    expect(waiting).toEqual([]);
  });

  test('It never moves or drops a row, and every alert of the search is shown or waits, once.', () => {
    const alerts = fc
      .uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 20 })
      .map((seconds) => seconds.toSorted((one, other) => other - one).map((second) => at(second)));
    fc.assert(
      fc.property(alerts, alerts, (held, latest) => {
        const { rows, waiting } = heldRows(held, latest);
        const shown = ids(rows.map(({ alert }) => alert));

        expect(shown.slice(0, held.length)).toEqual(ids(held));
        expect([...shown, ...ids(waiting)].toSorted()).toEqual([...new Set([...ids(held), ...ids(latest)])].toSorted());
      }),
    );
  });

  test('It is held for a selected row, also one that has left the search, until new alerts are shown without it.', () => {
    const selected = new Set(['alert-4']);
    const latest = [at(6), at(5)];

    expect(hasSelected(heldRows([at(5), at(4)], latest).rows, selected)).toBe(true);
    expect(hasSelected(heldRows(latest, latest).rows, selected)).toBe(false);
  });

  test('The alerts that wait are counted, with those of the highest priority.', () => {
    expect(waitingText([{ priority: 'P3' }, { priority: 'P1' }, { priority: 'P2' }])).toBe('3 new (1 P1)');
    expect(waitingText([{ priority: 'P3' }])).toBe('1 new');
  });
});

describe('a range of rows', () => {
  test('It has both ends, in either order.', () => {
    expect(idsBetween(['a', 'b', 'c', 'd'], 'b', 'd')).toEqual(['b', 'c', 'd']);
    expect(idsBetween(['a', 'b', 'c', 'd'], 'd', 'b')).toEqual(['b', 'c', 'd']);
  });

  test('Where its beginning is not in the list any more, it is the row alone.', () => {
    expect(idsBetween(['a', 'b'], 'gone', 'b')).toEqual(['b']);
  });
});
