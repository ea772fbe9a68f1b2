import { LongWork } from '@tocsin/core';
import type { AlertCommand, ResponderReference } from '@tocsin/events';
import type { Resolution } from '../alerts/decided.ts';
import type { ResponderDirectory } from '../responders/client.ts';
import { applyPolicies } from './apply-policies.ts';
import { type CompiledRules, compileRules } from './compiled-rules.ts';
import type { Configuration, ConfigurationStore } from './configuration.ts';
import type { PolicyContext, PolicyResult } from './policy-result.ts';

/**
 * The responders for policies: `resolve` knows those that commands name, `responders` the others. The list of all users
 * is read once, because there can be thousands of users, and of policies that add them all.
 */
export function createPolicyContext(
  resolve: (reference: ResponderReference) => Resolution,
  responders: Pick<ResponderDirectory, 'nameOf' | 'everyone'>,
): PolicyContext {
  let everyone: readonly string[] | undefined;
  return {
    resolve,
    nameOf: (type, id) => responders.nameOf(type, id),
    everyone: () => (everyone ??= responders.everyone()),
  };
}

/** A `LongWork` of its own, so that commands do not wait for reads of callers. */
const policyWork = new LongWork();

/**
 * The results of maintenance windows and policies for each create among `commands`, by request id.
 *
 * The event loop runs in between. A batch has hundreds of creates, each may spend its whole pattern budget (P3), and a consumer that
 * sends no heartbeat for seconds loses its partitions.
 */
export async function applyPoliciesToAll(
  commands: readonly AlertCommand[],
  rules: CompiledRules,
  context: PolicyContext,
  work = policyWork,
): Promise<ReadonlyMap<string, PolicyResult>> {
  const results = new Map<string, PolicyResult>();
  for (const command of commands) {
    if (command.kind !== 'create') continue;
    if (work.isPauseDue()) await work.pause();
    results.set(command.requestId, applyPolicies(rules, command, context));
  }
  return results;
}

/** `commands` with each create as the policies have changed it, so that its alias is the one under which it counts (P15). */
export const modifiedCommands = (
  commands: readonly AlertCommand[],
  policyResults: ReadonlyMap<string, PolicyResult>,
): readonly AlertCommand[] => commands.map((command) => policyResults.get(command.requestId)?.command ?? command);

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

  /** @throws UnavailableError when the store is unavailable. */
  async get(): Promise<CompiledRules> {
    const from = await this.#store.current();
    if (this.#compiled?.from !== from) this.#compiled = { from, rules: compileRules(from, this.#zone) };
    return this.#compiled.rules;
  }
}
