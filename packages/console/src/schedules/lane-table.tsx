import { type JSX, useState } from 'react';
import type { Lane } from './lanes.ts';
import styles from './schedules.module.css';
import { More, ROWS } from './shift-table.tsx';
import { ZonedTime } from './zoned-time.tsx';

interface LaneTableProps {
  /** All but that of who is on call in the end. */
  readonly lanes: readonly Lane[];
  readonly zone: string;
}

/** Overrides, forwarding and rotations as a table, which a person opens. */
export function LaneTable({ lanes, zone }: LaneTableProps): JSX.Element {
  const [shown, setShown] = useState(ROWS);
  const rows = lanes.flatMap(({ key, name, pieces }) =>
    pieces.map((piece) => ({ key: `${key} ${piece.from}`, name, piece })),
  );
  return (
    <details className={styles['details']}>
      <summary>Overrides, forwarding and rotations as a table</summary>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">Lane</th>
            <th scope="col">Who</th>
            <th scope="col">From</th>
            <th scope="col">Until</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map(({ key, name, piece }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{piece.text}</td>
              <td>
                <ZonedTime at={piece.from} zone={zone} />
              </td>
              <td>
                <ZonedTime at={piece.until} zone={zone} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More total={rows.length} shown={shown} onMore={setShown} />
    </details>
  );
}
