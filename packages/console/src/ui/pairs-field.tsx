import type { JSX } from 'react';
import { NEW_PAIR, type Pair } from './pairs.ts';
import { RowsField } from './rows-field.tsx';
import { TextArea, TextField } from './text-field.tsx';

interface PairsFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** What one of them is called, such as `Detail`. */
  readonly rowName: string;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** A field for names with values. */
export function PairsField({ pairs, ...field }: PairsFieldProps): JSX.Element {
  return (
    <RowsField {...field} rows={pairs} newRow={NEW_PAIR}>
      {(pair, change) => (
        <>
          <TextField
            label="Name"
            value={pair.name}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => {
              change({ ...pair, name: target.value });
            }}
          />
          <TextArea
            label="Value"
            rows={1}
            value={pair.value}
            spellCheck={false}
            onChange={({ target }) => {
              change({ ...pair, value: target.value });
            }}
          />
        </>
      )}
    </RowsField>
  );
}
