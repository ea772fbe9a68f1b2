import type { JSX } from 'react';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import styles from './conditions.module.css';
import { dailyRestriction, hoursOf, restrictionText, type TimeRestriction } from './time-restriction.ts';

interface TimeRestrictionFieldProps {
  readonly value: TimeRestriction | undefined;
  /** What it was before the form: one that the fields do not have can be chosen again. */
  readonly before: TimeRestriction | undefined;
  /** In which zone its times are, in a sentence. */
  readonly zone: string;
  readonly error?: string | undefined;
  readonly onChange: (value: TimeRestriction | undefined) => void;
}

const NIGHTS = ['22:00', '06:00'] as const;

/** When something holds: always, or in the hours of each day. Days of the week that are there stay, and are said in words. */
export function TimeRestrictionField({ before, error, onChange, value, zone }: TimeRestrictionFieldProps): JSX.Element {
  const hours = hoursOf(value);
  const isByWeekday = before?.type === 'weekday-and-time-of-day';
  return (
    <>
      <SelectField<'always' | 'daily' | 'weekday'>
        label="When it holds"
        value={value === undefined ? 'always' : hours === undefined ? 'weekday' : 'daily'}
        hint={value === undefined ? undefined : zone}
        error={error}
        options={[
          { value: 'always', name: 'Always' },
          { value: 'daily', name: 'In hours of each day' },
          ...(isByWeekday ? [{ value: 'weekday' as const, name: restrictionText(before) }] : []),
        ]}
        onValue={(kind) => {
          if (kind === 'always') onChange(undefined);
          else onChange(kind === 'daily' ? dailyRestriction(...NIGHTS) : before);
        }}
      />
      {hours && (
        <div className={styles['condition']}>
          <TextField
            label="From the time"
            type="time"
            value={hours.from}
            onChange={({ target }) => {
              onChange(dailyRestriction(target.value, hours.to));
            }}
          />
          <TextField
            label="Until the time"
            type="time"
            value={hours.to}
            onChange={({ target }) => {
              onChange(dailyRestriction(hours.from, target.value));
            }}
          />
        </div>
      )}
    </>
  );
}
