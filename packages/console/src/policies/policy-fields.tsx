import type { JSX } from 'react';
import { faultUnder } from '../api/problem-text.ts';
import { ConditionsField } from '../conditions/conditions-field.tsx';
import { TimeRestrictionField } from '../conditions/time-restriction-field.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { AlertEffects } from './alert-effects.tsx';
import { NotificationEffects } from './notification-effects.tsx';
import type { EffectFieldsProps, PolicyKind } from './policy-form.ts';

/** The fields of a policy. */
export function PolicyFields({ kind, ...props }: EffectFieldsProps & { readonly kind: PolicyKind }): JSX.Element {
  const { form, onChange, refused } = props;
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        error={faultUnder(refused, 'name', 'Name')}
        autoComplete="off"
        onChange={({ target }) => {
          onChange({ name: target.value });
        }}
      />
      <TextField
        label="Description"
        hint="Why there is this policy. No alert has it."
        value={form.policyDescription}
        error={faultUnder(refused, 'policyDescription', 'Description')}
        autoComplete="off"
        onChange={({ target }) => {
          onChange({ policyDescription: target.value });
        }}
      />
      <CheckField
        label="Enabled"
        isChecked={form.enabled}
        onChange={(enabled) => {
          onChange({ enabled });
        }}
      />
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
        zone="Times are in the time zone of the account."
        value={form.timeRestrictions}
        error={faultUnder(refused, 'timeRestrictions', 'The time')}
        onChange={(timeRestrictions) => {
          onChange({ timeRestrictions });
        }}
      />
      {kind === 'alert' ? <AlertEffects {...props} /> : <NotificationEffects {...props} />}
    </>
  );
}
