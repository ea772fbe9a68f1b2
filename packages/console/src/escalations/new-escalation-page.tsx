import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type JSX, type SubmitEvent, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { useTeamChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { PageLink, useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { keepDraft, readDraft } from '../shell/unsaved.ts';
import { useOwnerTeams } from '../teams/use-owner-teams.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { SelectField } from '../ui/select-field.tsx';
import ui from '../ui/ui.module.css';
import { EscalationFields } from './escalation-fields.tsx';
import { type EscalationForm, NEW_RULE, readForm, refusedFields } from './escalation-form.ts';
import { escalationsQuery } from './queries.ts';

const PLACE = 'new escalation';

const EMPTY: EscalationForm = {
  name: '',
  description: '',
  rules: [NEW_RULE],
  isRepeated: false,
  wait: '10',
  count: '1',
  resets: false,
  closes: false,
};

/** A new escalation, which belongs to a team, where the person does not choose otherwise to one of theirs. */
export function NewEscalationPage(): JSX.Element {
  const { teams } = useSession();
  const client = useQueryClient();
  const go = useGo();
  const [form, setForm] = useState(() => (readDraft(PLACE) as EscalationForm | undefined) ?? EMPTY);
  const [teamId, setTeamId] = useState(teams.find(({ role }) => role === 'admin')?.id ?? teams[0]?.id ?? '');
  const [isTried, setTried] = useState(false);
  const ownerTeams = useOwnerTeams();
  const team = ownerTeams.find(({ id }) => id === teamId);
  const refused = useTeamChangesRefused(team);
  const write = useMutation({
    mutationFn: (body: object) => call<Answer<'create-escalation'>>({ method: 'POST', path: '/v2/escalations', body }),
    onSuccess: async ({ data }) => {
      keepDraft(PLACE, '');
      await client.invalidateQueries(escalationsQuery);
      announce('The escalation was created.');
      go(paths.escalation(data.id), { replace: true });
    },
  });
  const read = readForm(form);
  const refusedAt = refusedFields(write.error, form);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.body === undefined || write.isPending) return;
    write.mutate({ ...read.body, ...(team && { ownerTeam: { id: team.id } }) });
  };
  return (
    <>
      <p>
        <PageLink to={paths.escalations()}>All escalations</PageLink>
      </p>
      <PageHeading title="New escalation" />
      <p>Once it is created, its page shows a preview of it.</p>
      <form noValidate onSubmit={submit} aria-label="New escalation">
        <SelectField
          label="Team"
          value={teamId}
          options={[...ownerTeams.map(({ id, name }) => ({ value: id, name })), { value: '', name: 'No team' }]}
          onValue={setTeamId}
        />
        <EscalationFields
          form={form}
          faults={{ ...refusedAt, ...(isTried && read.faults) }}
          onChange={(next) => {
            setForm(next);
            keepDraft(PLACE, JSON.stringify(next));
          }}
        />
        {write.error !== null && Object.keys(refusedAt).length === 0 && <Problem error={write.error} />}
        <div className={ui['row']}>
          <Button
            type="submit"
            look="primary"
            disabledReason={refused ?? (write.isPending ? 'The server is answering.' : undefined)}
          >
            Create the escalation
          </Button>
        </div>
      </form>
    </>
  );
}
