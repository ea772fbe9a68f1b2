import { type JSX, useState } from 'react';
import { lengthText } from '../ui/time.ts';
import styles from './schedules.module.css';
import { More, ROWS } from './shift-table.tsx';
import { byDay, isGap, KIND_TEXTS, peopleText, type Stretch } from './stretches.ts';
import { dayText } from './time-text.ts';
import { type Editing, TakeButton } from './take-button.tsx';
import { ZonedTime } from './zoned-time.tsx';

interface AgendaProps {
  readonly stretches: readonly Stretch[];
  readonly zone: string;
  readonly now: number;
  readonly editing: Editing;
}

/** The shifts as a list, under the day on which each begins. */
export function Agenda({ editing, now, stretches, zone }: AgendaProps): JSX.Element {
  const [shown, setShown] = useState(ROWS);
  return (
    <>
      {byDay(stretches.slice(0, shown), zone).map(({ date, stretches: ofDay, from }) => (
        <section key={date} aria-label={dayText(from, zone)}>
          <h3>{dayText(from, zone)}</h3>
          <ul className={styles['agenda']}>
            {ofDay.map((stretch) => (
              <li
                key={stretch.from}
                data-gap={isGap(stretch)}
                aria-current={stretch.from <= now && now < stretch.until ? 'time' : undefined}
              >
                <strong>{peopleText(stretch)}</strong>
                {stretch.kind !== 'default' && ` (${KIND_TEXTS[stretch.kind]})`}
                <div>
                  <ZonedTime at={stretch.from} zone={zone} /> to <ZonedTime at={stretch.until} zone={zone} />,{' '}
                  {lengthText(stretch.until - stretch.from)}
                </div>
                <TakeButton stretch={stretch} zone={zone} now={now} editing={editing} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <More total={stretches.length} shown={shown} onMore={setShown} />
    </>
  );
}
