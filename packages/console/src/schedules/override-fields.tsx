import type { JSX } from 'react';
import { PersonField } from '../people/person-field.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import type { FormFaults, OverrideForm } from './override-draft.ts';
import type { Schedule } from './queries.ts';
import styles from './schedules.module.css';
import { TimesFields } from './time-field.tsx';

interface OverrideFieldsProps {
  readonly form: OverrideForm;
  readonly faults: FormFaults;
  readonly zone: string;
  readonly onChange: (form: OverrideForm) => void;
}

/** Who is on call instead, and when. */
export function PersonAndTimes({ faults, form, onChange, zone }: OverrideFieldsProps): JSX.Element {
  return (
    <>
      <TimesFields form={form} faults={faults} zone={zone} onChange={onChange} />
      {!form.isNoOne && (
        <PersonField
          label="Person on call"
          text={form.username}
          error={faults.username}
          onText={(username) => {
            onChange({ ...form, username });
          }}
        />
      )}
      <CheckField
        label="No one is on call in this time"
        isChecked={form.isNoOne}
        onChange={(isNoOne) => {
          onChange({ ...form, isNoOne });
        }}
      />
    </>
  );
}

interface ScopeFieldsProps extends Omit<OverrideFieldsProps, 'zone'> {
  readonly rotations: Schedule['rotations'];
  /** Whether its name can be chosen. */
  readonly isNew: boolean;
}

/** In which rotations, and under which name. */
export function ScopeFields({ faults, form, isNew, onChange, rotations }: ScopeFieldsProps): JSX.Element {
  return (
    <>
      <Rotations
        rotations={rotations}
        chosen={form.rotations}
        error={faults.rotations}
        onChange={(chosen) => {
          onChange({ ...form, rotations: chosen });
        }}
      />
      {isNew && (
        <TextField
          label="Name"
          hint="By which the override is found in the API."
          value={form.alias}
          error={faults.alias}
          onChange={(event) => {
            onChange({ ...form, alias: event.target.value });
          }}
        />
      )}
    </>
  );
}

interface RotationsProps {
  readonly rotations: Schedule['rotations'];
  readonly chosen: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

function Rotations({ chosen, error, onChange, rotations }: RotationsProps): JSX.Element {
  return (
    <fieldset className={styles['choices']}>
      <legend>Rotations</legend>
      <CheckField
        label="All, also those that are added later"
        isChecked={chosen.length === 0}
        onChange={(isChecked) => {
          onChange(isChecked ? [] : rotations.slice(0, 1).map(({ id }) => id));
        }}
      />
      {rotations.map(({ id, name }) => (
        <CheckField
          key={id}
          label={`Only ${name}`}
          isChecked={chosen.includes(id)}
          onChange={(isChecked) => {
            onChange(isChecked ? [...chosen, id] : chosen.filter((each) => each !== id));
          }}
        />
      ))}
      {error !== undefined && (
        <span role="alert" className={ui['error']}>
          {error}
        </span>
      )}
    </fieldset>
  );
}
