import { hasFlowEnded } from './exhausted.ts';
import { dueAt, nextRepeatAt, ruleKey, type ActiveEscalation, type EscalationState } from './escalation-state.ts';

/** An item of due work of an escalation state. */
export type DueItem = { readonly dueAt: Date } & (
  | { readonly kind: 'rule'; readonly routeId: string; readonly ruleIndex: number; readonly repeatNumber: number }
  /** The end of a repeat. */
  | { readonly kind: 'repeat'; readonly routeId: string; readonly repeatNumber: number }
  | { readonly kind: 'look-up'; readonly lookUpId: string; readonly attempt: number }
  /** The log entry that the flow is exhausted. */
  | { readonly kind: 'exhausted'; readonly cycle: number }
);

/** The stable name of an item within its escalation state. */
export function dueKey(item: DueItem): string {
  switch (item.kind) {
    case 'rule':
      return `${item.routeId}#${item.ruleIndex}${suffixOf(item.repeatNumber)}`;
    case 'repeat':
      return `${item.routeId}#repeat${suffixOf(item.repeatNumber)}`;
    case 'look-up':
      return `${item.lookUpId}#look-up${suffixOf(item.attempt)}`;
    case 'exhausted':
      return `-#exhausted${suffixOf(item.cycle)}`;
  }
}

const suffixOf = (count: number): string => (count === 0 ? '' : `~${count}`);

/**
 * The due items of an escalation state, the earliest first: the rules that are not done and the end of the repeat of each active
 * escalation that is neither stopped nor waiting for an order, look-ups, and the log entry that the flow is exhausted.
 */
export function dueItems(state: EscalationState): readonly DueItem[] {
  const done = new Set(state.done);
  const escalations = state.escalations.filter(
    ({ awaitedOrderId, isStopped }) => !isStopped && awaitedOrderId === undefined,
  );
  return [
    ...escalations.flatMap((active) => itemsOf(active, done)),
    ...state.lookUps.map(itemOfLookUp),
    ...exhaustedItem(state),
  ].toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
}

/** When the next item of an escalation state is due; undefined where it only waits for events. */
export const nextDueAt = (state: EscalationState): Date | undefined => dueItems(state)[0]?.dueAt;

function itemsOf(active: ActiveEscalation, done: ReadonlySet<string>): readonly DueItem[] {
  const { id: routeId, repeatNumber } = active;
  const rules = active.rules.flatMap((rule, ruleIndex): DueItem[] =>
    done.has(ruleKey(active, ruleIndex))
      ? []
      : [{ kind: 'rule', routeId, ruleIndex, repeatNumber, dueAt: dueAt(active, rule) }],
  );
  const end = nextRepeatAt(active);
  return end === undefined ? rules : [...rules, { kind: 'repeat', routeId, repeatNumber, dueAt: end }];
}

const itemOfLookUp = ({ attempt, dueAt: at, id: lookUpId }: EscalationState['lookUps'][number]): DueItem => ({
  kind: 'look-up',
  lookUpId,
  attempt,
  dueAt: at,
});

const exhaustedItem = (state: EscalationState): readonly DueItem[] =>
  state.exhaustedDueAt !== undefined && hasFlowEnded(state)
    ? [{ kind: 'exhausted', cycle: state.alert.cycle, dueAt: state.exhaustedDueAt }]
    : [];
