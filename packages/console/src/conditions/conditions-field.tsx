import type { JSX } from 'react';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import styles from './conditions.module.css';
import {
  type Condition,
  type ConditionFaults,
  conditionFaults,
  type ConditionForm,
  conditionOf,
  type Conditions,
  conditionsText,
  fieldOptions,
  formOf,
  hasValue,
  isMap,
  MATCH_TYPES,
  type MatchType,
  matchTypeOf,
  NEW_CONDITION,
  type Option,
  spelledType,
  verbOfForm,
  verbOptions,
  withMatchType,
  withPlace,
  withVerb,
} from './conditions-text.ts';

interface ConditionsFieldProps {
  /** What the conditions are for, such as `Alerts that it routes`. */
  readonly label: string;
  /** As the API answers it; it is sent by `sentConditions`. A condition that is not changed keeps its spelling. */
  readonly value: Conditions;
  readonly onChange: (value: Conditions) => void;
  /** Which fields there are: of an alert, or also of a mail. */
  readonly fieldsOf?: 'alert' | 'mail';
  /** What the server refused, by field of the body, and the name that the set has in it. */
  readonly refused: Readonly<Record<string, string>>;
  readonly name: string;
}

/** The conditions that an alert has to fulfil, each of a field, an operation and a value, with what they say in words. */
export function ConditionsField(props: ConditionsFieldProps): JSX.Element {
  const { fieldsOf = 'alert', label, name, onChange, refused, value } = props;
  const type = matchTypeOf(value);
  const conditions = value.conditions ?? [];
  const faults = conditionFaults(refused, name);
  const change = (next: readonly Condition[]) => {
    onChange({ ...value, conditions: next });
  };
  return (
    <fieldset className={styles['conditions']}>
      <legend className={ui['label']}>{label}</legend>
      <MatchTypeField
        value={value}
        type={type}
        error={faults.set}
        onChange={(next) => {
          onChange(withMatchType(value, next));
        }}
      />
      {type !== 'match-all' && (
        <>
          <ol className={styles['list']}>
            {conditions.map((condition, index) => (
              <li key={index}>
                <ConditionFields
                  place={index + 1}
                  condition={condition}
                  fieldsOf={fieldsOf}
                  faults={faults.at(index)}
                  onChange={(next) => {
                    change(conditions.with(index, next));
                  }}
                  {...(conditions.length > 1 && {
                    onRemove: () => {
                      change(conditions.toSpliced(index, 1));
                      announce(`Condition ${index + 1} was removed.`);
                    },
                  })}
                />
              </li>
            ))}
          </ol>
          <Button
            onClick={() => {
              change([...conditions, NEW_CONDITION]);
            }}
          >
            Add a condition
          </Button>
          <p className={ui['hint']}>It holds for {conditionsText(value)}.</p>
        </>
      )}
    </fieldset>
  );
}

const TYPE_NAMES: Readonly<Record<MatchType, string>> = {
  'match-all': 'Every alert',
  'match-all-conditions': 'Alerts that fulfil all of the conditions',
  'match-any-condition': 'Alerts that fulfil one of the conditions',
};
const TYPE_OPTIONS = MATCH_TYPES.map((value) => ({ value, name: TYPE_NAMES[value] }));

interface MatchTypeFieldProps {
  readonly value: Conditions;
  readonly type: MatchType | undefined;
  readonly error: string | undefined;
  readonly onChange: (type: MatchType) => void;
}

function MatchTypeField({ error, onChange, type, value }: MatchTypeFieldProps): JSX.Element {
  const unknown = { value: '', name: spelledType(value) } as const;
  return (
    <SelectField<MatchType | ''>
      label="Holds for"
      value={type ?? ''}
      error={error}
      options={type === undefined ? [...TYPE_OPTIONS, unknown] : TYPE_OPTIONS}
      onValue={(next) => {
        if (next !== '') onChange(next);
      }}
    />
  );
}

interface ConditionFieldsProps {
  readonly place: number;
  readonly condition: Condition;
  readonly fieldsOf: 'alert' | 'mail';
  readonly faults: ConditionFaults;
  readonly onChange: (condition: Condition) => void;
  /** Absent for the only one. */
  readonly onRemove?: () => void;
}

function ConditionFields(props: ConditionFieldsProps): JSX.Element {
  const { condition, faults, fieldsOf, onChange, onRemove, place } = props;
  const form = formOf(condition);
  const change = (next: ConditionForm) => {
    onChange(conditionOf(next, condition));
  };
  return (
    <div role="group" aria-label={`Condition ${place}`} className={styles['condition']}>
      <SelectField
        label="Field"
        value={form.field}
        error={faults.field}
        options={withOption(fieldOptions(fieldsOf), form.field)}
        onValue={(field) => {
          change(withPlace(form, { field }));
        }}
      />
      {isMap(form.field) && (
        <TextField
          label="Key"
          hint="Empty for all of them."
          value={form.key}
          error={faults.key}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            change(withPlace(form, { key: target.value }));
          }}
        />
      )}
      <SelectField
        label="Operation"
        value={verbOfForm(form)}
        error={faults.operation}
        options={verbOptions(form)}
        onValue={(verb) => {
          change(withVerb(form, verb));
        }}
      />
      {hasValue(form.operation) && (
        <TextField
          label="Value"
          value={form.expectedValue}
          error={faults.expectedValue}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            change({ ...form, expectedValue: target.value });
          }}
        />
      )}
      {onRemove && (
        <Button aria-label={`Remove condition ${place}`} onClick={onRemove}>
          Remove
        </Button>
      )}
    </div>
  );
}

const withOption = (options: readonly Option[], value: string): readonly Option[] =>
  options.some((option) => option.value === value) ? options : [...options, { value, name: value }];
