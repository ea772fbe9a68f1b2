import type { JSX } from 'react';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import { personText } from './changes.ts';
import type { Override } from './queries.ts';
import styles from './schedules.module.css';
import type { Span } from './zone.ts';
import { ZonedTime } from './zoned-time.tsx';

interface OverrideListProps {
  readonly overrides: readonly Override[];
  readonly shown: Span;
  readonly zone: string;
  readonly refused: string | undefined;
  readonly onChange: (override: Override) => void;
  readonly onDelete: (override: Override) => void;
}

/** How many are listed. */
const MAX_LISTED = 100;

/** The overrides of the time shown, and the way to change and delete each. */
export function OverrideList(props: OverrideListProps): JSX.Element {
  const { onChange, onDelete, overrides, refused, shown, zone } = props;
  const listed = overrides
    .filter(({ endDate, startDate }) => Date.parse(startDate) < shown.until && Date.parse(endDate) > shown.from)
    .toSorted((one, other) => Date.parse(one.startDate) - Date.parse(other.startDate));
  const others = overrides.length - listed.length;
  return (
    <section aria-label="Overrides">
      <h2>Overrides</h2>
      {listed.length === 0 && <p>No overrides in the time shown.</p>}
      <ul className={styles['agenda']}>
        {listed.slice(0, MAX_LISTED).map((override) => (
          <li key={override.alias}>
            <strong>{override.alias}</strong>: {personText(override.user)}
            {override.rotations && `, in ${override.rotations.map(({ name }) => name).join(', ')}`}
            <div>
              <ZonedTime at={Date.parse(override.startDate)} zone={zone} /> to{' '}
              <ZonedTime at={Date.parse(override.endDate)} zone={zone} />
            </div>
            <div className={ui['row']}>
              <Button
                aria-label={`Change ${override.alias}`}
                disabledReason={refused}
                onClick={() => {
                  onChange(override);
                }}
              >
                Change
              </Button>
              <Button
                aria-label={`Delete ${override.alias}`}
                disabledReason={refused}
                onClick={() => {
                  onDelete(override);
                }}
              >
                Delete
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {listed.length > MAX_LISTED && <p>And {listed.length - MAX_LISTED} more: show a shorter time.</p>}
      {others > 0 && <p className={ui['hint']}>{others} at other times.</p>}
    </section>
  );
}
