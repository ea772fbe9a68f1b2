import type { JSX } from 'react';
import { fieldText } from '../api/problem-text.ts';
import { ConditionsField } from '../conditions/conditions-field.tsx';
import { TimeRestrictionField } from '../conditions/time-restriction-field.tsx';
import type { TimeRestriction } from '../conditions/time-restriction.ts';
import { CheckField } from '../ui/check-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import styles from './policies.module.css';
import { DELAY_NAMES, type Length, type PolicyForm, type PolicyKind, withDelayOption } from './policy-form.ts';

interface PolicyFieldsProps {
  readonly kind: PolicyKind;
  readonly form: PolicyForm;
  readonly restrictionBefore: TimeRestriction | undefined;
  /** What the server refused, by its names of the fields. */
  readonly refused: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<PolicyForm>) => void;
}

/** The fields of a policy. */
export function PolicyFields(props: PolicyFieldsProps): JSX.Element {
  const { form, kind, onChange, refused, restrictionBefore } = props;
  return (
    <>
      <TextField {...textOf('Name', 'name', props)} />
      <TextField {...textOf('Description', 'policyDescription', props)} />
      <ConditionsField
        label="For which alerts"
        name="filter"
        refused={refused}
        value={form.filter}
        onChange={(filter) => {
          onChange({ filter });
        }}
      />
      <TimeRestrictionField
        before={restrictionBefore}
        zone="Times are in the time zone of the account."
        value={form.timeRestrictions}
        error={faultAt('The time', 'timeRestriction', refused)}
        onChange={(timeRestrictions) => {
          onChange({ timeRestrictions });
        }}
      />
      {kind === 'alert' ? <AlertFields {...props} /> : <NotificationFields {...props} />}
    </>
  );
}

/** What the server refused of a field or of a part of it. */
function faultAt(label: string, name: string, refused: PolicyFieldsProps['refused']): string | undefined {
  const fault = Object.entries(refused).find(([path]) => path.startsWith(name))?.[1];
  return fault === undefined ? undefined : fieldText(label, fault);
}

const textOf = (
  label: string,
  name: 'name' | 'policyDescription' | 'message' | 'tags',
  { form, onChange, refused }: PolicyFieldsProps,
) => ({
  label,
  value: form[name],
  error: faultAt(label, name, refused),
  autoComplete: 'off',
  onChange: ({ target }: { readonly target: { readonly value: string } }) => {
    onChange({ [name]: target.value });
  },
});

const PRIORITIES = [
  { value: '', name: 'The one that it has' },
  ...['P1', 'P2', 'P3', 'P4', 'P5'].map((value) => ({ value, name: value })),
];

function AlertFields(props: PolicyFieldsProps): JSX.Element {
  const { form, onChange, refused } = props;
  return (
    <>
      <TextField
        {...textOf('Message', 'message', props)}
        hint="A template: {{message}} is the message that the alert has, {{details.host}} one of its details."
      />
      <SelectField
        label="Priority"
        value={form.priority}
        error={faultAt('Priority', 'priority', refused)}
        options={PRIORITIES}
        onValue={(priority) => {
          onChange({ priority });
        }}
      />
      <TextField {...textOf('Tags that it adds', 'tags', props)} hint="Several are separated by commas." />
      <CheckField
        label="Try the alert policies after it too"
        isChecked={form.continues}
        onChange={(continues) => {
          onChange({ continues });
        }}
      />
    </>
  );
}

const DELAYS = [
  { value: 'none' as const, name: 'They are not held' },
  ...(Object.keys(DELAY_NAMES) as (keyof typeof DELAY_NAMES)[]).map((value) => ({
    value,
    name: `They are held ${DELAY_NAMES[value]}${value === 'for-duration' ? '' : ' time of day'}`,
  })),
];

function NotificationFields({ form, onChange, refused }: PolicyFieldsProps): JSX.Element {
  const { autoClose, delay, suppress } = form;
  return (
    <>
      <CheckField
        label="Notify no user"
        isChecked={suppress}
        onChange={(isChecked) => {
          onChange({ suppress: isChecked });
        }}
      />
      <SelectField
        label="Notifications"
        value={delay?.delayOption ?? 'none'}
        error={faultAt('The delay', 'delayAction', refused)}
        options={DELAYS}
        onValue={(option) => {
          onChange({ delay: withDelayOption(delay, option) });
        }}
      />
      {delay?.duration && (
        <LengthFields
          label="Hold them for"
          length={delay.duration}
          onChange={(duration) => {
            onChange({ delay: { ...delay, duration } });
          }}
        />
      )}
      {delay && delay.delayOption !== 'for-duration' && (
        <TextField
          label="Until the time of day"
          type="time"
          value={[delay.untilHour, delay.untilMinute].map((part = 0) => String(part).padStart(2, '0')).join(':')}
          onChange={({ target }) => {
            const [untilHour = 0, untilMinute = 0] = target.value.split(':').map(Number);
            onChange({ delay: { ...delay, untilHour, untilMinute } });
          }}
        />
      )}
      <CheckField
        label="Close the alert by itself"
        isChecked={autoClose !== undefined}
        onChange={(isChecked) => {
          onChange({ autoClose: isChecked ? { timeAmount: 1, timeUnit: 'hours' } : undefined });
        }}
      />
      {autoClose && (
        <LengthFields
          label="Close it after"
          length={autoClose}
          error={faultAt('The length', 'autoCloseAction', refused)}
          onChange={(length) => {
            onChange({ autoClose: length });
          }}
        />
      )}
    </>
  );
}

const UNITS = (['minutes', 'hours', 'days', 'seconds', 'milliseconds'] as const).map((value) => ({
  value,
  name: value,
}));

interface LengthFieldsProps {
  readonly label: string;
  readonly length: Length;
  readonly error?: string | undefined;
  readonly onChange: (length: Length) => void;
}

function LengthFields({ error, label, length, onChange }: LengthFieldsProps): JSX.Element {
  return (
    <div className={styles['pair']}>
      <TextField
        label={label}
        type="number"
        min={1}
        step={1}
        value={String(length.timeAmount)}
        error={error}
        onChange={({ target }) => {
          onChange({ ...length, timeAmount: Number(target.value) });
        }}
      />
      <SelectField
        label="Unit"
        value={length.timeUnit}
        options={UNITS}
        onValue={(timeUnit) => {
          onChange({ ...length, timeUnit });
        }}
      />
    </div>
  );
}
