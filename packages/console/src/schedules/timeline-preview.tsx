import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { problemText } from '../api/problem-text.ts';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import { piecesOf } from './lanes.ts';
import type { previewQuery } from './queries.ts';
import styles from './schedules.module.css';
import { finalStretches, peopleText, spanOf } from './stretches.ts';
import { LANE_NAMES_PX, TimelinePicture } from './timeline-picture.tsx';
import { useIsNarrow, useWidth } from './use-layout.ts';
import { useSettled } from './use-settled.ts';
import type { Span } from './zone.ts';
import { ZonedTime } from './zoned-time.tsx';

/** What is previewed of a form that is complete. */
interface Previewed {
  readonly query: ReturnType<typeof previewQuery>;
  /** Whose shifts are listed; all that are read where it is absent. */
  readonly listed?: Span;
}

interface TimelinePreviewProps {
  readonly zone: string;
  /** Tells one state of the form from another. */
  readonly typed: unknown;
  /** Undefined where the form is not complete. */
  readonly previewed: Previewed | undefined;
  /** What is missing then. */
  readonly hint: string;
}

/** How long a person types nothing before the server is asked. */
const SETTLE_MS = 400;

/** Who is on call with a change that is not saved, as the server says. */
export function TimelinePreview({ hint, previewed, typed, zone }: TimelinePreviewProps): JSX.Element {
  const key = JSON.stringify(typed);
  const settled = useSettled({ key, previewed }, key, SETTLE_MS);
  return (
    <section aria-label="Preview" className={styles['preview']}>
      <h3>Preview</h3>
      {settled.previewed === undefined ? (
        <p className={ui['hint']}>{hint}</p>
      ) : (
        <Preview zone={zone} previewed={settled.previewed} isOld={settled.key !== key} />
      )}
    </section>
  );
}

interface PreviewProps {
  readonly zone: string;
  readonly previewed: Previewed;
  /** Whether the form was changed since. */
  readonly isOld: boolean;
}

/** How many shifts are listed. */
const MAX_LISTED = 8;

function Preview({ isOld, previewed, zone }: PreviewProps): JSX.Element {
  const query = useQuery(previewed.query);
  const now = useNow(60_000);
  const isNarrow = useIsNarrow();
  const [ref, width] = useWidth<HTMLDivElement>();
  if (query.error !== null) return <p role="status">{problemText(query.error).what}</p>;
  const listed = previewed.listed ?? (query.data && spanOf(query.data.after));
  const shifts =
    query.data &&
    listed &&
    finalStretches(query.data.after).filter(({ from, until }) => from < listed.until && until > listed.from);
  return (
    <div ref={ref} className={styles['previewBox']} aria-busy={isOld || query.isPlaceholderData}>
      {query.data && !isNarrow && width > LANE_NAMES_PX && (
        <TimelinePicture
          lanes={[
            { key: 'before', name: 'Now', pieces: piecesOf(finalStretches(query.data.before)) },
            { key: 'after', name: 'Then', pieces: piecesOf(finalStretches(query.data.after)) },
          ]}
          scale={{ ...spanOf(query.data.after), width: width - LANE_NAMES_PX }}
          zone={zone}
          now={now}
        />
      )}
      {shifts && (
        <ul>
          {shifts.slice(0, MAX_LISTED).map((shift) => (
            <li key={shift.from}>
              <strong>{peopleText(shift)}</strong>: <ZonedTime at={shift.from} zone={zone} /> to{' '}
              <ZonedTime at={shift.until} zone={zone} />
            </li>
          ))}
          {shifts.length > MAX_LISTED && <li>And {shifts.length - MAX_LISTED} more.</li>}
        </ul>
      )}
    </div>
  );
}
