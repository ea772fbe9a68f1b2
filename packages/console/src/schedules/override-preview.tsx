import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { problemText } from '../api/problem-text.ts';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import { piecesOf } from './lanes.ts';
import { type ReadForm, previewRange } from './override-draft.ts';
import { previewQuery } from './queries.ts';
import styles from './schedules.module.css';
import { finalStretches, peopleText, spanOf } from './stretches.ts';
import { LANE_NAMES_PX, TimelinePicture } from './timeline-picture.tsx';
import { useIsNarrow, useWidth } from './use-layout.ts';
import { useSettled } from './use-settled.ts';
import { ZonedTime } from './zoned-time.tsx';

interface OverridePreviewProps {
  readonly id: string;
  readonly zone: string;
  readonly read: ReadForm;
}

/** How long a person types nothing before the server is asked. */
const SETTLE_MS = 400;

/** Who is on call with an override that is not saved, as the server says. */
export function OverridePreview({ id, read, zone }: OverridePreviewProps): JSX.Element {
  const key = JSON.stringify(read);
  const settled = useSettled(read, key, SETTLE_MS);
  const isOld = JSON.stringify(settled) !== key;
  return (
    <section aria-label="Preview" className={styles['preview']}>
      <h3>Preview</h3>
      {settled.faults === undefined ? (
        <Preview id={id} zone={zone} read={settled} isOld={isOld} />
      ) : (
        <p className={ui['hint']}>It is shown when person and times are complete.</p>
      )}
    </section>
  );
}

type CompleteForm = Extract<ReadForm, { readonly faults?: undefined }>;

interface PreviewProps {
  readonly id: string;
  readonly zone: string;
  readonly read: CompleteForm;
  /** Whether the form was changed since. */
  readonly isOld: boolean;
}

/** How many shifts are listed. */
const MAX_LISTED = 8;

function Preview({ id, isOld, read, zone }: PreviewProps): JSX.Element {
  const { body, span } = read;
  const query = useQuery(previewQuery(id, zone, previewRange(span, zone), body));
  const now = useNow(60_000);
  const isNarrow = useIsNarrow();
  const [ref, width] = useWidth<HTMLDivElement>();
  if (query.error !== null) return <p role="status">{problemText(query.error).what}</p>;
  const shifts =
    query.data && finalStretches(query.data.after).filter(({ from, until }) => from < span.until && until > span.from);
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
