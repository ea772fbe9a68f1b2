import type { RoutingRules } from '../ports/routing-rules.ts';

/** Routing rules that a test sets: for component tests. */
export class MemoryRoutingRules implements RoutingRules {
  readonly #uses = new Map<string, readonly string[]>();
  #refusal: Error | undefined;

  /** From now on the thing is used by what `uses` says. */
  use(type: 'schedule' | 'escalation', id: string, uses: readonly string[]): void {
    this.#uses.set(`${type}:${id}`, uses);
  }

  /** From now on the directory cannot be asked; with `undefined` it can again. */
  refuseWith(error: Error | undefined): void {
    this.#refusal = error;
  }

  usesOf(type: 'schedule' | 'escalation', id: string): Promise<readonly string[]> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    return Promise.resolve(this.#uses.get(`${type}:${id}`) ?? []);
  }
}
