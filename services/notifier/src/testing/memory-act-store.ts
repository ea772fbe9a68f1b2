import type { AlertCommand, Decision } from '@tocsin/contracts';
import { commandOf, decisionOf, type AlertAct } from '../domain/alert-act.ts';
import type { ActStore } from '../ports/act-store.ts';

/** Keeps acts in memory, for component tests. */
export class MemoryActStore implements ActStore {
  readonly commands: AlertCommand[] = [];
  readonly decisions: Decision[] = [];
  readonly #known = new Set<string>();

  take(act: AlertAct, at: Date): Promise<boolean> {
    if (this.#known.has(act.requestId)) return Promise.resolve(false);
    this.#known.add(act.requestId);
    this.commands.push(commandOf(act, at));
    this.decisions.push(decisionOf(act, at));
    return Promise.resolve(true);
  }

  isKnown(requestId: string): Promise<boolean> {
    return Promise.resolve(this.#known.has(requestId));
  }
}
