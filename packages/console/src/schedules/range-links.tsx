import type { JSX } from 'react';
import { PageLink, useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { TextField } from '../ui/text-field.tsx';
import { moved, type Range, RANGES } from './range.ts';
import styles from './schedules.module.css';
import { type CalendarDate, midnightOf } from './zone.ts';

interface RangeLinksProps {
  readonly id: string;
  readonly range: Range;
  readonly date: CalendarDate;
  readonly today: CalendarDate;
}

/** How much of the schedule is shown, and from which day on. */
export function RangeLinks({ date, id, range, today }: RangeLinksProps): JSX.Element {
  const go = useGo();
  const to = (from: CalendarDate, { key }: Range = range) =>
    paths.schedule(id, { range: key, ...(from !== today && { from }) });
  return (
    <nav aria-label="Range" className={styles['ranges']}>
      <ul>
        {RANGES.map((each) => (
          <li key={each.key}>
            <PageLink to={to(date, each)} aria-current={each.key === range.key ? 'true' : undefined}>
              {each.name}
            </PageLink>
          </li>
        ))}
      </ul>
      <ul>
        <li>
          <PageLink to={to(moved(date, range, -1))}>Earlier</PageLink>
        </li>
        <li>
          <PageLink to={to(today)}>Today</PageLink>
        </li>
        <li>
          <PageLink to={to(moved(date, range, 1))}>Later</PageLink>
        </li>
      </ul>
      <TextField
        label="From"
        type="date"
        value={date}
        onChange={(event) => {
          if (midnightOf(event.target.value) !== undefined) go(to(event.target.value), { replace: true });
        }}
      />
    </nav>
  );
}
