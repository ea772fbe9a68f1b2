import type { JSX } from 'react';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TimeOfDayField } from '../ui/time-of-day-field.tsx';
import ui from '../ui/ui.module.css';
import styles from './me.module.css';
import { Fault } from './rule-fields.tsx';
import { NEW_SPAN, type TimeForm, type Weekday, WEEKDAYS, type WeekSpan } from './rule-form.ts';
import { dayName } from './rules-text.ts';

interface TimeFieldsProps {
  readonly time: TimeForm;
  readonly error: string | undefined;
  readonly onChange: (time: TimeForm) => void;
}

const KINDS = [
  { value: 'always', name: 'At any time' },
  { value: 'daily', name: 'At some hours of each day' },
  { value: 'weekly', name: 'In some stretches of the week' },
] as const;

const MAX_SPANS = 15;

/** When a rule holds, on the clock of its user. */
export function TimeFields({ error, onChange, time }: TimeFieldsProps): JSX.Element {
  const { kind, spans } = time;
  return (
    <fieldset className={styles['group']}>
      <legend className={ui['label']}>When</legend>
      <SelectField
        label="It holds"
        value={kind}
        options={KINDS}
        onValue={(next) => {
          const first = next === 'weekly' && spans.length === 0 ? [NEW_SPAN] : spans;
          onChange({ ...time, kind: next, spans: first });
        }}
      />
      {kind === 'daily' && (
        <div className={styles['step']}>
          <TimeOfDayField
            label="From"
            value={time.from}
            onValue={(from) => {
              onChange({ ...time, from });
            }}
          />
          <TimeOfDayField
            label="Until"
            value={time.until}
            onValue={(until) => {
              onChange({ ...time, until });
            }}
          />
        </div>
      )}
      {kind === 'weekly' && (
        <Spans
          spans={spans}
          onChange={(next) => {
            onChange({ ...time, spans: next });
          }}
        />
      )}
      <Fault text={error} />
    </fieldset>
  );
}

interface SpansProps {
  readonly spans: readonly WeekSpan[];
  readonly onChange: (spans: readonly WeekSpan[]) => void;
}

function Spans({ onChange, spans }: SpansProps): JSX.Element {
  return (
    <>
      <ol className={styles['list']}>
        {spans.map((span, index) => (
          <li key={index}>
            <SpanFields
              place={index + 1}
              span={span}
              onChange={(next) => {
                onChange(spans.with(index, next));
              }}
              onRemove={() => {
                onChange(spans.toSpliced(index, 1));
                announce(`Stretch ${index + 1} was removed.`);
              }}
            />
          </li>
        ))}
      </ol>
      <Button
        disabledReason={spans.length >= MAX_SPANS ? `A rule has at most ${MAX_SPANS} stretches.` : undefined}
        onClick={() => {
          onChange([...spans, NEW_SPAN]);
        }}
      >
        Add a stretch
      </Button>
    </>
  );
}

const DAY_OPTIONS = WEEKDAYS.map((value) => ({ value, name: dayName(value) }));

interface SpanFieldsProps {
  readonly place: number;
  readonly span: WeekSpan;
  readonly onChange: (span: WeekSpan) => void;
  readonly onRemove: () => void;
}

function SpanFields({ onChange, onRemove, place, span }: SpanFieldsProps): JSX.Element {
  return (
    <div role="group" aria-label={`Stretch ${place}`} className={styles['step']}>
      <SelectField<Weekday>
        label="From day"
        value={span.startDay}
        options={DAY_OPTIONS}
        onValue={(startDay) => {
          onChange({ ...span, startDay });
        }}
      />
      <TimeOfDayField
        label="From"
        value={span.from}
        onValue={(from) => {
          onChange({ ...span, from });
        }}
      />
      <SelectField<Weekday>
        label="Until day"
        value={span.endDay}
        options={DAY_OPTIONS}
        onValue={(endDay) => {
          onChange({ ...span, endDay });
        }}
      />
      <TimeOfDayField
        label="Until"
        value={span.until}
        onValue={(until) => {
          onChange({ ...span, until });
        }}
      />
      <Button aria-label={`Remove stretch ${place}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}
