import { type JSX, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { lengthText } from '../ui/time.ts';
import styles from './schedules.module.css';
import { isGap, KIND_TEXTS, peopleText, type Stretch } from './stretches.ts';
import { type Editing, TakeButton } from './take-button.tsx';
import { ZonedTime } from './zoned-time.tsx';

interface ShiftsProps {
  readonly stretches: readonly Stretch[];
  readonly zone: string;
  readonly now: number;
  readonly editing: Editing;
}

/** How many rows are shown before a person asks for more. */
export const ROWS = 100;

/** The shifts in the end, a row each. */
export function ShiftTable({ editing, now, stretches, zone }: ShiftsProps): JSX.Element {
  const [shown, setShown] = useState(ROWS);
  return (
    <>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Until</th>
            <th scope="col">On call</th>
            <th scope="col">Why</th>
            <th scope="col">Length</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {stretches.slice(0, shown).map((stretch) => (
            <tr
              key={stretch.from}
              data-gap={isGap(stretch)}
              aria-current={stretch.from <= now && now < stretch.until ? 'time' : undefined}
            >
              <td>
                <ZonedTime at={stretch.from} zone={zone} />
              </td>
              <td>
                <ZonedTime at={stretch.until} zone={zone} />
              </td>
              <td>{peopleText(stretch)}</td>
              <td>{isGap(stretch) ? 'gap' : KIND_TEXTS[stretch.kind]}</td>
              <td>{lengthText(stretch.until - stretch.from)}</td>
              <td>
                <TakeButton stretch={stretch} zone={zone} now={now} editing={editing} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More total={stretches.length} shown={shown} onMore={setShown} />
    </>
  );
}

interface MoreProps {
  readonly total: number;
  readonly shown: number;
  readonly onMore: (shown: number) => void;
}

/** The way to the rows that are not shown yet. */
export function More({ onMore, shown, total }: MoreProps): JSX.Element | undefined {
  if (total <= shown) return undefined;
  return (
    <Button
      onClick={() => {
        onMore(shown + ROWS);
      }}
    >
      Show {Math.min(ROWS, total - shown)} more of {total}
    </Button>
  );
}
