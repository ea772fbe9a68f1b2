import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { problemText } from '../api/problem-text.ts';
import { serverNow } from '../api/server-clock.ts';
import { ResponderField } from '../people/responder-field.tsx';
import { TimeField } from '../schedules/time-field.tsx';
import { localZone } from '../schedules/time-text.ts';
import { fieldOf, instantOfField } from '../schedules/wall-field.ts';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { PRIORITY_OPTIONS } from '../ui/choices.ts';
import { SelectField } from '../ui/select-field.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import {
  type AlertFaults,
  type AlertField,
  type AlertForm,
  FIELD_NAMES,
  respondersOf,
  withResponder,
} from './alert-form.ts';
import styles from './flow.module.css';
import { integrationsQuery } from './queries.ts';

interface AlertFieldsProps {
  readonly form: AlertForm;
  readonly faults: AlertFaults;
  readonly onChange: (change: Partial<AlertForm>) => void;
}

interface ResponderFields extends AlertFieldsProps {
  /** A responder that is typed and not added yet. */
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
}

const PRIORITIES = [{ value: '', name: 'P3, where none is given' }, ...PRIORITY_OPTIONS];

const textOf =
  ({ faults, form, onChange }: AlertFieldsProps) =>
  (name: AlertField) => ({
    label: FIELD_NAMES[name],
    value: form[name],
    error: faults[name],
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      onChange({ [name]: target.value });
    },
  });

/** What most conditions are about. */
export function AlertBasics(props: AlertFieldsProps): JSX.Element {
  const { faults, form, onChange } = props;
  const text = textOf(props);
  return (
    <>
      <TextField {...text('message')} required />
      <div className={styles['pair']}>
        <SelectField
          label={FIELD_NAMES.priority}
          value={form.priority}
          error={faults.priority}
          options={PRIORITIES}
          onValue={(priority) => {
            onChange({ priority });
          }}
        />
        <TextField {...text('tags')} hint="Several are separated by commas." />
      </div>
    </>
  );
}

/** The fields of an alert that is tried. */
export function AlertFields({ faults, form, onChange, onTyped, typed }: ResponderFields): JSX.Element {
  const text = textOf({ form, faults, onChange });
  return (
    <>
      <AlertBasics form={form} faults={faults} onChange={onChange} />
      <Responders form={form} faults={faults} onChange={onChange} typed={typed} onTyped={onTyped} />
      <When form={form} faults={faults} onChange={onChange} />
      <details open={isMoreGiven(form, faults)}>
        <summary>More fields</summary>
        <div className={styles['pair']}>
          <TextField {...text('alias')} />
          <TextField {...text('entity')} />
          <TextField {...text('source')} />
          <IntegrationField form={form} faults={faults} onChange={onChange} />
        </div>
        <TextArea {...text('description')} rows={2} />
        <TextArea {...text('details')} rows={3} hint="A line for each, such as “host: db-1”." />
      </details>
    </>
  );
}

const MORE: readonly AlertField[] = ['alias', 'entity', 'source', 'integration', 'description', 'details'];
const isMoreGiven = (form: AlertForm, faults: AlertFaults): boolean =>
  MORE.some((name) => form[name] !== '' || faults[name] !== undefined);

function Responders({ faults, form, onChange, onTyped, typed }: ResponderFields): JSX.Element {
  const chosen = respondersOf(form);
  const change = (responders: readonly string[]) => {
    onChange({ responders: responders.join('\n') });
  };
  return (
    <div className={styles['group']}>
      {chosen.length > 0 && (
        <ul aria-label="Responders" className={styles['chosen']}>
          {chosen.map((responder, index) => (
            <li key={responder}>
              {responder}
              <Button
                aria-label={`Remove ${responder}`}
                onClick={() => {
                  change(chosen.toSpliced(index, 1));
                  announce(`${responder} was removed.`);
                }}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ResponderField
        label={chosen.length === 0 ? 'Responder' : 'Another responder'}
        text={typed}
        error={faults.responders}
        onText={onTyped}
      />
      <Button
        disabledReason={typed.trim() === '' ? 'Type or choose a responder first.' : undefined}
        onClick={() => {
          onChange(withResponder(form, typed));
          announce(`${typed.trim()} was added.`);
          onTyped('');
        }}
      >
        Add the responder
      </Button>
    </div>
  );
}

function When({ faults, form, onChange }: AlertFieldsProps): JSX.Element {
  const zone = localZone();
  const instant = Date.parse(form.at);
  const [field, setField] = useState(() => fieldOf(Number.isNaN(instant) ? serverNow() : instant, zone));
  const isNow = form.at === '';
  const isoOf = (next: typeof field) => {
    const { at } = instantOfField(next, zone);
    return at === undefined ? 'unknown' : new Date(at).toISOString();
  };
  return (
    <>
      <SelectField
        label={FIELD_NAMES.at}
        value={isNow ? 'now' : 'then'}
        options={[
          { value: 'now', name: 'Now' },
          { value: 'then', name: `At a time in ${zone}` },
        ]}
        onValue={(value) => {
          onChange({ at: value === 'now' ? '' : isoOf(field) });
        }}
      />
      {!isNow && (
        <TimeField
          label="At"
          zone={zone}
          field={field}
          error={faults.at}
          onChange={(next) => {
            setField(next);
            onChange({ at: isoOf(next) });
          }}
        />
      )}
    </>
  );
}

function IntegrationField({ faults, form, onChange }: AlertFieldsProps): JSX.Element {
  const { data = [], error } = useQuery(integrationsQuery);
  const known = data.map(({ id, name }) => ({ value: id, name }));
  const isKnown = form.integration === '' || known.some(({ value }) => value === form.integration);
  return (
    <SelectField
      label={FIELD_NAMES.integration}
      hint={error === null ? 'Through which it comes.' : `Integrations cannot be listed: ${problemText(error).what}`}
      value={form.integration}
      error={faults.integration}
      options={[
        { value: '', name: 'None of them' },
        ...known,
        ...(isKnown ? [] : [{ value: form.integration, name: form.integration }]),
      ]}
      onValue={(integration) => {
        onChange({ integration });
      }}
    />
  );
}
