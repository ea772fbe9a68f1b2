import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { teamsQuery } from '../people/queries.ts';
import { CheckField } from '../ui/check-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type Faults, type IntegrationForm, LABELS, TYPES } from './form.ts';
import { kindOf } from './integration.ts';
import type { Integration } from './queries.ts';

interface IntegrationFieldsProps {
  readonly form: IntegrationForm;
  readonly faults: Faults;
  /** The integration to change; undefined for a new one. */
  readonly changed: Integration | undefined;
  readonly onType: (change: Partial<IntegrationForm>) => void;
}

export function IntegrationFields({ changed, faults, form, onType }: IntegrationFieldsProps): JSX.Element {
  const kind = kindOf(form.type);
  return (
    <>
      <TextField
        label={LABELS.name}
        value={form.name}
        maxLength={250}
        autoComplete="off"
        error={faults.name}
        onChange={({ target }) => {
          onType({ name: target.value });
        }}
      />
      {changed === undefined && (
        <SelectField
          label={LABELS.type}
          hint="It cannot be changed later. Webhooks, which post what happens to alerts, are made by the API."
          error={faults.type}
          value={form.type}
          options={TYPES}
          onValue={(type) => {
            onType({ type });
          }}
        />
      )}
      <TeamSelect form={form} faults={faults} changed={changed} onType={onType} />
      {kind === 'mail' && (
        <TextField
          label={LABELS.emailUsername}
          hint="Such as ops. Mail to this address becomes alerts."
          value={form.emailUsername}
          autoComplete="off"
          error={faults.emailUsername}
          onChange={({ target }) => {
            onType({ emailUsername: target.value });
          }}
        />
      )}
      {kind === 'key' && (
        <CheckField
          label="Its key may change the configuration, as Terraform does"
          isChecked={form.mayConfigure !== ''}
          onChange={(isChecked) => {
            onType({ mayConfigure: isChecked ? 'yes' : '' });
          }}
        />
      )}
    </>
  );
}

function TeamSelect({ changed, faults, form, onType }: IntegrationFieldsProps): JSX.Element {
  const { data = [] } = useQuery(teamsQuery);
  const owner = changed?.ownerTeam;
  const isMissing = owner !== undefined && !data.some(({ id }) => id === owner.id);
  return (
    <SelectField
      label={LABELS.ownerTeam}
      hint="Its alerts go to this team. Without one they go to the responders that each of them names."
      error={faults.ownerTeam}
      value={form.ownerTeam}
      options={[
        { value: '', name: 'No team' },
        ...(isMissing ? [{ value: owner.id, name: owner.name ?? owner.id }] : []),
        ...data.map(({ id, name }) => ({ value: id, name })),
      ]}
      onValue={(ownerTeam) => {
        onType({ ownerTeam });
      }}
    />
  );
}
