import type { JSX } from 'react';
import { RowsField } from '../ui/rows-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TimeOfDayField } from '../ui/time-of-day-field.tsx';
import styles from './conditions.module.css';
import {
  dailyRestriction,
  dayOptions,
  hoursOf,
  MAX_STRETCHES,
  NEW_STRETCH,
  type Stretch,
  stretchesOf,
  type TimeRestriction,
  weeklyRestriction,
} from './time-restriction.ts';

interface TimeRestrictionFieldProps {
  readonly value: TimeRestriction | undefined;
  /** In which zone its times are, in a sentence. */
  readonly zone: string;
  readonly error?: string | undefined;
  readonly onChange: (value: TimeRestriction | undefined) => void;
}

type Kind = 'always' | 'daily' | 'weekly';

const KINDS: readonly { readonly value: Kind; readonly name: string }[] = [
  { value: 'always', name: 'Always' },
  { value: 'daily', name: 'In hours of each day' },
  { value: 'weekly', name: 'In stretches of each week' },
];

const FIRST: Readonly<Record<Kind, TimeRestriction | undefined>> = {
  always: undefined,
  daily: dailyRestriction('22:00', '06:00'),
  weekly: weeklyRestriction([NEW_STRETCH]),
};

/** When something holds: always, in hours of each day, or in stretches of each week. */
export function TimeRestrictionField({ error, onChange, value, zone }: TimeRestrictionFieldProps): JSX.Element {
  const hours = hoursOf(value);
  const stretches = stretchesOf(value);
  return (
    <>
      <SelectField<Kind>
        label="When it holds"
        value={value === undefined ? 'always' : stretches === undefined ? 'daily' : 'weekly'}
        hint={value === undefined ? undefined : zone}
        error={error}
        options={KINDS}
        onValue={(kind) => {
          onChange(FIRST[kind]);
        }}
      />
      {hours && (
        <div className={styles['condition']}>
          <TimeOfDayField
            label="From the time"
            value={hours.from}
            onValue={(from) => {
              onChange(dailyRestriction(from, hours.to));
            }}
          />
          <TimeOfDayField
            label="Until the time"
            value={hours.to}
            onValue={(to) => {
              onChange(dailyRestriction(hours.from, to));
            }}
          />
        </div>
      )}
      {stretches && (
        <RowsField
          label="Stretches of each week"
          rowName="Stretch"
          rows={stretches}
          newRow={NEW_STRETCH}
          addRefused={stretches.length < MAX_STRETCHES ? undefined : `At most ${MAX_STRETCHES} stretches are possible.`}
          onChange={(next) => {
            onChange(weeklyRestriction(next));
          }}
        >
          {(stretch, change) => <StretchFields stretch={stretch} onChange={change} />}
        </RowsField>
      )}
    </>
  );
}

interface StretchFieldsProps {
  readonly stretch: Stretch;
  readonly onChange: (stretch: Stretch) => void;
}

function StretchFields({ onChange, stretch }: StretchFieldsProps): JSX.Element {
  return (
    <>
      <SelectField
        label="From the day"
        value={stretch.startDay}
        options={dayOptions}
        onValue={(startDay) => {
          onChange({ ...stretch, startDay });
        }}
      />
      <TimeOfDayField
        label="From the time"
        value={stretch.from}
        onValue={(from) => {
          onChange({ ...stretch, from });
        }}
      />
      <SelectField
        label="Until the day"
        value={stretch.endDay}
        options={dayOptions}
        onValue={(endDay) => {
          onChange({ ...stretch, endDay });
        }}
      />
      <TimeOfDayField
        label="Until the time"
        value={stretch.to}
        onValue={(to) => {
          onChange({ ...stretch, to });
        }}
      />
    </>
  );
}
