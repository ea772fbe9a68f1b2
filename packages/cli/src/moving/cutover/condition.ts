import { CliError, EXIT } from '../../cli-error.ts';
import { plain } from '../../output/text.ts';

/** What a switch from Opsgenie to Tocsin depends on, in the order in which it is shown. */
export type ConditionName = 'imported' | 'on-call' | 'duration' | 'alerts' | 'differences';

/** `unknown`: what it depends on could not be read. */
export type ConditionState = 'met' | 'unmet' | 'unknown';

/** Whether a condition is met, in one sentence, and what is missing. */
export interface ConditionResult {
  readonly state: ConditionState;
  readonly summary: string;
  readonly missing: readonly string[];
}

/** A result that is short enough to be published: `missingCount` says how much is missing where not all of it is listed. */
export interface Condition extends ConditionResult {
  readonly name: ConditionName;
  readonly missingCount?: number;
}

/** The API of Tocsin takes no more. */
const MAX_MISSING = 100;
const MAX_CHARACTERS = 500;

/** Evaluates a condition; `unknown` where what it depends on cannot be read. @throws an error other than CliError, and an interruption. */
export async function evaluate(name: ConditionName, read: () => Promise<ConditionResult>): Promise<Condition> {
  try {
    return bounded(name, await read());
  } catch (error) {
    return bounded(name, {
      state: 'unknown',
      summary: readFaultOf(error).message,
      missing: readFaultOf(error).details,
    });
  }
}

/** The sentence about what could not be read. @throws `error` where it is another one, such as an interruption. */
export function readFaultOf(error: unknown): CliError {
  if (error instanceof CliError && error.exitCode !== EXIT.interrupted) return error;
  throw error;
}

function bounded(name: ConditionName, { missing, state, summary }: ConditionResult): Condition {
  return {
    ...{ name, state, summary: short(summary), missing: missing.slice(0, MAX_MISSING).map(short) },
    ...(missing.length > MAX_MISSING && { missingCount: missing.length }),
  };
}

function short(text: string): string {
  const characters = Array.from(plain(text));
  return characters.length <= MAX_CHARACTERS
    ? characters.join('')
    : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
}
