import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type JSX, type MouseEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useNow } from '../ui/use-now.ts';
import { AlertRow } from './alert-row.tsx';
import styles from './alerts.module.css';
import type { ListedAlert } from './queries.ts';
import { idsBetween, type Row } from './rows.ts';
import { useRowKeys } from './use-row-keys.ts';

interface AlertTableProps {
  readonly rows: readonly Row<ListedAlert>[];
  /** How many alerts the search has, of which `rows` are the newest. */
  readonly total: number;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  /** Called when the end of the rows comes near. */
  readonly onEnd: () => void;
}

const NARROW = window.matchMedia('(max-width: 40rem)');
const watchNarrow = (watch: () => void) => {
  NARROW.addEventListener('change', watch);
  return () => {
    NARROW.removeEventListener('change', watch);
  };
};

/** Heights of a row in `alerts.module.css`, in rem. */
const ROW_REM = { wide: 3, narrow: 5.5 };
const NEAR_END = 20;
const AGE_EVERY_MS = 10_000;

/** A list of any length, of which the rows near the window exist. */
export function AlertTable({ onEnd, onSelect, rows, selected, total }: AlertTableProps): JSX.Element {
  const table = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const isNarrow = useSyncExternalStore(watchNarrow, () => NARROW.matches);
  const now = useNow(AGE_EVERY_MS);
  const lastChosen = useRef<string>(undefined);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const height = rem * (isNarrow ? ROW_REM.narrow : ROW_REM.wide);
  const virtual = useWindowVirtualizer({ count: rows.length, estimateSize: () => height, overscan: 8, scrollMargin });
  useLayoutEffect(() => {
    setScrollMargin((table.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, [rows.length]);
  useLayoutEffect(() => {
    virtual.measure();
  }, [virtual, height]);
  const ids = rows.map(({ alert }) => alert.id);
  const choose = (id: string, isRange: boolean) => {
    const isChosen = !selected.has(id);
    const changed = new Set(isRange ? idsBetween(ids, lastChosen.current ?? id, id) : [id]);
    lastChosen.current = id;
    onSelect(isChosen ? selected.union(changed) : selected.difference(changed));
  };
  useRowKeys({
    count: rows.length,
    onShow: (index) => {
      virtual.scrollToIndex(index);
    },
    onChoose: (index) => {
      const id = ids[index];
      if (id !== undefined) choose(id, false);
    },
  });
  const shown = virtual.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useLayoutEffect(() => {
    if (lastShown >= rows.length - NEAR_END) onEnd();
  }, [lastShown, rows.length, onEnd]);
  const areAll = ids.every((id) => selected.has(id));
  return (
    <div role="table" aria-label="Alerts" aria-rowcount={total + 1} className={styles['table']} ref={table}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={styles['head']}>
          <span role="columnheader">
            <input
              type="checkbox"
              aria-label={`Select the ${rows.length} alerts of this list`}
              checked={areAll}
              onChange={() => {
                onSelect(areAll ? new Set() : new Set(ids));
              }}
            />
          </span>
          {HEADINGS.map((heading) => (
            <span key={heading} role="columnheader">
              {heading}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles['rows']} style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return undefined;
          return (
            <AlertRow
              key={row.alert.id}
              row={row}
              index={index}
              top={start - scrollMargin}
              now={now}
              isSelected={selected.has(row.alert.id)}
              onChoose={(event: MouseEvent) => {
                choose(row.alert.id, event.shiftKey);
              }}
            />
          );
        })}
      </div>
    </div>
  );
}

const HEADINGS = ['Priority', 'Message', 'State', 'Age', 'Owner', 'Count'];
