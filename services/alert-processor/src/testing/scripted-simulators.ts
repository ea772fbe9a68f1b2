import type { SimulatedAlert, SimulatedMessage, SimulatedMessages, SimulatedRun } from '@tocsin/events';
import type { PageSimulator, RunSimulator } from '../explain/simulator-client.ts';

/** Doubles of scheduling and the notifier: they record requests and give scripted answers. */
export class ScriptedSimulators {
  readonly asked: SimulatedAlert[] = [];
  messages: readonly SimulatedMessage[] = [];
  refusal: Error | undefined;

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
}
