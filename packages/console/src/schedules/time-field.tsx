import type { JSX } from 'react';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import styles from './schedules.module.css';
import { localZone, timeText } from './time-text.ts';
import { instantOfField, showingTexts, type WallField } from './wall-field.ts';

interface TimeFieldProps {
  readonly label: string;
  readonly zone: string;
  readonly field: WallField;
  readonly error: string | undefined;
  readonly onChange: (field: WallField) => void;
}

/** A field for a day and a time in a zone, which it names. */
export function TimeField({ error, field, label, onChange, zone }: TimeFieldProps): JSX.Element {
  const instant = instantOfField(field, zone);
  const showings = showingTexts(instant, zone);
  const local = localZone();
  const isHereToo = local === zone || instant.at === undefined;
  return (
    <div>
      <TextField
        label={`${label} (${zone})`}
        type="datetime-local"
        value={field.text}
        error={error}
        hint={isHereToo ? undefined : `Here: ${timeText(instant.at, local)}.`}
        onChange={(event) => {
          onChange({ text: event.target.value, showing: 0 });
        }}
      />
      {showings.length > 0 && (
        <fieldset className={styles['choices']}>
          <legend>The clocks show this time twice. Which one?</legend>
          {showings.map((text, showing) => (
            <label key={text} className={ui['check']}>
              <input
                type="radio"
                name={label}
                checked={field.showing === showing}
                onChange={() => {
                  onChange({ ...field, showing });
                }}
              />
              {text}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

interface Times {
  readonly from: WallField;
  readonly until: WallField;
}

interface TimesFieldsProps<F extends Times> {
  readonly form: F;
  readonly faults: { readonly [each in keyof Times]?: string | undefined };
  readonly zone: string;
  readonly onChange: (form: F) => void;
}

/** The fields of a form for a start and an end in a zone. */
export function TimesFields<F extends Times>({ faults, form, onChange, zone }: TimesFieldsProps<F>): JSX.Element {
  return (
    <div className={styles['times']}>
      <TimeField
        label="From"
        zone={zone}
        field={form.from}
        error={faults.from}
        onChange={(from) => {
          onChange({ ...form, from });
        }}
      />
      <TimeField
        label="Until"
        zone={zone}
        field={form.until}
        error={faults.until}
        onChange={(until) => {
          onChange({ ...form, until });
        }}
      />
    </div>
  );
}
