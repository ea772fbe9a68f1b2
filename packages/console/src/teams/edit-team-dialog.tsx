import { type JSX, useState } from 'react';
import { announce } from '../shell/announcer.tsx';
import { useTyped } from '../shell/use-typed.ts';
import { Modal } from '../ui/modal.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import type { Team } from './queries.ts';
import { shownWrite, TeamFields } from './team-fields.tsx';
import { changedDetails } from './team-write.ts';
import { useTeamWrite } from './use-team-write.ts';

interface EditTeamDialogProps {
  readonly team: Team;
  readonly onClose: () => void;
}

/** Changes the name and the description of a team. */
export function EditTeamDialog({ onClose, team }: EditTeamDialogProps): JSX.Element {
  // What the person saw when they began: a change by another one comes into the team of the page.
  const [seen] = useState(team);
  const { clear, type, typed } = useTyped(`team ${team.id}`, { name: team.name, description: team.description });
  const close = () => {
    clear();
    onClose();
  };
  const write = useTeamWrite(seen, () => {
    announce('The team was changed.');
    close();
  });
  return (
    <Modal title="Change name and description" {...(!write.isPending && { onClose: close })} keepsInput>
      <WriteForm
        action={write.changes.length > 0 ? 'Save all the same' : 'Save'}
        fields={['description']}
        write={shownWrite(write)}
        disabledReason={typed.name.trim() === '' ? 'Type a name first.' : undefined}
        onSubmit={() => {
          write.send({ kind: 'details', change: changedDetails(seen, typed) });
        }}
        onCancel={close}
      >
        <TeamFields typed={typed} type={type} error={write.error} />
        <p>A new name leaves the names of its schedule and its escalation as they are.</p>
        <SeenChanges of="The team" changes={write.changes} />
      </WriteForm>
    </Modal>
  );
}
