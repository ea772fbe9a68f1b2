import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';

const pathOf = (alertId: string) => `/v2/alerts/${encodeURIComponent(alertId)}/attachments`;

/** The files of an alert, read with each change of it. */
export const filesQuery = ({ id, updatedAt }: { readonly id: string; readonly updatedAt: string }) =>
  queryOptions({
    queryKey: ['alert', id, 'files', updatedAt],
    queryFn: ({ signal }) => call<Answer<'list-attachments'>>({ path: pathOf(id), signal }),
    staleTime: 60_000,
  });

/** The address from which the browser downloads a file. It works for 15 minutes. */
export async function readFileAddress(alertId: string, fileId: number): Promise<string> {
  const path = `${pathOf(alertId)}/${fileId}`;
  return (await call<Answer<'get-attachment'>>({ path })).data.url;
}

/** How long an upload may take: a file of 50 MiB over a slow line. */
const UPLOAD_TIMEOUT_MS = 600_000;

/** Attaches a file to an alert. */
export function attachFile(alertId: string, file: File): Promise<unknown> {
  const body = new FormData();
  body.append('file', file);
  return call({ method: 'POST', path: pathOf(alertId), body, isDoneEachTime: true, timeoutMs: UPLOAD_TIMEOUT_MS });
}

export const deleteFile = (alertId: string, fileId: number): Promise<unknown> =>
  call({ method: 'DELETE', path: `${pathOf(alertId)}/${fileId}` });
