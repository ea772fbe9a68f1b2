import { type JSX, useState } from 'react';
import { useAccountChangesRefused } from '../session/use-rights.ts';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import { DeleteTeamDialog } from './delete-team-dialog.tsx';
import { EditTeamDialog } from './edit-team-dialog.tsx';
import type { Team } from './queries.ts';

interface TeamActionsProps {
  readonly team: Team;
  readonly refused: string | undefined;
}

/** Renames, describes and deletes a team. */
export function TeamActions({ refused, team }: TeamActionsProps): JSX.Element {
  const accountRefused = useAccountChangesRefused();
  const [opened, setOpened] = useState<'edit' | 'delete'>();
  const close = () => {
    setOpened(undefined);
  };
  return (
    <>
      <div className={ui['row']}>
        <Button
          disabledReason={refused}
          onClick={() => {
            setOpened('edit');
          }}
        >
          Change name and description
        </Button>
        <Button
          disabledReason={accountRefused}
          onClick={() => {
            setOpened('delete');
          }}
        >
          Delete the team
        </Button>
      </div>
      {opened === 'edit' && <EditTeamDialog team={team} onClose={close} />}
      {opened === 'delete' && <DeleteTeamDialog team={team} onClose={close} />}
    </>
  );
}
