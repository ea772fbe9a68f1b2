import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { useSession } from '../session/use-session.ts';
import { announce } from '../shell/announcer.tsx';
import { useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { useTyped } from '../shell/use-typed.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Modal } from '../ui/modal.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import { shownWrite, TeamFields } from './team-fields.tsx';

const NEW_TEAM = { name: '', description: '', isAdmin: 'yes' };

/** Creates a team, and goes to its page. */
export function CreateTeamDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const { user } = useSession();
  const client = useQueryClient();
  const go = useGo();
  const { clear, type, typed } = useTyped('new team', NEW_TEAM);
  const isAdmin = typed.isAdmin !== '';
  const create = useMutation({
    mutationFn: () => {
      const { description, name } = typed;
      const members = isAdmin ? [{ user: { id: user.id }, role: 'admin' }] : [];
      const body = { name: name.trim(), description: description.trim(), members };
      return call<Answer<'create-team'>>({ method: 'POST', path: '/v2/teams', body });
    },
    onSuccess: async ({ data }) => {
      clear();
      announce('The team was created.');
      await client.invalidateQueries({ queryKey: ['teams'] });
      go(paths.team(data.id));
    },
  });
  const cancel = () => {
    clear();
    onClose();
  };
  return (
    <Modal title="Create a team" {...(!create.isPending && { onClose: cancel })} keepsInput>
      <WriteForm
        action="Create the team"
        fields={['description']}
        write={shownWrite(create)}
        disabledReason={typed.name.trim() === '' ? 'Type a name first.' : undefined}
        onSubmit={() => {
          create.mutate();
        }}
        onCancel={cancel}
      >
        <TeamFields typed={typed} type={type} error={create.error} />
        <CheckField
          label="I am an admin of this team"
          isChecked={isAdmin}
          onChange={(isChecked) => {
            type({ isAdmin: isChecked ? 'yes' : '' });
          }}
        />
        <p>It gets a schedule, an escalation and a routing rule, which you change afterwards.</p>
      </WriteForm>
    </Modal>
  );
}
