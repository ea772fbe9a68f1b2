import type { JSX } from 'react';
import { useOwnerTeams } from '../teams/use-owner-teams.ts';
import { CheckField } from '../ui/check-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { ZoneField } from '../ui/zone-field.tsx';
import type { DetailsFaults, DetailsForm } from './details-form.ts';

interface DetailsFieldsProps {
  readonly form: DetailsForm;
  readonly faults: DetailsFaults;
  /** The team that owns it now, which it cannot lose; undefined where it may have none. */
  readonly owner: { readonly id: string; readonly name?: string | undefined } | undefined;
  readonly onChange: (form: DetailsForm) => void;
}

/** The fields of a schedule beside its rotations. */
export function DetailsFields({ faults, form, onChange, owner }: DetailsFieldsProps): JSX.Element {
  const teams = useOwnerTeams();
  const isListed = owner === undefined || teams.some(({ id }) => id === owner.id);
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        error={faults.name}
        autoComplete="off"
        onChange={({ target }) => {
          onChange({ ...form, name: target.value });
        }}
      />
      <SelectField
        label="Team"
        value={form.teamId}
        error={faults.teamId}
        options={[
          ...(isListed ? [] : [{ value: owner.id, name: owner.name ?? owner.id }]),
          ...teams.map(({ id, name }) => ({ value: id, name })),
          ...(owner === undefined ? [{ value: '', name: 'No team' }] : []),
        ]}
        onValue={(teamId) => {
          onChange({ ...form, teamId });
        }}
      />
      <ZoneField
        value={form.zone}
        hint="Turns change on the clocks of this zone."
        error={faults.zone}
        onText={(zone) => {
          onChange({ ...form, zone });
        }}
      />
      <TextArea
        label="Description"
        rows={2}
        value={form.description}
        error={faults.description}
        onChange={({ target }) => {
          onChange({ ...form, description: target.value });
        }}
      />
      <CheckField
        label="Enabled: a schedule that is not puts no one on call"
        isChecked={form.isEnabled}
        onChange={(isEnabled) => {
          onChange({ ...form, isEnabled });
        }}
      />
    </>
  );
}
