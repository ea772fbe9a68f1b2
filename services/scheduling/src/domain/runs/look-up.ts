import type { NotifyType } from '@tocsin/contracts';
import type { Mention } from '../mentions.ts';
import type { RunEffects } from './effects.ts';
import type { RoutingView } from './routing.ts';
import type { LookUp, Step } from './run.ts';

interface Looking {
  readonly effects: RunEffects;
  readonly requestedWhile?: LookUp['requestedWhile'];
}

/** Whether an unknown thing may exist, because its owner did not answer. */
export const isToBeLookedUp = (view: RoutingView, mention: Mention): mention is LookUp['target'] =>
  (mention.type === 'user' || mention.type === 'team') && view.isUnanswered?.(mention) === true;

/** Skips what is not known: for good when it is deleted, until the next look-up when its owner did not answer. */
export function skipOrLookUp(
  { view, ...settling }: Looking & { readonly view: RoutingView },
  mention: Mention,
  step: Step,
  choice: NotifyType = 'default',
): void {
  if (isToBeLookedUp(view, mention)) lookUp(settling, mention, step, { choice });
  else settling.effects.skip(mention, step.cause.branchId);
}

/** Follows the way to `target` again at the next look-up, because the owner of `mention` did not answer. */
export function lookUp(
  { effects, requestedWhile }: Looking,
  mention: LookUp['target'],
  step: Step,
  { choice = 'default', target = mention }: Partial<Pick<LookUp, 'choice' | 'target'>>,
): void {
  const { type, id } = mention;
  effects.unknown.push(mention);
  effects.lookUpAgain({ target, choice, step, requestedWhile });
  const facts = { branch: step.cause.branchId, id };
  effects.say(type, 'waiting', `The ${type} [${id}] could not be looked up and is tried again.`, facts);
}
