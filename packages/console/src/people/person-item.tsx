import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { call } from '../api/call.ts';
import { useGuardedWrite } from '../api/guarded-write.ts';
import { useSession } from '../session/use-session.ts';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Modal } from '../ui/modal.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { SelectField } from '../ui/select-field.tsx';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import { WriteForm } from '../ui/write-form.tsx';
import { type AccountUser, personState, roleChanges, roleOptions, roleRights } from './account-people.ts';
import styles from './people.module.css';
import { PEOPLE, readRole, rolesQuery } from './queries.ts';

interface PersonItemProps {
  readonly user: AccountUser;
  readonly refused: string | undefined;
  /** Called with what was done, for the page to say. */
  readonly onDone: (text: string) => void;
}

/** A user, their role, and the ways to change it and to remove them. */
export function PersonItem({ onDone, refused, user }: PersonItemProps): JSX.Element {
  const now = useNow(60_000);
  const [open, setOpen] = useState<'remove' | 'role'>();
  const isMe = useSession().user.id === user.id;
  const close = () => {
    setOpen(undefined);
  };
  const facts = [user.username, user.role.name, isMe && 'you', ...personState(user, now)].filter(Boolean);
  return (
    <li>
      <div className={styles['person']}>
        <div>
          <PageLink to={paths.person(user.username)}>{user.fullName}</PageLink>
          <div className={ui['hint']}>{facts.join(' · ')}</div>
        </div>
        <div className={ui['row']}>
          <Button
            disabledReason={refused}
            onClick={() => {
              setOpen('role');
            }}
          >
            Change the role<span className={ui['hidden']}> of {user.username}</span>
          </Button>
          <Button
            disabledReason={refused ?? (isMe ? 'Another owner or admin can remove you.' : undefined)}
            onClick={() => {
              setOpen('remove');
            }}
          >
            Remove<span className={ui['hidden']}> {user.username}</span>
          </Button>
        </div>
      </div>
      {open === 'role' && <RoleDialog user={user} onDone={onDone} onClose={close} />}
      {open === 'remove' && <RemoveDialog user={user} onDone={onDone} onClose={close} />}
    </li>
  );
}

interface DialogProps extends Omit<PersonItemProps, 'refused'> {
  readonly onClose: () => void;
}

function RoleDialog({ onClose, onDone, user }: DialogProps): JSX.Element {
  const client = useQueryClient();
  // What the person saw when they began: a change by another one comes into the list of the page.
  const [seen] = useState(user.role);
  const [role, setRole] = useState(seen.id);
  const { data: roles = [] } = useQuery(rolesQuery);
  const options = roleOptions(roles);
  const name = options.find(({ value }) => value === role)?.name ?? seen.name;
  const write = useGuardedWrite(seen, {
    read: () => readRole(user.id),
    changesBetween: roleChanges,
    onDone: async () => {
      await client.invalidateQueries({ queryKey: PEOPLE });
      onDone(`${user.username} has the role ${name} now.`);
      onClose();
    },
  });
  return (
    <Modal title={`Role of ${user.username}`} {...(!write.isPending && { onClose })} keepsInput>
      <WriteForm
        action={write.changes.length > 0 ? 'Save all the same' : 'Save'}
        fields={[]}
        write={write}
        disabledReason={role === seen.id ? 'Nothing was changed.' : undefined}
        onSubmit={() => {
          write.save(() => call({ method: 'PATCH', path: `/v2/users/${user.id}`, body: { role: { id: role } } }));
        }}
        onCancel={onClose}
      >
        <SelectField
          label="Role"
          hint={roleRights(role, roles)}
          value={role}
          options={options.some(({ value }) => value === role) ? options : [...options, { value: role, name }]}
          onValue={(next) => {
            write.forgetError();
            setRole(next);
          }}
        />
        <p>Their sessions have the rights of the new role within a second.</p>
        <SeenChanges of="The role" changes={write.changes} />
      </WriteForm>
    </Modal>
  );
}

function RemoveDialog({ onClose, onDone, user }: DialogProps): JSX.Element {
  const client = useQueryClient();
  const write = useMutation({
    mutationFn: () => call({ method: 'DELETE', path: `/v2/users/${user.id}` }),
    onSuccess: () => {
      onDone(`${user.username} was removed.`);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: PEOPLE }),
  });
  return (
    <ConfirmDialog
      title={`Remove ${user.username}?`}
      action="Remove"
      write={write}
      onConfirm={() => {
        write.mutate();
      }}
      onClose={onClose}
    >
      <p>
        Their contacts, notification rules, forwarding rules and overrides are deleted with them. A person whom a team,
        a rotation or an escalation names is not removed: the server says which.
      </p>
      <p>This cannot be taken back.</p>
    </ConfirmDialog>
  );
}
