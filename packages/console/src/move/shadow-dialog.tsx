import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { announce } from '../shell/announcer.tsx';
import { Modal } from '../ui/modal.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { WriteForm } from '../ui/write-form.tsx';
import { unconfirmedText } from './move.ts';
import { SHADOW_PATH, shadowQuery } from './queries.ts';

const TEXTS = {
  start: {
    title: 'Start shadow?',
    what: 'From the answer on, Tocsin sends no page, call, mail, webhook or post. It goes on to take alerts and to escalate, and records each message in place of sending it. Another product has to page users meanwhile.',
    done: 'Shadow is on.',
  },
  stop: {
    title: 'Stop shadow?',
    what: 'Users are paged from the answer on, also about alerts that are open then. What was held back is not sent.',
    done: 'Shadow is off. Users are paged.',
  },
} as const;

/** What a person types to stop shadow, as for the command. */
const WORD = 'yes';
const WRITE = ['set-shadow'] as const;

interface ShadowDialogProps {
  readonly change: 'start' | 'stop';
  readonly onClose: () => void;
}

/** Asks before shadow is started or stopped, and says what happens then. */
export function ShadowDialog({ change, onClose }: ShadowDialogProps): JSX.Element {
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const { done, title, what } = TEXTS[change];
  const write = useMutation({
    mutationKey: WRITE,
    mutationFn: () =>
      call<Answer<'set-shadow'>>({ method: 'PUT', path: SHADOW_PATH, body: { enabled: change === 'start' } }),
    onSuccess: ({ data }) => {
      client.setQueryData(shadowQuery.queryKey, data);
      announce(done);
      onClose();
    },
    // Also where the write failed: it can be stored all the same (M1).
    onSettled: () => client.invalidateQueries(shadowQuery),
  });
  const unconfirmed = unconfirmedText(write.error);
  const mayWrite = change === 'start' || typed.trim() === WORD;
  return (
    <Modal title={title} keepsInput {...(!write.isPending && { onClose })}>
      <WriteForm
        action={change === 'start' ? 'Start shadow' : 'Stop shadow'}
        fields={[]}
        write={{ isPending: write.isPending, error: unconfirmed === undefined ? write.error : null }}
        disabledReason={mayWrite ? undefined : `Type ${WORD} first.`}
        onSubmit={() => {
          // A second press comes before the page shows that the first is sent.
          if (client.isMutating({ mutationKey: WRITE }) === 0) write.mutate();
        }}
        onCancel={onClose}
      >
        <p>{what}</p>
        {change === 'stop' && (
          <TextField
            label={`Type ${WORD} to stop it`}
            value={typed}
            autoComplete="off"
            autoCapitalize="none"
            onChange={(event) => {
              setTyped(event.target.value);
            }}
          />
        )}
        <p role="status">{write.isPending && 'Waiting until each process of notifier knows it. It takes 5 to 10 s.'}</p>
        {unconfirmed !== undefined && (
          <p role="alert" className={ui['problem']}>
            {unconfirmed}
          </p>
        )}
      </WriteForm>
    </Modal>
  );
}
