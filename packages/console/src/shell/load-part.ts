import { CallError } from '../api/call-error.ts';
import { BUILD, NewVersionError, newVersionStore, reloadOnce } from './new-version.ts';

/** Whether the server has the files of the build that the page runs. */
export type BuildState = 'served' | 'gone' | 'unknown';

interface LoadPage {
  readonly readBuild: () => Promise<BuildState>;
  /** Reloads the page where that is allowed. Returns whether it does. */
  readonly reload: () => boolean;
}

const PAGE: LoadPage = { readBuild, reload: reloadOnce };

/**
 * Loads a part of the page. A page that reloads instead never settles.
 *
 * @throws CallError where the server cannot be reached, NewVersionError where the part is gone and a reload would lose input.
 */
export async function loadPart<T>(load: () => Promise<T>, { readBuild: read, reload }: LoadPage = PAGE): Promise<T> {
  try {
    return await load();
  } catch {
    const build = await read();
    // A reload without the server would leave its reader with an error of the browser.
    if (build === 'unknown') throw new CallError({ status: 0, message: 'The server cannot be reached.' });
    if (build === 'gone') return missing(reload);
    return load().catch((error: unknown) => {
      // A browser can keep that a file failed for as long as the page is open.
      if (reload()) return forever();
      throw error;
    });
  }
}

function missing(reload: () => boolean): Promise<never> {
  if (reload()) return forever();
  newVersionStore.set(true);
  throw new NewVersionError('There is a newer version of this page.');
}

const forever = () => new Promise<never>(() => undefined);

const READ_TIMEOUT_MS = 8_000;

async function readBuild(): Promise<BuildState> {
  try {
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    const { ok, status } = await fetch(BUILD, { method: 'HEAD', cache: 'no-store', signal });
    if (status === 404) return 'gone';
    return ok ? 'served' : 'unknown';
  } catch {
    return 'unknown';
  }
}
