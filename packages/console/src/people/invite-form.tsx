import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useId } from 'react';
import { call } from '../api/call.ts';
import { faultAt } from '../api/problem-text.ts';
import { useTyped } from '../shell/use-typed.ts';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import { DEFAULT_ROLE, roleOptions, roleRights } from './account-people.ts';
import styles from './people.module.css';
import { PEOPLE, rolesQuery } from './queries.ts';

interface InviteFormProps {
  readonly refused: string | undefined;
  /** Called with what was done, for the page to say. */
  readonly onDone: (text: string) => void;
}

/** Makes a user, who gets an invitation by mail. */
export function InviteForm({ onDone, refused }: InviteFormProps): JSX.Element {
  const headingId = useId();
  const client = useQueryClient();
  const { data: roles = [] } = useQuery(rolesQuery);
  const { clear, type, typed } = useTyped('new person', { username: '', fullName: '', role: DEFAULT_ROLE });
  const write = useMutation({
    mutationFn: () => {
      const body = { username: typed.username.trim(), fullName: typed.fullName.trim(), role: { id: typed.role } };
      return call({ method: 'POST', path: '/v2/users', body });
    },
    onSuccess: () => {
      onDone(`${typed.username.trim()} was invited by mail.`);
      clear();
    },
    // An answer can be lost.
    onSettled: () => client.invalidateQueries({ queryKey: PEOPLE }),
  });
  const isBlank = typed.username.trim() === '' || typed.fullName.trim() === '';
  return (
    <section aria-labelledby={headingId} className={styles['form']}>
      <h2 id={headingId}>Invite a person</h2>
      <p>They get an invitation by mail. Put them into a team on its page.</p>
      <WriteForm
        label="Invite a person"
        action="Invite"
        fields={['username', 'fullName']}
        write={write}
        disabledReason={refused ?? (isBlank ? 'Type their mail address and name first.' : undefined)}
        onSubmit={() => {
          write.mutate();
        }}
      >
        <TextField
          label="Mail address"
          type="email"
          value={typed.username}
          error={faultAt(write.error, 'username', 'Mail address')}
          autoComplete="off"
          onChange={({ target }) => {
            type({ username: target.value });
          }}
        />
        <TextField
          label="Full name"
          value={typed.fullName}
          error={faultAt(write.error, 'fullName', 'Full name')}
          autoComplete="off"
          onChange={({ target }) => {
            type({ fullName: target.value });
          }}
        />
        <SelectField
          label="Role"
          hint={roleRights(typed.role, roles)}
          value={typed.role}
          options={roleOptions(roles)}
          onValue={(role) => {
            type({ role });
          }}
        />
      </WriteForm>
    </section>
  );
}
