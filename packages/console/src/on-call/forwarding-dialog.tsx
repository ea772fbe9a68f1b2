import { type JSX, type SubmitEvent, useState } from 'react';
import { PersonField } from '../people/person-field.tsx';
import styles from '../schedules/schedules.module.css';
import { TimesFields } from '../schedules/time-field.tsx';
import { localZone, timeText } from '../schedules/time-text.ts';
import { fieldOf } from '../schedules/wall-field.ts';
import { announce } from '../shell/announcer.tsx';
import { keepDraft, readDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Problem } from '../ui/problem.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import ui from '../ui/ui.module.css';
import type { CalendarShift } from './calendar.ts';
import { ForwardingPreview } from './forwarding-preview.tsx';
import {
  type ForwardingFaults,
  type ForwardingForm,
  newForwarding,
  readForwarding,
  refusedForwarding,
  ruleText,
} from './hand-over.ts';
import { timesOf } from './my-shifts.ts';
import type { ForwardingRule } from './queries.ts';
import { useForwardingWrite } from './use-forwarding-write.ts';

interface ForwardingDialogProps {
  /** Who hands over. */
  readonly username: string;
  readonly shifts: readonly CalendarShift[];
  /** Their rules, as they saw them. */
  readonly rules: readonly ForwardingRule[];
  readonly now: number;
  readonly onClose: () => void;
}

/** Where what was typed is kept until it is saved or given up. */
const PLACE = 'forwarding rule';

function typedForm(): ForwardingForm | undefined {
  return readDraft(PLACE) as ForwardingForm | undefined;
}

/** Forwards all that pages a person to another one for a time. */
export function ForwardingDialog({ now, onClose, rules, shifts, username }: ForwardingDialogProps): JSX.Element {
  const zone = localZone();
  const times = timesOf(shifts, now);
  const [form, setForm] = useState(() => typedForm() ?? newForwarding(times, now, zone));
  const [isTried, setTried] = useState(false);
  const close = () => {
    keepDraft(PLACE, '');
    onClose();
  };
  const write = useForwardingWrite(username, () => {
    announce('Your pages are forwarded.');
    close();
  });
  const read = readForwarding(form, zone, username);
  const refusedAt = refusedForwarding(write.error);
  const { added = [], rules: seen = rules } = write.data ?? {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.faults === undefined && !write.isPending) write.mutate({ body: read.body, seen });
  };
  const answering = write.isPending ? 'The server is answering.' : undefined;
  return (
    <Modal title="Hand over all" {...(!write.isPending && { onClose: close })} keepsInput>
      <form noValidate onSubmit={submit}>
        <p>
          A forwarding rule: in this time, what would page you pages the person below in place of you, in all schedules,
          teams and escalations, and where an alert names you. Of rules of yours that overlap, the newest counts.
        </p>
        <ForwardingFields
          form={form}
          faults={{ ...refusedAt, ...(isTried && read.faults) }}
          next={times.next}
          onChange={(typed) => {
            setForm(typed);
            keepDraft(PLACE, JSON.stringify(typed));
            // What was refused is not what the form has now.
            if (write.error !== null) write.reset();
          }}
        />
        <ForwardingPreview read={read} shifts={shifts} />
        <SeenChanges
          of="The list of your forwarding rules"
          changes={added.map((rule) => `A rule ${ruleText(rule, zone)}.`)}
        />
        {write.error !== null && Object.keys(refusedAt).length === 0 && <Problem error={write.error} />}
        <div className={styles['actions']}>
          <Button type="submit" look="primary" disabledReason={answering}>
            {added.length > 0 ? 'Hand over all the same' : 'Hand over'}
          </Button>
          <Button disabledReason={answering} onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    </Modal>
  );
}

interface ForwardingFieldsProps {
  readonly form: ForwardingForm;
  readonly faults: ForwardingFaults;
  /** The next shift, whose times can be taken. */
  readonly next: CalendarShift | undefined;
  readonly onChange: (form: ForwardingForm) => void;
}

function ForwardingFields({ faults, form, next, onChange }: ForwardingFieldsProps): JSX.Element {
  const zone = localZone();
  return (
    <>
      <TimesFields form={form} faults={faults} zone={zone} onChange={onChange} />
      {next !== undefined && (
        <p>
          <Button
            onClick={() => {
              onChange({ ...form, from: fieldOf(next.from, zone), until: fieldOf(next.until, zone) });
            }}
          >
            Use the times of your next shift
          </Button>{' '}
          <span className={ui['hint']}>
            {next.schedule}, {timeText(next.from, zone)}
          </span>
        </p>
      )}
      <PersonField
        label="Person"
        text={form.username}
        error={faults.username}
        onText={(username) => {
          onChange({ ...form, username });
        }}
      />
    </>
  );
}
