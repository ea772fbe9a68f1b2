import { useMutation, useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Alert } from '../alerts/queries.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import { filesQuery, readFileAddress } from './queries.ts';

/** The files of an alert, to be downloaded. Nothing where it has none. */
export function AlertFiles({ alert }: { readonly alert: Alert }): JSX.Element {
  const files = useQuery(filesQuery(alert));
  const download = useMutation({
    mutationFn: (fileId: number) => readFileAddress(alert.id, fileId),
    onSuccess: (address) => {
      // The answer is a file: the page stays.
      window.location.assign(address);
    },
  });
  if (files.data?.data.length === 0) return <></>;
  return (
    <section aria-label="Files">
      <h2>Files</h2>
      {files.error !== null && <Problem error={files.error} onRetry={() => void files.refetch()} />}
      {download.error !== null && <Problem error={download.error} />}
      <div className={ui['row']}>
        {files.data?.data.map(({ id, name }) => (
          <Button
            key={id}
            disabledReason={download.isPending ? 'A file is being fetched.' : undefined}
            onClick={() => {
              download.mutate(id);
            }}
          >
            Download {name}
          </Button>
        ))}
      </div>
    </section>
  );
}
