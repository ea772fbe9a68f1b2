import { useQueries } from '@tanstack/react-query';
import type { JSX } from 'react';
import { announce } from '../shell/announcer.tsx';
import { useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { OWNED_KINDS, ownedQuery, type Team } from './queries.ts';
import { useTeamWrite } from './use-team-write.ts';

interface DeleteTeamDialogProps {
  readonly team: Team;
  readonly onClose: () => void;
}

/** Asks before a team is deleted, and says what goes with it. */
export function DeleteTeamDialog({ onClose, team }: DeleteTeamDialogProps): JSX.Element {
  const go = useGo();
  const owned = useQueries({ queries: OWNED_KINDS.map((kind) => ownedQuery(team.id, kind)) });
  const write = useTeamWrite(team, () => {
    announce(`The team ${team.name} was deleted.`);
    go(paths.teams(), { replace: true });
  });
  return (
    <ConfirmDialog
      title={`Delete the team ${team.name}?`}
      action={write.changes.length > 0 ? 'Delete all the same' : 'Delete the team'}
      write={write}
      onConfirm={() => {
        write.send({ kind: 'delete' });
      }}
      onClose={onClose}
    >
      <p>Its routing rules, its default schedule and its default escalation are deleted with it.</p>
      <p>Its integrations and policies are disabled: keys of its integrations are refused.</p>
      <p>
        Other schedules, escalations and heartbeats stay, and belong to no team. Its {team.members.length} members stay
        users.
      </p>
      <p>It has now:</p>
      <ul>
        {OWNED_KINDS.map((kind, index) => (
          <li key={kind}>
            {kind}: {owned[index]?.data?.length ?? 'not known yet'}
          </li>
        ))}
      </ul>
      <p>This cannot be taken back.</p>
      <SeenChanges of="The team" changes={write.changes} />
    </ConfirmDialog>
  );
}
