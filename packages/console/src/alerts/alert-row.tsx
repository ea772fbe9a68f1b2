import type { JSX, MouseEvent } from 'react';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { agoText, lengthText } from '../ui/time.ts';
import { stateText } from './alert-state.ts';
import styles from './alerts.module.css';
import type { ListedAlert } from './queries.ts';
import type { Row } from './rows.ts';

interface AlertRowProps {
  readonly row: Row<ListedAlert>;
  readonly index: number;
  readonly top: number;
  readonly now: number;
  readonly isSelected: boolean;
  readonly onChoose: (event: MouseEvent) => void;
}

/** One alert of the list, in 15 nodes at most: the browser has some dozens of them at a time. */
export function AlertRow({ index, isSelected, now, onChoose, row, top }: AlertRowProps): JSX.Element {
  const { alert, hasLeft } = row;
  return (
    <div
      role="row"
      // The first row is the heading.
      aria-rowindex={index + 2}
      data-index={index}
      className={[styles['row'], isSelected && styles['selected'], hasLeft && styles['left']].filter(Boolean).join(' ')}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell" className={styles['choice']}>
        <input
          type="checkbox"
          aria-label={`Select ${alert.message}`}
          checked={isSelected}
          onClick={onChoose}
          readOnly
        />
      </span>
      <span role="cell" className={styles['priority']} data-priority={alert.priority}>
        {alert.priority}
      </span>
      <span role="cell" className={styles['message']}>
        <PageLink to={paths.alert(alert.id)}>{alert.message}</PageLink>
      </span>
      <span role="cell" className={styles['state']}>
        {hasLeft ? 'no longer in this search' : stateText(alert, now)}
        {alert.readAt !== undefined && <small>read {agoText(alert.readAt, now)}</small>}
      </span>
      <span role="cell" className={styles['age']}>
        {lengthText(now - Date.parse(alert.createdAt))}
      </span>
      <span role="cell" className={styles['owner']}>
        {alert.owner === '' ? '–' : alert.owner}
      </span>
      <span role="cell" className={styles['count']}>
        {alert.count} ×
      </span>
    </div>
  );
}
