import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type JSX, type SubmitEvent, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { serverNow } from '../api/server-clock.ts';
import { useTeamChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { PageLink, useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { keepDraft, readDraft } from '../shell/unsaved.ts';
import { useOwnerTeams } from '../teams/use-owner-teams.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import { useFirstFault } from '../ui/use-first-fault.ts';
import { DetailsFields } from './details-fields.tsx';
import { detailsBody, detailsFaults, type DetailsForm, refusedDetails } from './details-form.ts';
import { RotationFields } from './rotation-fields.tsx';
import { newRotation, readRotation, refusedRotation, type RotationForm } from './rotation-form.ts';
import { localZone } from './time-text.ts';
import { useScheduleInvalidation } from './use-schedule-write.ts';
import { isZone } from './zone.ts';

const PLACE = 'new schedule';

/** What the form has. */
interface NewSchedule {
  readonly details: DetailsForm;
  readonly hasRotation: boolean;
  readonly rotation: RotationForm;
}

function useForm(): readonly [form: NewSchedule, setForm: (form: NewSchedule) => void] {
  const { teams, user } = useSession();
  const { team }: { readonly team?: string } = useSearch({ strict: false });
  const [form, setForm] = useState((): NewSchedule => {
    const kept = readDraft(PLACE) as NewSchedule | undefined;
    if (kept !== undefined) return kept;
    const zone = localZone();
    const teamId = team ?? teams.find(({ role }) => role === 'admin')?.id ?? teams[0]?.id ?? '';
    return {
      details: { name: '', zone, description: '', teamId, isEnabled: true },
      hasRotation: true,
      rotation: newRotation(serverNow(), zone, user.username),
    };
  });
  return [
    form,
    (next) => {
      setForm(next);
      keepDraft(PLACE, JSON.stringify(next));
    },
  ];
}

/** What the API takes, or what is wrong. */
function readForm({ details, hasRotation, rotation }: NewSchedule, zone: string) {
  const faults = detailsFaults(details);
  const read = hasRotation ? readRotation(rotation, zone) : undefined;
  const isComplete = Object.keys(faults).length === 0 && read?.faults === undefined;
  const rotations = read?.body === undefined ? [] : [read.body];
  return {
    faults,
    rotationFaults: read?.faults,
    body: isComplete ? { ...detailsBody(details), rotations } : undefined,
  };
}

/** A new schedule with its first rotation. */
export function NewSchedulePage(): JSX.Element {
  const [form, setForm] = useForm();
  const { details, hasRotation, rotation } = form;
  const invalidate = useScheduleInvalidation();
  const go = useGo();
  const [tries, setTries] = useState(0);
  const refused = useTeamChangesRefused(useOwnerTeams().find(({ id }) => id === details.teamId));
  const write = useMutation({
    mutationFn: (body: object) => call<Answer<'create-schedule'>>({ method: 'POST', path: '/v2/schedules', body }),
    onSuccess: async ({ data }) => {
      keepDraft(PLACE, '');
      announce('The schedule was created.');
      await invalidate(data.id);
      go(paths.schedule(data.id), { replace: true });
    },
  });
  const ref = useFirstFault(tries, write.error);
  // While a zone is being typed, the times are in that of this device.
  const zone = isZone(details.zone.trim()) ? details.zone.trim() : localZone();
  const read = readForm(form, zone);
  const refusedAt = refusedDetails(write.error);
  const rotationRefusedAt = refusedRotation(write.error, rotation, 'rotations[0].');
  const isSaidAtField = Object.keys(refusedAt).length + Object.keys(rotationRefusedAt).length > 0;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (read.body !== undefined && !write.isPending) write.mutate(read.body);
  };
  return (
    <>
      <p>
        <PageLink to={paths.schedules()}>All schedules</PageLink>
      </p>
      <PageHeading title="New schedule" />
      <p>A schedule says who is on call when. Once it is created, its page shows the shifts.</p>
      <form ref={ref} noValidate onSubmit={submit} aria-label="New schedule">
        <DetailsFields
          form={details}
          faults={{ ...refusedAt, ...(tries > 0 && read.faults) }}
          owner={undefined}
          onChange={(next) => {
            setForm({ ...form, details: next });
          }}
        />
        <h2>First rotation</h2>
        <CheckField
          label="With a first rotation: without one, no one is on call"
          isChecked={hasRotation}
          onChange={(isChecked) => {
            setForm({ ...form, hasRotation: isChecked });
          }}
        />
        {hasRotation && (
          <RotationFields
            form={rotation}
            faults={{ ...rotationRefusedAt, ...(tries > 0 && read.rotationFaults) }}
            zone={zone}
            changed={undefined}
            onChange={(next) => {
              setForm({ ...form, rotation: next });
            }}
          />
        )}
        {write.error !== null && !isSaidAtField && <Problem error={write.error} />}
        <div className={ui['row']}>
          <Button
            type="submit"
            look="primary"
            disabledReason={refused ?? (write.isPending ? 'The server is answering.' : undefined)}
          >
            Create the schedule
          </Button>
        </div>
      </form>
    </>
  );
}
