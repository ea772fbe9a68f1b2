import type { JSX } from 'react';
import { faultUnder } from '../api/problem-text.ts';
import { ConditionsField } from '../conditions/conditions-field.tsx';
import { RespondersField } from '../people/responders-field.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { PRIORITY_OPTIONS } from '../ui/choices.ts';
import { PairsField } from '../ui/pairs-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import {
  type ActionForm,
  ALERT_TEXTS,
  type AlertText,
  COMMON_TEXTS,
  type CommonText,
  IGNORED,
  type IgnoredName,
} from './action-form.ts';
import type { ActionGroup } from './actions.ts';

interface ActionFieldsProps {
  readonly type: ActionGroup;
  /** What the integration takes. */
  readonly of: 'alert' | 'mail';
  readonly form: ActionForm;
  /** What the server refused, by its names of the fields. */
  readonly refused: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<ActionForm>) => void;
}

/** The fields of an action. */
export function ActionFields(props: ActionFieldsProps): JSX.Element {
  const { form, of, onChange, refused, type } = props;
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
      <ConditionsField
        label={of === 'mail' ? 'For which mails' : 'For which requests'}
        name="filter"
        fieldsOf={of}
        refused={refused}
        value={form.filter}
        onChange={(filter) => {
          onChange({ filter });
        }}
      />
      {type !== 'ignore' && (
        <fieldset className={ui['group']}>
          <legend className={ui['label']}>{type === 'create' ? 'What the alert says' : 'Which alert, and who'}</legend>
          <p className={ui['hint']}>
            Each is a template: {'{{message}}'} is the message of the request, {'{{_payload.check.host}}'} a field of
            its body. What is left empty is taken from the request.
          </p>
          <Texts names={COMMON_TEXTS} {...props} />
          {type === 'create' && <Texts names={ALERT_TEXTS} {...props} />}
        </fieldset>
      )}
      {type === 'create' && <CreateFields {...props} />}
    </>
  );
}

type TextName = CommonText | AlertText;

function Texts({
  form,
  names,
  onChange,
  refused,
}: ActionFieldsProps & { readonly names: Readonly<Partial<Record<TextName, string>>> }): JSX.Element {
  return (
    <>
      {(Object.entries(names) as [TextName, string][]).map(([name, label]) => (
        <TextArea
          key={name}
          label={label}
          rows={name === 'description' ? 3 : 1}
          value={form[name]}
          error={faultUnder(refused, name, label)}
          spellCheck={false}
          onChange={({ target }) => {
            onChange({ [name]: target.value });
          }}
        />
      ))}
    </>
  );
}

const PRIORITIES = [{ value: '', name: 'That of the request' }, ...PRIORITY_OPTIONS];

function CreateFields(props: ActionFieldsProps): JSX.Element {
  const { form, of, onChange, refused } = props;
  return (
    <>
      <SelectField
        label="Priority"
        value={form.priority}
        error={faultUnder(refused, 'priority', 'Priority')}
        options={PRIORITIES}
        onValue={(priority) => {
          onChange({ priority });
        }}
      />
      <TextField
        label="Priority by a template"
        hint="Such as {{details.severity}}. Where it results in none of P1 to P5, the priority above is taken."
        value={form.customPriority}
        error={faultUnder(refused, 'customPriority', 'The template')}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          onChange({ customPriority: target.value });
        }}
      />
      <AddedToLists {...props} />
      <RespondersField
        label="Responders that it adds"
        hint="They are paged beside those of the request."
        error={faultUnder(refused, 'responders', 'Responder')}
        rows={form.responders}
        onChange={(responders) => {
          onChange({ responders });
        }}
      />
      <Ignored name="ignoreTeamsFromPayload" {...props} />
      <Ignored name="ignoreRecipientsFromPayload" {...props} />
      {of === 'mail' && (
        <CheckField
          label="Keep the files of the mail"
          isChecked={form.appendAttachments}
          onChange={(appendAttachments) => {
            onChange({ appendAttachments });
          }}
        />
      )}
    </>
  );
}

/** What it adds to tags, actions and details. */
function AddedToLists(props: ActionFieldsProps): JSX.Element {
  const { form, onChange, refused } = props;
  return (
    <fieldset className={ui['group']}>
      <legend className={ui['label']}>What it adds and leaves out</legend>
      <TextArea
        label="Tags that it adds"
        hint="A template on each line."
        rows={2}
        value={form.tags}
        error={faultUnder(refused, 'tags', 'Tag')}
        spellCheck={false}
        onChange={({ target }) => {
          onChange({ tags: target.value });
        }}
      />
      <Ignored name="ignoreTagsFromPayload" {...props} />
      <TextArea
        label="Actions that it adds"
        hint="A name on each line: what people can start from the alert, such as restart."
        rows={2}
        value={form.alertActions}
        error={faultUnder(refused, 'alertActions', 'Action')}
        spellCheck={false}
        onChange={({ target }) => {
          onChange({ alertActions: target.value });
        }}
      />
      <Ignored name="ignoreAlertActionsFromPayload" {...props} />
      <PairsField
        label="Details that it sets"
        hint="A value is a template. A detail of the request with the same name is replaced."
        rowName="Detail"
        error={faultUnder(refused, 'extraProperties', 'Details')}
        pairs={form.extraProperties}
        onChange={(extraProperties) => {
          onChange({ extraProperties });
        }}
      />
      <Ignored name="ignoreExtraPropertiesFromPayload" {...props} />
    </fieldset>
  );
}

function Ignored({ form, name, onChange }: ActionFieldsProps & { readonly name: IgnoredName }): JSX.Element {
  return (
    <CheckField
      label={`Leave out the ${IGNORED[name]} of the request`}
      isChecked={form[name]}
      onChange={(isChecked) => {
        onChange({ [name]: isChecked });
      }}
    />
  );
}
