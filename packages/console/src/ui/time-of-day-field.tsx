import type { JSX } from 'react';
import { type FieldProps, TextField } from './text-field.tsx';

interface TimeOfDayFieldProps extends FieldProps {
  /** A time of day, such as `22:00`. */
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** A field for a time of day. */
export function TimeOfDayField({ onValue, ...field }: TimeOfDayFieldProps): JSX.Element {
  return (
    <TextField
      {...field}
      type="time"
      onChange={({ target }) => {
        onValue(target.value);
      }}
    />
  );
}
