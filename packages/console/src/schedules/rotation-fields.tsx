import type { JSX } from 'react';
import { TimeRestrictionField } from '../conditions/time-restriction-field.tsx';
import { ResponderField } from '../people/responder-field.tsx';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import {
  movedItem,
  NEW_PARTICIPANT,
  type ParticipantForm,
  type Rotation,
  type RotationFaults,
  type RotationForm,
  type RotationType,
} from './rotation-form.ts';
import styles from './schedules.module.css';
import { TimeField } from './time-field.tsx';

const KINDS = ['team', 'escalation'] as const;
const TYPES: readonly { readonly value: RotationType; readonly name: string }[] = [
  { value: 'weekly', name: 'weeks' },
  { value: 'daily', name: 'days' },
  { value: 'hourly', name: 'hours' },
];

interface RotationFieldsProps {
  readonly form: RotationForm;
  readonly faults: RotationFaults;
  readonly zone: string;
  /** The rotation to change; undefined for a new one. */
  readonly changed: Rotation | undefined;
  readonly onChange: (form: RotationForm) => void;
}

/** The fields of a rotation. */
export function RotationFields({ changed, faults, form, onChange, zone }: RotationFieldsProps): JSX.Element {
  return (
    <>
      <TextField
        label="Name of the rotation"
        hint={changed === undefined ? 'Without one it is called Rot1, Rot2 and so on.' : undefined}
        value={form.name}
        error={faults['name']}
        autoComplete="off"
        onChange={({ target }) => {
          onChange({ ...form, name: target.value });
        }}
      />
      <div className={styles['times']}>
        <TextField
          label="Each is on call for"
          type="number"
          min={1}
          step={1}
          inputMode="numeric"
          value={form.length}
          error={faults['length']}
          onChange={({ target }) => {
            onChange({ ...form, length: target.value });
          }}
        />
        <SelectField
          label="Unit"
          value={form.type}
          options={TYPES}
          error={faults['type']}
          onValue={(type) => {
            onChange({ ...form, type });
          }}
        />
      </div>
      <ParticipantsFields
        participants={form.participants}
        faults={faults}
        onChange={(participants) => {
          onChange({ ...form, participants });
        }}
      />
      <SpanFields form={form} faults={faults} zone={zone} onChange={onChange} />
      <TimeRestrictionField
        value={form.timeRestriction}
        zone={`Times are on the clocks of ${zone}. Minutes become 0 or 30.`}
        error={faults['timeRestriction']}
        onChange={(timeRestriction) => {
          onChange({ ...form, timeRestriction });
        }}
      />
    </>
  );
}

function SpanFields({ faults, form, onChange, zone }: Omit<RotationFieldsProps, 'changed'>): JSX.Element {
  return (
    <>
      <TimeField
        label="Start"
        zone={zone}
        field={form.from}
        error={faults['from']}
        onChange={(from) => {
          onChange({ ...form, from });
        }}
      />
      <p className={ui['hint']}>The first turn begins at the start. Minutes become 0 or 30.</p>
      <CheckField
        label="It ends"
        isChecked={form.hasEnd}
        onChange={(hasEnd) => {
          onChange({ ...form, hasEnd });
        }}
      />
      {form.hasEnd && (
        <TimeField
          label="End"
          zone={zone}
          field={form.until}
          error={faults['until']}
          onChange={(until) => {
            onChange({ ...form, until });
          }}
        />
      )}
    </>
  );
}

interface ParticipantsProps {
  readonly participants: readonly ParticipantForm[];
  readonly faults: RotationFaults;
  readonly onChange: (participants: readonly ParticipantForm[]) => void;
}

function ParticipantsFields({ faults, onChange, participants }: ParticipantsProps): JSX.Element {
  return (
    <fieldset className={styles['choices']}>
      <legend>Participants, in the order of their turns</legend>
      {faults['participants'] !== undefined && (
        <p role="alert" className={ui['error']}>
          {faults['participants']}
        </p>
      )}
      <ol className={styles['list']}>
        {participants.map((participant, index) => (
          <li key={index}>
            <div role="group" aria-label={`Participant ${index + 1}`}>
              <ParticipantFields
                participant={participant}
                place={index + 1}
                error={faults[`participants[${index}]`]}
                onChange={(next) => {
                  onChange(participants.with(index, next));
                }}
              />
              <ParticipantButtons participants={participants} index={index} onChange={onChange} />
            </div>
          </li>
        ))}
      </ol>
      <Button
        onClick={() => {
          onChange([...participants, NEW_PARTICIPANT]);
        }}
      >
        Add a participant
      </Button>
    </fieldset>
  );
}

interface ParticipantFieldsProps {
  readonly participant: ParticipantForm;
  /** From 1. */
  readonly place: number;
  readonly error: string | undefined;
  readonly onChange: (participant: ParticipantForm) => void;
}

function ParticipantFields({ error, onChange, participant, place }: ParticipantFieldsProps): JSX.Element {
  return (
    <>
      {!participant.isNoOne && (
        <ResponderField
          label={`Participant ${place}`}
          hint="A person, a team or an escalation: type a part of the name."
          kinds={KINDS}
          text={participant.to}
          error={error}
          onText={(to) => {
            onChange({ ...participant, to });
          }}
        />
      )}
      <CheckField
        label={`No one is on call in turn ${place}`}
        isChecked={participant.isNoOne}
        onChange={(isNoOne) => {
          onChange({ ...participant, isNoOne });
        }}
      />
    </>
  );
}

interface ParticipantButtonsProps extends Omit<ParticipantsProps, 'faults'> {
  readonly index: number;
}

function ParticipantButtons({ index, onChange, participants }: ParticipantButtonsProps): JSX.Element {
  const place = index + 1;
  const move = (by: -1 | 1) => {
    onChange(movedItem(participants, index, by));
    announce(`Participant ${place} is participant ${place + by} now.`);
  };
  return (
    <div className={ui['row']}>
      <Button
        aria-label={`Move participant ${place} up`}
        disabledReason={index === 0 ? 'It is the first one.' : undefined}
        onClick={() => {
          move(-1);
        }}
      >
        Up
      </Button>
      <Button
        aria-label={`Move participant ${place} down`}
        disabledReason={place === participants.length ? 'It is the last one.' : undefined}
        onClick={() => {
          move(1);
        }}
      >
        Down
      </Button>
      <Button
        aria-label={`Remove participant ${place}`}
        disabledReason={participants.length === 1 ? 'A rotation has at least one participant.' : undefined}
        onClick={() => {
          onChange(participants.toSpliced(index, 1));
          announce(`Participant ${place} was removed.`);
        }}
      >
        Remove
      </Button>
    </div>
  );
}
