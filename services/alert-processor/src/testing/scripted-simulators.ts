import { UnavailableError } from '@tocsin/core';
import type { NextPage, SimulatedAlert, SimulatedMessage, SimulatedMessages, SimulatedRun } from '@tocsin/events';
import type { Pager } from '../explain/next-page-operations.ts';
import type { PageSimulator, RunSimulator } from '../explain/simulator-client.ts';

/** Doubles of scheduling and the notifier: they record requests and give scripted answers. */
export class ScriptedSimulators {
  readonly asked: SimulatedAlert[] = [];
  messages: readonly SimulatedMessage[] = [];
  refusal: Error | undefined;
  /** The answer of each of the two about the next page. */
  readonly next: { scheduling: NextPage | undefined | 'unavailable'; notifier: NextPage | undefined | 'unavailable' } =
    {
      scheduling: undefined,
      notifier: undefined,
    };

  readonly runs: RunSimulator = {
    simulate: (alert: SimulatedAlert): Promise<SimulatedRun> => {
      this.asked.push(alert);
      if (this.refusal !== undefined) return Promise.reject(this.refusal);
      const finding = { subject: 'page', outcome: 'paged', text: 'Paged.', at: alert.acceptedAt };
      return Promise.resolve({ pages: [], cancels: [], findings: [finding], truncated: false });
    },
  };

  readonly pages: PageSimulator = {
    simulate: (): Promise<SimulatedMessages> =>
      Promise.resolve({ messages: [...this.messages], findings: [], truncated: false }),
  };

  readonly pagers: readonly Pager[] = (['scheduling', 'notifier'] as const).map((service) => ({
    post: () => {
      const next = this.next[service];
      return next === 'unavailable'
        ? Promise.reject(new UnavailableError(`${service} is unavailable.`))
        : Promise.resolve({ status: 200, body: { data: { next } } });
    },
  }));
}
