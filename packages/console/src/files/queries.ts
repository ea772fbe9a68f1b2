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
