import type { JSX } from 'react';
import { faultUnder } from '../api/problem-text.ts';
import { CheckField } from '../ui/check-field.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TimeOfDayField } from '../ui/time-of-day-field.tsx';
import styles from './policies.module.css';
import {
  DEDUPLICATION_NAMES,
  DELAY_NAMES,
  type EffectFieldsProps,
  type Length,
  LENGTH_UNITS,
  withDeduplicationType,
  withDelayOption,
} from './policy-form.ts';

/** What a notification policy does with the notifications of an alert. */
export function NotificationEffects(props: EffectFieldsProps): JSX.Element {
  const { form, onChange } = props;
  return (
    <>
      <CheckField
        label="Notify no user"
        hint="The alert is created, and pages no user. This comes before a delay."
        isChecked={form.suppress}
        onChange={(suppress) => {
          onChange({ suppress });
        }}
      />
      <DelayFields {...props} />
      <DeduplicationFields {...props} />
      <AutoCloseFields {...props} />
      <AutoRestartFields {...props} />
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

function DelayFields({ form, onChange, refused }: EffectFieldsProps): JSX.Element {
  const delay = form.delayAction;
  return (
    <>
      <SelectField
        label="Delay of notifications"
        hint="They start then, unless the alert was acknowledged or closed. This comes before occurrences."
        value={delay?.delayOption ?? 'none'}
        error={delay?.duration ? undefined : faultUnder(refused, 'delayAction', 'The delay')}
        options={DELAYS}
        onValue={(option) => {
          onChange({ delayAction: withDelayOption(delay, option) });
        }}
      />
      {delay?.duration && (
        <LengthFields
          label="Hold them for"
          length={delay.duration}
          error={faultUnder(refused, 'delayAction', 'The delay')}
          onChange={(duration) => {
            onChange({ delayAction: { ...delay, duration } });
          }}
        />
      )}
      {delay && delay.delayOption !== 'for-duration' && (
        <TimeOfDayField
          label="Until the time of day"
          hint="In the time zone of the account."
          value={[delay.untilHour, delay.untilMinute].map((part = 0) => String(part).padStart(2, '0')).join(':')}
          onValue={(time) => {
            const [untilHour = 0, untilMinute = 0] = time.split(':').map(Number);
            onChange({ delayAction: { ...delay, untilHour, untilMinute } });
          }}
        />
      )}
    </>
  );
}

const DEDUPLICATIONS = [
  { value: 'none' as const, name: 'They start with the first occurrence' },
  ...(Object.keys(DEDUPLICATION_NAMES) as (keyof typeof DEDUPLICATION_NAMES)[]).map((value) => ({
    value,
    name: `They are held ${DEDUPLICATION_NAMES[value]}`,
  })),
];

function DeduplicationFields({ form, onChange, refused }: EffectFieldsProps): JSX.Element {
  const deduplication = form.deduplicationAction;
  return (
    <>
      <SelectField
        label="Notifications by occurrences"
        hint="The same alert occurs again where its alias comes while it is open."
        value={deduplication?.deduplicationActionType ?? 'none'}
        options={DEDUPLICATIONS}
        onValue={(type) => {
          onChange({ deduplicationAction: withDeduplicationType(deduplication, type) });
        }}
      />
      {deduplication && (
        <NumberField
          label="Occurrences"
          hint="From 2 to 100."
          min={2}
          max={100}
          value={deduplication.count}
          error={faultUnder(refused, 'deduplicationAction.count', 'The number')}
          onValue={(count) => {
            onChange({ deduplicationAction: { ...deduplication, count } });
          }}
        />
      )}
      {deduplication?.duration && (
        <LengthFields
          label="Within"
          length={deduplication.duration}
          error={faultUnder(refused, 'deduplicationAction.duration', 'The length')}
          onChange={(duration) => {
            onChange({ deduplicationAction: { ...deduplication, duration } });
          }}
        />
      )}
    </>
  );
}

function AutoCloseFields({ form, onChange, refused }: EffectFieldsProps): JSX.Element {
  const action = form.autoCloseAction;
  return (
    <>
      <CheckField
        label="Close the alert by itself"
        hint="It is closed whatever its state, also where it was acknowledged."
        isChecked={action !== undefined}
        onChange={(isChecked) => {
          onChange({ autoCloseAction: isChecked ? { duration: { timeAmount: 1, timeUnit: 'hours' } } : undefined });
        }}
      />
      {action && (
        <LengthFields
          label="Close it after"
          length={action.duration}
          error={faultUnder(refused, 'autoCloseAction', 'The length')}
          onChange={(duration) => {
            onChange({ autoCloseAction: { duration } });
          }}
        />
      )}
    </>
  );
}

const NEW_RESTART = { duration: { timeAmount: 30, timeUnit: 'minutes' }, maxRepeatCount: 5 } as const;

function AutoRestartFields({ form, onChange, refused }: EffectFieldsProps): JSX.Element {
  const action = form.autoRestartAction;
  return (
    <>
      <CheckField
        label="Start notifications again"
        hint="From their beginning, while the alert is open and not acknowledged."
        isChecked={action !== undefined}
        onChange={(isChecked) => {
          onChange({ autoRestartAction: isChecked ? NEW_RESTART : undefined });
        }}
      />
      {action && (
        <>
          <LengthFields
            label="Start again each"
            length={action.duration}
            error={faultUnder(refused, 'autoRestartAction.duration', 'The length')}
            onChange={(duration) => {
              onChange({ autoRestartAction: { ...action, duration } });
            }}
          />
          <NumberField
            label="Times at most"
            hint="From 0 to 20. With 0 they never start again."
            min={0}
            max={20}
            value={action.maxRepeatCount}
            error={faultUnder(refused, 'autoRestartAction.maxRepeatCount', 'The number')}
            onValue={(maxRepeatCount) => {
              onChange({ autoRestartAction: { ...action, maxRepeatCount } });
            }}
          />
        </>
      )}
    </>
  );
}

const UNITS = LENGTH_UNITS.map((value) => ({ value, name: value }));

interface LengthFieldsProps {
  readonly label: string;
  readonly length: Length;
  readonly error: string | undefined;
  readonly onChange: (length: Length) => void;
}

function LengthFields({ error, label, length, onChange }: LengthFieldsProps): JSX.Element {
  return (
    <div className={styles['pair']}>
      <NumberField
        label={label}
        min={1}
        value={length.timeAmount}
        error={error}
        onValue={(timeAmount) => {
          onChange({ ...length, timeAmount });
        }}
      />
      <SelectField
        label={`${label}: unit`}
        value={length.timeUnit}
        options={UNITS}
        onValue={(timeUnit) => {
          onChange({ ...length, timeUnit });
        }}
      />
    </div>
  );
}
