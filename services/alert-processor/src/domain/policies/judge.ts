import type { CreateAlert } from '@tocsin/contracts';
import type { CompiledRules } from './compiled-rules.ts';
import { consider } from './consider.ts';
import { entryOf, MOST_TOLD } from './judgement-entry.ts';
import type { Judgement, JudgementContext } from './judgement.ts';

/**
 * What maintenance windows and policies say of one create (P5-P7, P9). Pure: the same create is judged the same by every
 * replica that has the same configuration.
 *
 * A create that is dropped already is left as it is. Never throws.
 */
export function judge(rules: CompiledRules, command: CreateAlert, context: JudgementContext): Judgement {
  const considered = consider(rules, command, context, MOST_TOLD);
  return {
    command: considered.command,
    flow: considered.flow,
    // A repeat never reads it, so it never pays for the words.
    get entry() {
      return entryOf(considered);
    },
  };
}
