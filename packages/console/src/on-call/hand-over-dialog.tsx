import { useMutation } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { type OpenedOverride, removeTyped } from '../schedules/opened.ts';
import { OverrideDialog } from '../schedules/override-dialog.tsx';
import styles from '../schedules/schedules.module.css';
import { localZone, timeText } from '../schedules/time-text.ts';
import { useOverrideChangesRefused } from '../session/use-rights.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import type { CalendarShift } from './calendar.ts';
import { ForwardingDialog } from './forwarding-dialog.tsx';
import { openShift } from './open-shift.ts';
import type { ForwardingRule, OnCall } from './queries.ts';

interface HandOverDialogProps {
  /** Those to choose from. */
  readonly offered: readonly CalendarShift[];
  /** All of the person. */
  readonly shifts: readonly CalendarShift[];
  readonly onCalls: readonly OnCall[];
  /** The forwarding rules of the person, as they saw them. */
  readonly rules: readonly ForwardingRule[];
  readonly username: string;
  readonly now: number;
  readonly onClose: () => void;
}

/** What is handed over: one of the shifts, by its place, or all for a time. */
type Choice = number | 'all';

/** Gives what a person is on call for to another one: first what, then to whom and when. */
export function HandOverDialog(props: HandOverDialogProps): JSX.Element {
  const { now, offered, onCalls, onClose, rules, shifts, username } = props;
  const [choice, setChoice] = useState<Choice>(offered.length > 0 ? 0 : 'all');
  const [isForwarding, setForwarding] = useState(false);
  const shift = choice === 'all' ? undefined : offered[choice];
  const opening = useMutation({ mutationFn: (chosen: CalendarShift) => openShift(chosen, onCalls, username) });
  if (isForwarding) {
    return <ForwardingDialog username={username} shifts={shifts} rules={rules} now={now} onClose={onClose} />;
  }
  if (opening.data !== undefined) return <ShiftDialog opened={opening.data} onClose={onClose} />;
  const proceed = () => {
    if (shift === undefined) setForwarding(true);
    else opening.mutate(shift);
  };
  return (
    <Modal title="Hand over" onClose={onClose}>
      <fieldset className={styles['choices']}>
        <legend>What do you hand over?</legend>
        {offered.map((each, place) => (
          <Option
            key={`${each.schedule} ${each.from}`}
            label={shiftText(each, now)}
            isChosen={choice === place}
            onChoose={() => {
              setChoice(place);
            }}
          />
        ))}
        <Option
          label="All that pages me, for a time"
          isChosen={choice === 'all'}
          onChoose={() => {
            setChoice('all');
          }}
        />
      </fieldset>
      <p role="status">{shift === undefined ? ALL : SHIFT}</p>
      {opening.error !== null && <Problem error={opening.error} />}
      <div className={ui['row']}>
        <Button
          look="primary"
          disabledReason={opening.isPending ? 'The server is answering.' : undefined}
          onClick={proceed}
        >
          Continue
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Modal>
  );
}

const SHIFT =
  'This makes an override in the schedule: another person is on call in place of you. All else that pages you still does.';
const ALL =
  'This makes a forwarding rule: what would page you pages another person, in all schedules, teams and escalations, and where an alert names you.';

function shiftText({ from, schedule, until }: CalendarShift, now: number): string {
  const zone = localZone();
  return `${schedule}, ${from <= now ? 'from now' : `from ${timeText(from, zone)}`} until ${timeText(until, zone)}`;
}

interface OptionProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Option({ isChosen, label, onChoose }: OptionProps): JSX.Element {
  return (
    <label className={ui['check']}>
      <input type="radio" name="what" checked={isChosen} onChange={onChoose} />
      {label}
    </label>
  );
}

interface ShiftDialogProps {
  readonly opened: OpenedOverride;
  readonly onClose: () => void;
}

function ShiftDialog({ onClose, opened }: ShiftDialogProps): JSX.Element {
  const { schedule } = opened.seen;
  const refused = useOverrideChangesRefused(schedule);
  return (
    <OverrideDialog
      opened={opened}
      refused={refused}
      onClose={() => {
        removeTyped(schedule.id);
        onClose();
      }}
    />
  );
}
