import { type JSX, useState } from 'react';
import { CallError } from '../api/call-error.ts';
import { faultAt } from '../api/problem-text.ts';
import { PersonField } from '../people/person-field.tsx';
import { announce } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { useTyped } from '../shell/use-typed.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { SelectField } from '../ui/select-field.tsx';
import ui from '../ui/ui.module.css';
import { WriteForm } from '../ui/write-form.tsx';
import type { Member, MemberRole, Team } from './queries.ts';
import styles from './teams.module.css';
import { useTeamWrite } from './use-team-write.ts';

interface MembersProps {
  readonly team: Team;
  readonly refused: string | undefined;
}

/** The members of a team with their role in it. */
export function Members({ refused, team }: MembersProps): JSX.Element {
  const members = team.members.toSorted((one, other) => one.user.username.localeCompare(other.user.username));
  return (
    <section aria-labelledby="members">
      <h2 id="members">Members ({members.length})</h2>
      {members.length === 0 && <p>No one is in this team, so its pages reach no one by the team.</p>}
      <ul className={styles['list']}>
        {members.map((member) => (
          <MemberItem key={member.user.id} member={member} team={team} refused={refused} />
        ))}
      </ul>
      <AddMember team={team} refused={refused} />
    </section>
  );
}

const ROLES = [
  { value: 'user', name: 'Member' },
  { value: 'admin', name: 'Admin: changes the team and all that it owns' },
] as const satisfies readonly { readonly value: MemberRole; readonly name: string }[];

function MemberItem({ member, refused, team }: MembersProps & { readonly member: Member }): JSX.Element {
  const { username } = member.user;
  const [isAsked, setAsked] = useState(false);
  const other = member.role === 'admin' ? 'user' : 'admin';
  const change = useTeamWrite(team, () => {
    announce(`${username} is ${other === 'admin' ? 'an admin' : 'a member'} of the team.`);
  });
  return (
    <li>
      <div className={styles['member']}>
        <span>
          <PageLink to={paths.person(username)}>{username}</PageLink>{' '}
          <span className={ui['hint']}>{member.role === 'admin' ? 'Admin' : 'Member'}</span>
        </span>
        <span className={ui['row']}>
          <Button
            disabledReason={change.isPending ? 'The server is answering.' : refused}
            onClick={() => {
              change.send({ kind: 'member', username, role: other });
            }}
          >
            {other === 'admin' ? 'Make admin' : 'Make member'}
            <span className={ui['hidden']}>: {username}</span>
          </Button>
          <Button
            disabledReason={refused}
            onClick={() => {
              setAsked(true);
            }}
          >
            Remove<span className={ui['hidden']}> {username}</span>
          </Button>
        </span>
      </div>
      <SeenChanges of="The team" changes={change.changes} />
      {change.error !== null && <Problem error={change.error} />}
      {isAsked && (
        <RemoveDialog
          team={team}
          username={username}
          onClose={() => {
            setAsked(false);
          }}
        />
      )}
    </li>
  );
}

interface RemoveDialogProps {
  readonly team: Team;
  readonly username: string;
  readonly onClose: () => void;
}

function RemoveDialog({ onClose, team, username }: RemoveDialogProps): JSX.Element {
  const write = useTeamWrite(team, () => {
    announce(`${username} was removed from the team.`);
    onClose();
  });
  return (
    <ConfirmDialog
      title={`Remove ${username} from ${team.name}?`}
      action={write.changes.length > 0 ? 'Remove all the same' : 'Remove'}
      write={write}
      onConfirm={() => {
        write.send({ kind: 'remove', username });
      }}
      onClose={onClose}
    >
      <p>
        They stay a user, and stay in the rotations of the schedules of the team, whose log names these. Take them out
        there as well.
      </p>
      <SeenChanges of="The team" changes={write.changes} />
    </ConfirmDialog>
  );
}

const NO_ONE = { user: '', role: 'user' };

function AddMember({ refused, team }: MembersProps): JSX.Element {
  const { clear, type, typed } = useTyped(`new member of ${team.id}`, NO_ONE);
  const write = useTeamWrite(team, () => {
    announce(`${typed.user.trim()} is in the team.`);
    clear();
  });
  const fault = userFault(write.error);
  return (
    <div className={styles['form']}>
      <h3>Add a member</h3>
      <WriteForm
        label="Add a member"
        action={write.changes.length > 0 ? 'Add all the same' : 'Add'}
        fields={[]}
        write={{ isPending: write.isPending, error: fault === undefined ? write.error : null }}
        disabledReason={refused ?? (typed.user.trim() === '' ? 'Type a user name first.' : undefined)}
        onSubmit={() => {
          write.send({ kind: 'member', username: typed.user.trim(), role: typed.role === 'admin' ? 'admin' : 'user' });
        }}
      >
        <PersonField
          label="Person"
          error={fault}
          text={typed.user}
          onText={(user) => {
            type({ user });
          }}
        />
        <SelectField
          label="Role in the team"
          options={ROLES}
          value={typed.role === 'admin' ? 'admin' : 'user'}
          onValue={(role) => {
            type({ role });
          }}
        />
        <SeenChanges of="The team" changes={write.changes} />
      </WriteForm>
    </div>
  );
}

/** What is wrong with the person: one whom the account does not have is not found. */
const userFault = (error: unknown): string | undefined =>
  error instanceof CallError && error.status === 404 ? error.message : faultAt(error, 'user', 'Person');
