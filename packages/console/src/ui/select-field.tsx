import type { ComponentProps, JSX } from 'react';
import { Field, type FieldProps } from './text-field.tsx';
import styles from './ui.module.css';

interface SelectFieldProps<T extends string> extends FieldProps, Pick<ComponentProps<'select'>, 'disabled' | 'name'> {
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly name: string }[];
  readonly onValue: (value: T) => void;
}

/** A field for one of a few values. */
export function SelectField<T extends string>({
  error,
  hint,
  isLabelHidden,
  label,
  onValue,
  options,
  value,
  ...select
}: SelectFieldProps<T>): JSX.Element {
  return (
    <Field error={error} hint={hint} isLabelHidden={isLabelHidden} label={label}>
      {(attributes) => (
        <select
          {...select}
          {...attributes}
          className={styles['input']}
          value={value}
          onChange={({ target }) => {
            // The options are all of it.
            onValue(target.value as T);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
