import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { serverNow } from '../api/server-clock.ts';
import { localZone } from '../schedules/time-text.ts';
import { useTeamsChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { keepDraft, readDraft } from '../shell/unsaved.ts';
import { Modal } from '../ui/modal.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import { formOf, newForm, readForm, refusedFields, type WindowBody, type WindowForm } from './form.ts';
import { type WholeWindow, WINDOWS } from './queries.ts';
import { useEntities, useOwners } from './use-entities.ts';
import { WindowFields } from './window-fields.tsx';
import { changesBetween, spanOf } from './windows.ts';
import { changeWindow, createWindow } from './write.ts';

interface WindowDialogProps {
  /** The planned window to change; undefined for a new one. */
  readonly changed: WholeWindow | undefined;
  readonly onClose: () => void;
}

interface WindowWrite {
  readonly body: WindowBody;
  /** What the person saw of the window; undefined for a new one. */
  readonly seen: WholeWindow | undefined;
}

/** Plans a window, or changes a planned one. */
export function WindowDialog({ changed, onClose }: WindowDialogProps): JSX.Element {
  const client = useQueryClient();
  const zone = localZone();
  const { close, form, type } = useForm(changed, onClose);
  const [isTried, setTried] = useState(false);
  const { data: entities = [] } = useQuery(useEntities());
  const refused = useTeamsChangesRefused(useOwners([...form.rules, ...(changed?.rules ?? [])], entities));
  const write = useMutation({
    mutationFn: ({ body, seen }: WindowWrite) =>
      seen === undefined
        ? createWindow(body)
        : changeWindow({
            seen,
            change: { body },
            changesBetween: (before, now) => changesBetween(before, now, { entities, zone }),
          }),
    onSuccess: ({ changes }) => {
      if (changes.length > 0) return;
      announce(changed === undefined ? 'The window was planned.' : 'The window was changed.');
      close();
    },
    // An answer that was lost can be that of a window that was planned.
    onSettled: () => client.invalidateQueries({ queryKey: WINDOWS }),
  });
  const read = readForm(form, zone, changed && spanOf(changed));
  const changes = write.data?.changes ?? [];
  const faults = { ...refusedFields(write.error), ...(isTried && read.faults) };
  return (
    <Modal
      title={changed === undefined ? 'Plan a window' : 'Change the window'}
      {...(!write.isPending && { onClose: close })}
      keepsInput
    >
      <WriteForm
        action={changes.length > 0 ? 'Save all the same' : 'Save'}
        fields={[]}
        // What a field says is not said twice.
        write={{ isPending: write.isPending, error: Object.keys(faults).length > 0 ? null : write.error }}
        disabledReason={refused}
        onSubmit={() => {
          setTried(true);
          if (read.faults === undefined) write.mutate({ body: read.body, seen: write.data?.seen ?? changed });
        }}
        onCancel={close}
      >
        <WindowFields form={form} faults={faults} entities={entities} onType={type} />
        <SeenChanges of="The window" changes={changes} />
      </WriteForm>
    </Modal>
  );
}

interface Form {
  readonly form: WindowForm;
  readonly type: (change: Partial<WindowForm>) => void;
  readonly close: () => void;
}

/** What is typed, which is kept until it is saved or given up, also while its person looks at another page. */
function useForm(changed: WholeWindow | undefined, onClose: () => void): Form {
  const place = `maintenance ${changed?.id ?? ''}`;
  const [form, setForm] = useState((): WindowForm => {
    const draft = readDraft(place) as WindowForm | undefined;
    if (draft !== undefined) return draft;
    return changed === undefined ? newForm(serverNow(), localZone()) : formOf(changed, localZone(), serverNow());
  });
  return {
    form,
    type: (change) => {
      const next = { ...form, ...change };
      setForm(next);
      keepDraft(place, JSON.stringify(next));
    },
    close: () => {
      keepDraft(place, '');
      onClose();
    },
  };
}
