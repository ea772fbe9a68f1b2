import { useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { useGuardedWrite } from '../api/guarded-write.ts';
import { faultAt } from '../api/problem-text.ts';
import { SESSION_CHECK } from '../session/use-session-check.ts';
import { announce } from '../shell/announcer.tsx';
import { keepDraft, readDraft } from '../shell/unsaved.ts';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { WriteForm } from '../ui/write-form.tsx';
import { ZoneField } from '../ui/zone-field.tsx';
import { changedProfile, type Profile, profileChanges, profileOf, profileRefused } from './profile.ts';

type Person = Answer<'get-user'>['data'];

/** What was typed, and what its person saw when they began. */
interface Typed {
  readonly form: Profile;
  readonly seen: Profile;
}

const PLACE = 'profile';

function typedBefore(): Typed | undefined {
  return readDraft(PLACE) as Typed | undefined;
}

interface ProfileFormProps {
  readonly person: Person;
  /** What the fields have at first where that is not what the server has. */
  readonly proposed?: Profile | undefined;
  readonly disabledReason: string | undefined;
  /** Reads the person again. */
  readonly onSaved: () => Promise<unknown>;
}

/** The name and time zone of the signed-in person. The header shows the new name. */
export function ProfileForm({ disabledReason, onSaved, person, proposed }: ProfileFormProps): JSX.Element {
  const client = useQueryClient();
  const path = `/v2/users/${person.id}`;
  const [typed, setTyped] = useState(typedBefore);
  const [isSaved, setSaved] = useState(false);
  const { form, seen } = typed ?? { form: proposed ?? profileOf(person), seen: profileOf(person) };
  const change = changedProfile(seen, form);
  const write = useGuardedWrite(seen, {
    read: async () => profileOf((await call<Answer<'get-user'>>({ path })).data),
    changesBetween: (before, now) => profileChanges(change, before, now),
    onDone: async () => {
      await Promise.all([onSaved(), client.invalidateQueries({ queryKey: SESSION_CHECK })]);
      keepDraft(PLACE, '');
      setTyped(undefined);
      setSaved(true);
      announce(SAVED);
    },
  });
  const type = (part: Partial<Profile>) => {
    const next: Typed = { form: { ...form, ...part }, seen };
    write.forgetError();
    setSaved(false);
    setTyped(next);
    keepDraft(PLACE, JSON.stringify(next));
  };
  return (
    <>
      <WriteForm
        label="Name and time zone"
        action={write.changes.length > 0 ? 'Save all the same' : 'Save'}
        fields={['fullName', 'timeZone']}
        write={write}
        disabledReason={disabledReason ?? profileRefused(seen, form)}
        onSubmit={() => {
          write.save(() => call({ method: 'PATCH', path, body: change }));
        }}
      >
        <TextField
          label="Full name"
          value={form.fullName}
          error={faultAt(write.error, 'fullName', 'Full name')}
          autoComplete="name"
          onChange={({ target }) => {
            type({ fullName: target.value });
          }}
        />
        <ZoneField
          value={form.timeZone}
          error={faultAt(write.error, 'timeZone', 'Time zone')}
          onText={(timeZone) => {
            type({ timeZone });
          }}
        />
        <SeenChanges of="Your name or time zone" changes={write.changes} />
      </WriteForm>
      {isSaved && <p className={ui['hint']}>{SAVED}</p>}
    </>
  );
}

const SAVED = 'Your name and time zone were saved.';
