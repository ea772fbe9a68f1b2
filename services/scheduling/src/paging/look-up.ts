import type { NotifyType } from '@tocsin/events';
import type { Mention } from '../configuration/mentions.ts';
import type { Effects } from './effects.ts';
import type { RoutingView } from './routing.ts';
import type { LookUp, Route } from './escalation-state.ts';

interface LookUpContext {
  readonly effects: Effects;
  readonly alertAtRequest?: LookUp['alertAtRequest'];
}

/** Whether an unknown user or team may exist, because directory did not answer. */
export const isToBeLookedUp = (view: RoutingView, mention: Mention): mention is LookUp['target'] =>
  (mention.type === 'user' || mention.type === 'team') && view.isUnanswered?.(mention) === true;

/** Skips a target that is not known: for good where it is deleted, until the next look-up where directory did not answer. */
export function skipOrLookUp(
  { view, ...context }: LookUpContext & { readonly view: RoutingView },
  mention: Mention,
  route: Route,
  choice: NotifyType = 'default',
): void {
  if (isToBeLookedUp(view, mention)) scheduleLookUp(context, mention, route, { choice });
  else context.effects.skip(mention, route.origin.routeId);
}

/** Follows the route to `target` again at the next look-up, because the owner of `mention` did not answer. */
export function scheduleLookUp(
  { effects, alertAtRequest }: LookUpContext,
  mention: LookUp['target'],
  route: Route,
  { choice = 'default', target = mention }: Partial<Pick<LookUp, 'choice' | 'target'>>,
): void {
  const { type, id } = mention;
  effects.unknown.push(mention);
  effects.addLookUp({ target, choice, route, alertAtRequest });
  const facts = { branch: route.origin.routeId, id };
  effects.logDecision(type, 'waiting', `The ${type} [${id}] could not be looked up and is tried again.`, facts);
}
