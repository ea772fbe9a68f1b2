import { type ApiClient, NotProcessed } from '../../api-client.ts';
import { CliError, EXIT } from '../../cli-error.ts';
import type { Json } from '../json.ts';
import type { Alerts } from './mirror.ts';
import type { AlertWrite } from './writes.ts';

/** The alerts of a Tocsin. `api` begins the time of one step. */
export class TocsinAlerts implements Alerts {
  readonly #api: () => ApiClient;

  constructor(api: () => ApiClient) {
    this.#api = api;
  }

  async find(alias: string): Promise<Json | undefined> {
    const api = this.#api();
    try {
      return await unprocessedAgain(() =>
        api.read<Json>(`/v2/alerts/${encodeURIComponent(alias)}`, { identifierType: 'alias' }),
      );
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.missing) throw error;
      // An alias names open alerts alone.
      return (await api.read<readonly Json[]>('/v2/alerts', queryOf(alias)))[0];
    }
  }

  async write({ body, method, path }: AlertWrite): Promise<string | undefined> {
    const api = this.#api();
    try {
      const { requestId } = await api.send(method, path, { body });
      const settled = await unprocessedAgain(() =>
        api.read<{ readonly success: boolean; readonly status: string }>(`/v2/alerts/requests/${String(requestId)}`),
      );
      return settled.success ? undefined : settled.status;
    } catch (error) {
      if (error instanceof CliError && error.exitCode === EXIT.failed)
        return [error.message, ...error.details].join(' ');
      throw error;
    }
  }
}

/** The search for an alert of that alias, open or closed: the newest first, and a second one where there are more. */
export const queryOf = (alias: string): { readonly query: string; readonly limit: number } => ({
  query: `alias: "${alias.replace(/["\\\\]/g, '')}"`,
  limit: 2,
});

/** Asks again while what is asked for is on its way: Tocsin waits for it up to 2 s before it says so (A8). */
async function unprocessedAgain<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NotProcessed)) throw error;
    }
  }
}
