import type { JSX } from 'react';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { contactName } from './contacts.ts';
import styles from './me.module.css';
import type { Contact } from './queries.ts';
import { newStep, type StepForm } from './rule-form.ts';
import { LEAD_TIMES, type LeadTime } from './rules-text.ts';

interface LeadTimesFieldProps {
  readonly chosen: readonly LeadTime[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly LeadTime[]) => void;
}

/** How long before a shift the messages are sent. */
export function LeadTimesField({ chosen, error, onChange }: LeadTimesFieldProps): JSX.Element {
  return (
    <fieldset className={styles['group']}>
      <legend className={ui['label']}>How long before</legend>
      {Object.entries(LEAD_TIMES).map(([key, name]) => {
        const time = key as LeadTime;
        return (
          <CheckField
            key={time}
            label={name}
            isChecked={chosen.includes(time)}
            onChange={(isChecked) => {
              onChange(isChecked ? [...chosen, time] : chosen.filter((each) => each !== time));
            }}
          />
        );
      })}
      <Fault text={error} />
    </fieldset>
  );
}

export function Fault({ text }: { readonly text: string | undefined }): JSX.Element | null {
  if (text === undefined) return null;
  return (
    <span role="alert" className={ui['error']}>
      {text}
    </span>
  );
}

interface StepsFieldProps {
  readonly steps: readonly StepForm[];
  readonly contacts: readonly Contact[];
  /** By place. */
  readonly faults: Readonly<Record<number, string>>;
  readonly onChange: (steps: readonly StepForm[]) => void;
}

/** What is sent, to which contact, after how many minutes. */
export function StepsField({ contacts, faults, onChange, steps }: StepsFieldProps): JSX.Element {
  const [first] = contacts;
  return (
    <fieldset className={styles['group']}>
      <legend className={ui['label']}>Steps</legend>
      <ol className={styles['list']}>
        {steps.map((step, index) => (
          <li key={step.id ?? index}>
            <StepFields
              place={index + 1}
              step={step}
              contacts={contacts}
              error={faults[index]}
              onChange={(next) => {
                onChange(steps.with(index, next));
              }}
              onRemove={() => {
                onChange(steps.toSpliced(index, 1));
                announce(`Step ${index + 1} was removed.`);
              }}
            />
          </li>
        ))}
      </ol>
      <Button
        disabledReason={first === undefined ? 'Add a contact first.' : undefined}
        onClick={() => {
          if (first !== undefined) onChange([...steps, newStep(first, steps.at(-1)?.after ?? '0')]);
        }}
      >
        Add a step
      </Button>
    </fieldset>
  );
}

interface StepFieldsProps {
  readonly place: number;
  readonly step: StepForm;
  readonly contacts: readonly Contact[];
  readonly error: string | undefined;
  readonly onChange: (step: StepForm) => void;
  readonly onRemove: () => void;
}

const keyOf = ({ method, to }: StepForm['contact']): string => `${method} ${to}`;

function StepFields({ contacts, error, onChange, onRemove, place, step }: StepFieldsProps): JSX.Element {
  const options = contacts.map((contact) => ({ value: keyOf(contact), name: contactName(contact) }));
  const isKnown = options.some(({ value }) => value === keyOf(step.contact));
  const unknown = { value: keyOf(step.contact), name: `${contactName(step.contact)} (unknown)` };
  return (
    <div role="group" aria-label={`Step ${place}`} className={styles['step']}>
      <SelectField
        label="Contact"
        value={keyOf(step.contact)}
        options={isKnown ? options : [...options, unknown]}
        onValue={(key) => {
          const contact = contacts.find((each) => keyOf(each) === key);
          if (contact !== undefined) onChange({ ...step, contact: { method: contact.method, to: contact.to } });
        }}
      />
      <TextField
        label="After minutes"
        value={step.after}
        error={error}
        inputMode="numeric"
        autoComplete="off"
        onChange={({ target }) => {
          onChange({ ...step, after: target.value });
        }}
      />
      <CheckField
        label="Enabled"
        isChecked={step.enabled}
        onChange={(enabled) => {
          onChange({ ...step, enabled });
        }}
      />
      <Button aria-label={`Remove step ${place}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}

interface RepeatFieldsProps {
  readonly repeats: boolean;
  readonly loopAfter: string;
  readonly error: string | undefined;
  readonly onChange: (change: { readonly repeats?: boolean; readonly loopAfter?: string }) => void;
}

/** Whether and when the steps start again. */
export function RepeatFields({ error, loopAfter, onChange, repeats }: RepeatFieldsProps): JSX.Element {
  return (
    <>
      <CheckField
        label="Repeat the steps until the alert is acknowledged, snoozed or closed"
        isChecked={repeats}
        onChange={(isChecked) => {
          onChange({ repeats: isChecked });
        }}
      />
      {repeats && (
        <TextField
          label="Repeat after minutes"
          value={loopAfter}
          error={error}
          inputMode="numeric"
          autoComplete="off"
          onChange={({ target }) => {
            onChange({ loopAfter: target.value });
          }}
        />
      )}
    </>
  );
}
