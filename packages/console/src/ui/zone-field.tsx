import { type JSX, useId } from 'react';
import { TextField } from './text-field.tsx';

interface ZoneFieldProps {
  readonly value: string;
  readonly hint?: string;
  readonly error: string | undefined;
  readonly onText: (text: string) => void;
}

/** A field for a time zone, which offers those that the browser knows. */
export function ZoneField({ error, hint = 'Such as Europe/Berlin.', onText, value }: ZoneFieldProps): JSX.Element {
  const zones = useId();
  return (
    <>
      <TextField
        label="Time zone"
        hint={hint}
        value={value}
        error={error}
        list={zones}
        autoComplete="off"
        onChange={({ target }) => {
          onText(target.value);
        }}
      />
      <datalist id={zones}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
