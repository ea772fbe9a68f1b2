import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { teamsQuery } from '../people/queries.ts';
import { SelectField } from '../ui/select-field.tsx';
import { PRIORITY_OPTIONS } from '../ui/choices.ts';
import { TextField } from '../ui/text-field.tsx';
import { type FieldName, type Faults, type HeartbeatForm, LABELS } from './form.ts';
import styles from './heartbeats.module.css';
import type { Heartbeat } from './queries.ts';

interface HeartbeatFieldsProps {
  readonly form: HeartbeatForm;
  readonly faults: Faults;
  /** The heartbeat to change; undefined for a new one. */
  readonly changed: Heartbeat | undefined;
  readonly onType: (change: Partial<HeartbeatForm>) => void;
}

const HINTS: Readonly<Partial<Record<FieldName, string>>> = {
  name: 'Of the system that pings. It cannot be changed later.',
  alertMessage: 'Where there is none: the name, and that it is expired.',
  alertTags: 'Several are separated by commas.',
};

export function HeartbeatFields({ changed, faults, form, onType }: HeartbeatFieldsProps): JSX.Element {
  const text = (field: FieldName) => (
    <TextField
      label={LABELS[field]}
      hint={HINTS[field]}
      error={faults[field]}
      value={form[field]}
      autoComplete="off"
      onChange={({ target }) => {
        onType({ [field]: target.value });
      }}
    />
  );
  return (
    <>
      {changed === undefined && text('name')}
      <div className={styles['pair']}>
        <TextField
          label={LABELS.interval}
          type="number"
          min={1}
          inputMode="numeric"
          error={faults.interval}
          value={form.interval}
          onChange={({ target }) => {
            onType({ interval: target.value });
          }}
        />
        <SelectField
          label={LABELS.intervalUnit}
          error={faults.intervalUnit}
          value={form.intervalUnit}
          options={UNITS}
          onValue={(intervalUnit) => {
            onType({ intervalUnit });
          }}
        />
      </div>
      {changed !== undefined && <p>A new interval begins when you save it, and closes an open alert.</p>}
      <TeamSelect form={form} faults={faults} changed={changed} onType={onType} />
      {text('description')}
      {text('alertMessage')}
      <SelectField
        label={LABELS.alertPriority}
        error={faults.alertPriority}
        value={form.alertPriority}
        options={PRIORITY_OPTIONS}
        onValue={(alertPriority) => {
          onType({ alertPriority });
        }}
      />
      {text('alertTags')}
    </>
  );
}

const UNITS = ['minutes', 'hours', 'days'].map((value) => ({ value, name: value }));

function TeamSelect({ changed, faults, form, onType }: HeartbeatFieldsProps): JSX.Element {
  const { data = [] } = useQuery(teamsQuery);
  const teams = data.map(({ id, name }) => ({ value: id, name }));
  const owner = changed?.ownerTeam;
  const missing = owner !== undefined && !teams.some(({ value }) => value === owner.id);
  return (
    <SelectField
      label={LABELS.ownerTeam}
      hint="It is paged by the alert. Without a team the alert pages no one."
      error={faults.ownerTeam}
      value={form.ownerTeam}
      options={[
        // The team of a heartbeat can be another one later, not none.
        ...(owner === undefined ? [{ value: '', name: 'No team' }] : []),
        ...(missing ? [{ value: owner.id, name: owner.name ?? owner.id }] : []),
        ...teams,
      ]}
      onValue={(ownerTeam) => {
        onType({ ownerTeam });
      }}
    />
  );
}
