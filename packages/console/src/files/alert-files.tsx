import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, type SubmitEvent, useState } from 'react';
import type { Alert } from '../alerts/queries.ts';
import { useAlertChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { fileFault } from './file-fault.ts';
import { attachFile, deleteFile, filesQuery, readFileAddress } from './queries.ts';

interface AttachedFile {
  readonly id: number;
  readonly name: string;
}

/** The files of an alert: to be downloaded, attached and deleted. */
export function AlertFiles({ alert }: { readonly alert: Alert }): JSX.Element {
  const files = useQuery(filesQuery(alert));
  const refused = useAlertChangesRefused();
  const [deleted, setDeleted] = useState<AttachedFile>();
  const download = useMutation({
    mutationFn: (fileId: number) => readFileAddress(alert.id, fileId),
    onSuccess: (address) => {
      // The answer is a file: the page stays.
      window.location.assign(address);
    },
  });
  const close = () => {
    setDeleted(undefined);
  };
  return (
    <section aria-label="Files">
      <h2>Files</h2>
      {files.error !== null && <Problem error={files.error} onRetry={() => void files.refetch()} />}
      {download.error !== null && <Problem error={download.error} />}
      <div className={ui['row']}>
        {files.data?.data.map(({ id, name }) => (
          <span key={id} className={ui['row']}>
            <Button
              disabledReason={download.isPending ? 'A file is being fetched.' : undefined}
              onClick={() => {
                download.mutate(id);
              }}
            >
              Download {name}
            </Button>
            <Button
              aria-label={`Delete the file ${name}`}
              disabledReason={refused}
              onClick={() => {
                setDeleted({ id, name });
              }}
            >
              Delete
            </Button>
          </span>
        ))}
      </div>
      <AttachForm alertId={alert.id} refused={refused} />
      <DialogBoundary key={deleted?.id ?? 'none'} onFail={close}>
        {deleted && <DeleteFileDialog alertId={alert.id} file={deleted} onClose={close} />}
      </DialogBoundary>
    </section>
  );
}

interface AttachFormProps {
  readonly alertId: string;
  readonly refused: string | undefined;
}

function AttachForm({ alertId, refused }: AttachFormProps): JSX.Element {
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  /** Counts the files that were attached: each begins a field that has none. */
  const [attached, setAttached] = useState(0);
  const write = useMutation({
    mutationFn: (chosen: File) => attachFile(alertId, chosen),
    onSuccess: async (_, { name }) => {
      announce(`${name} was attached.`);
      setFile(undefined);
      setAttached(attached + 1);
      await client.invalidateQueries({ queryKey: ['alert', alertId] });
    },
  });
  const fault = file && fileFault(file);
  const reason = file === undefined ? 'Choose a file first.' : fault;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (file !== undefined) write.mutate(file);
  };
  return (
    <form onSubmit={submit} aria-label="Attach a file">
      <TextField
        key={attached}
        label="Another file"
        type="file"
        hint="At most 50 MiB."
        error={fault}
        onChange={({ target }) => {
          write.reset();
          setFile(target.files?.[0]);
        }}
      />
      {write.error !== null && <Problem error={write.error} />}
      <Button type="submit" disabledReason={refused ?? (write.isPending ? 'The file is being sent.' : reason)}>
        Attach
      </Button>
    </form>
  );
}

interface DeleteFileDialogProps {
  readonly alertId: string;
  readonly file: AttachedFile;
  readonly onClose: () => void;
}

function DeleteFileDialog({ alertId, file: { id, name }, onClose }: DeleteFileDialogProps): JSX.Element {
  const client = useQueryClient();
  const write = useMutation({
    mutationFn: () => deleteFile(alertId, id),
    onSuccess: async () => {
      announce(`${name} was deleted.`);
      onClose();
      await client.invalidateQueries({ queryKey: ['alert', alertId] });
    },
  });
  return (
    <ConfirmDialog
      title={`Delete the file ${name}?`}
      action="Delete it"
      write={write}
      onConfirm={() => {
        write.mutate();
      }}
      onClose={onClose}
    >
      <p>It cannot be restored.</p>
    </ConfirmDialog>
  );
}
