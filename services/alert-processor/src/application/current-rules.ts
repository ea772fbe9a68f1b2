import { compileRules, type CompiledRules } from '../domain/policies/compiled-rules.ts';
import type { Configuration } from '../domain/configuration.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';

/** The present policies and maintenance windows, compiled once for each state of the configuration. */
export class CurrentRules {
  readonly #store: Pick<ConfigurationStore, 'current'>;
  readonly #zone: string;
  #compiled: { readonly from: Configuration; readonly rules: CompiledRules } | undefined;

  /** `zone` is the account's time zone, in which policies are evaluated. */
  constructor(store: Pick<ConfigurationStore, 'current'>, zone: string) {
    this.#store = store;
    this.#zone = zone;
  }

  /** @throws UnavailableError when the store is away. */
  async get(): Promise<CompiledRules> {
    const from = await this.#store.current();
    if (this.#compiled?.from !== from) this.#compiled = { from, rules: compileRules(from, this.#zone) };
    return this.#compiled.rules;
  }
}
