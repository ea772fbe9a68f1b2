import type { PagesToSimulate, SimulatedAlert, SimulatedMessages, SimulatedRun } from '@tocsin/contracts';

/** Asks scheduling whom the run of an alert would page. @throws UnavailableError when it cannot be asked. */
export interface RunSimulator {
  simulate(alert: SimulatedAlert): Promise<SimulatedRun>;
}

/** Asks the notifier what users would be told of pages. @throws UnavailableError when it cannot be asked. */
export interface PageSimulator {
  simulate(pages: PagesToSimulate): Promise<SimulatedMessages>;
}
