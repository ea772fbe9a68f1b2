import { type JSX, useState } from 'react';
import { type FieldProps, TextField } from './text-field.tsx';

interface NumberFieldProps extends FieldProps {
  readonly value: number;
  readonly min?: number;
  readonly max?: number;
  /** Called with 0 where the field is empty. */
  readonly onValue: (value: number) => void;
}

/** A field for a whole number. It can be empty while a person types. */
export function NumberField({ onValue, value, ...field }: NumberFieldProps): JSX.Element {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      {...field}
      type="number"
      step={1}
      inputMode="numeric"
      value={typed !== undefined && Number(typed) === value ? typed : String(value)}
      onChange={({ target }) => {
        setTyped(target.value);
        onValue(Number(target.value));
      }}
    />
  );
}
