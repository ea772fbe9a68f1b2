import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { useGuardedWrite } from '../api/guarded-write.ts';
import { fieldText } from '../api/problem-text.ts';
import { ConditionsField } from '../conditions/conditions-field.tsx';
import { TimeRestrictionField } from '../conditions/time-restriction-field.tsx';
import { escalationsQuery } from '../escalations/queries.ts';
import { schedulesQuery } from '../schedules/queries.ts';
import { localZone } from '../schedules/time-text.ts';
import { announce } from '../shell/announcer.tsx';
import { keepDraft, readDraft } from '../shell/unsaved.ts';
import { Problem } from '../ui/problem.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import { pathOf, readRule, routingQuery } from './queries.ts';
import {
  bodyOf,
  changesBetween,
  faultsOf,
  formOf,
  type RoutingForm,
  type RoutingRule,
  targetOptions,
} from './routing-form.ts';

interface RuleFormProps {
  readonly teamId: string;
  /** Undefined for a new one. */
  readonly rule: RoutingRule | undefined;
  readonly refused: string | undefined;
  readonly onClose: () => void;
}

/** What was typed, and what its person saw of the rule when they began. */
interface Typed {
  readonly form: RoutingForm;
  readonly seen: RoutingRule | undefined;
}

const placeOf = (teamId: string, rule: RoutingRule | undefined) => `routing rule ${teamId} ${rule?.id ?? 'new'}`;

/** The form of a routing rule. What is typed is kept until it is saved or given up. */
export function RuleForm({ onClose, refused, rule, teamId }: RuleFormProps): JSX.Element {
  const client = useQueryClient();
  const place = placeOf(teamId, rule);
  const [typed, setTyped] = useState((): Typed => {
    return (readDraft(place) as Typed | undefined) ?? { form: formOf(rule, localZone()), seen: rule };
  });
  const [isTried, setTried] = useState(false);
  const { form, seen } = typed;
  const close = () => {
    keepDraft(place, '');
    onClose();
  };
  const write = useGuardedWrite(seen, {
    read: () => (rule === undefined ? Promise.resolve(undefined) : readRule(teamId, rule.id)),
    changesBetween,
    onDone: async () => {
      await client.invalidateQueries(routingQuery(teamId));
      announce('The routing rule was saved.');
      close();
    },
  });
  const change = (next: Partial<RoutingForm>) => {
    const kept: Typed = { form: { ...form, ...next }, seen };
    write.forgetError();
    setTyped(kept);
    keepDraft(place, JSON.stringify(kept));
  };
  const faults = faultsOf(form);
  const save = () => {
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    write.save((now) => {
      const body = bodyOf(form, now);
      return now === undefined
        ? call({ method: 'POST', path: pathOf(teamId), body, isDoneEachTime: true })
        : call({ method: 'PATCH', path: `${pathOf(teamId)}/${encodeURIComponent(now.id)}`, body });
    });
  };
  const server = write.error instanceof CallError ? write.error.fields : {};
  return (
    <WriteForm
      label={rule === undefined ? 'New routing rule' : `Routing rule ${rule.name}`}
      action={write.changes.length > 0 ? 'Save all the same' : 'Save'}
      fields={[]}
      write={write}
      disabledReason={refused}
      onSubmit={save}
      onCancel={close}
    >
      <RuleFields form={form} seen={seen} refused={{ ...server, ...(isTried && faults) }} onChange={change} />
      <SeenChanges of="The routing rule" changes={write.changes} />
    </WriteForm>
  );
}

interface RuleFieldsProps {
  readonly form: RoutingForm;
  readonly seen: RoutingRule | undefined;
  readonly refused: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<RoutingForm>) => void;
}

function RuleFields(props: RuleFieldsProps): JSX.Element {
  const { form, onChange, refused, seen } = props;
  const escalations = useQuery(escalationsQuery);
  const schedules = useQuery(schedulesQuery);
  const named = { escalations: escalations.data ?? [], schedules: schedules.data?.data ?? [] };
  const failed = escalations.error ?? schedules.error;
  return (
    <>
      {seen?.isDefault === true ? (
        <p role="note">It takes every alert that no rule before it takes. Only where they go can be changed.</p>
      ) : (
        <ConditionFields {...props} />
      )}
      <SelectField
        label="Where the alerts go"
        value={form.target}
        error={faultOf('The target', refused, 'notify')}
        options={targetOptions(named, form.target)}
        onValue={(target) => {
          onChange({ target });
        }}
      />
      {failed !== null && <Problem of="Targets: " error={failed} />}
    </>
  );
}

function ConditionFields({ form, onChange, refused }: RuleFieldsProps): JSX.Element {
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        error={faultOf('Name', refused, 'name')}
        autoComplete="off"
        onChange={({ target }) => {
          onChange({ name: target.value });
        }}
      />
      <ConditionsField
        label="Which alerts"
        name="criteria"
        refused={refused}
        value={form.criteria}
        onChange={(criteria) => {
          onChange({ criteria });
        }}
      />
      <TimeRestrictionField
        zone="Times are in the time zone of the rule, below."
        value={form.timeRestriction}
        error={faultOf('The time', refused, 'timeRestriction')}
        onChange={(timeRestriction) => {
          onChange({ timeRestriction });
        }}
      />
      {form.timeRestriction && (
        <TextField
          label="Time zone"
          hint="Such as Europe/Berlin: on its clocks."
          value={form.timezone}
          error={faultOf('The time zone', refused, 'timezone')}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            onChange({ timezone: target.value });
          }}
        />
      )}
    </>
  );
}

function faultOf(label: string, refused: Readonly<Record<string, string>>, name: string): string | undefined {
  const fault = Object.entries(refused).find(([path]) => path === name || path.startsWith(`${name}.`))?.[1];
  return fault === undefined ? undefined : fieldText(label, fault);
}
