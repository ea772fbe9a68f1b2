import type { JSX } from 'react';
import { CheckField } from '../ui/check-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { EscalationFaults, EscalationForm } from './escalation-form.ts';
import styles from './escalations.module.css';
import { RulesFields } from './rule-fields.tsx';

interface EscalationFieldsProps {
  readonly form: EscalationForm;
  readonly faults: EscalationFaults;
  readonly onChange: (form: EscalationForm) => void;
}

/** The fields of an escalation. */
export function EscalationFields({ faults, form, onChange }: EscalationFieldsProps): JSX.Element {
  const text = (name: 'name' | 'description') => ({
    value: form[name],
    error: faults[name],
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      onChange({ ...form, [name]: target.value });
    },
  });
  return (
    <>
      <TextField label="Name" {...text('name')} />
      <TextField label="Description" {...text('description')} />
      <RulesFields
        rules={form.rules}
        faults={faults}
        onChange={(rules) => {
          onChange({ ...form, rules });
        }}
      />
      <RepeatFields form={form} faults={faults} onChange={onChange} />
    </>
  );
}

function RepeatFields({ faults, form, onChange }: EscalationFieldsProps): JSX.Element {
  const number = (name: 'wait' | 'count') => ({
    type: 'number',
    min: 0,
    step: 1,
    inputMode: 'numeric' as const,
    value: form[name],
    error: faults[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      onChange({ ...form, [name]: target.value });
    },
  });
  return (
    <>
      <CheckField
        label="Repeat it while no one acknowledges the alert"
        isChecked={form.isRepeated}
        onChange={(isRepeated) => {
          onChange({ ...form, isRepeated });
        }}
      />
      {form.isRepeated && (
        <>
          <div className={styles['pair']}>
            <TextField label="Minutes after its last rule" {...number('wait')} />
            <TextField label="How many times" {...number('count')} />
          </div>
          <CheckField
            label="A repetition takes an acknowledgement back"
            isChecked={form.resets}
            onChange={(resets) => {
              onChange({ ...form, resets });
            }}
          />
          <CheckField
            label="Close the alert after the last repetition"
            isChecked={form.closes}
            onChange={(closes) => {
              onChange({ ...form, closes });
            }}
          />
        </>
      )}
    </>
  );
}
