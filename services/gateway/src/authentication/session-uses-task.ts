import { UnavailableError } from '@tocsin/core';
import type { InternalClient } from '@tocsin/http';
import type { ServiceContext } from '@tocsin/service';
import type { Sessions } from './sessions.ts';

/** Real time between two reports. What a process that dies has not reported is lost: its sessions end ten minutes early at most. */
const REPORT_EVERY_MS = 5_000;

/** Adds a task that reports to directory which sessions were used (K21). */
export function reportSessionUses(
  { tasks }: Pick<ServiceContext, 'tasks'>,
  { directory, sessions }: { readonly directory: Pick<InternalClient, 'post'>; readonly sessions: Sessions },
): void {
  tasks.add({
    name: 'report-session-uses',
    everyMs: REPORT_EVERY_MS,
    activate: async () => {
      const uses = sessions.takeUses();
      if (uses.length === 0) return;
      try {
        const { status } = await directory.post('/internal/sessions/uses', { uses });
        if (status !== 200) throw new UnavailableError('Directory does not note the uses of sessions.');
      } catch (error) {
        sessions.returnUses(uses);
        throw error;
      }
    },
  });
}
