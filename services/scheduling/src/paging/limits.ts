import { isOfFormerRepeat, type ActiveEscalation, type LookUp, type EscalationState } from './escalation-state.ts';

/** An escalation state is one document, which may have 16 MB. The parts that are bounded here take at most 11 MB of it. */
const MAX_ESCALATIONS = 1_000;
const MAX_RULES = 20_000;
const MAX_BYTES_OF_ESCALATIONS = 8_000_000;
const MAX_LOOK_UPS = 1_000;
const MAX_BYTES_OF_LOOK_UPS = 3_000_000;

/** The approximate size of a rule or a look-up without ids and texts. */
const BYTES_OF_RULE = 200;
const BYTES_OF_LOOK_UP = 500;
/** The size of a target on a route. */
const BYTES_OF_TARGET = 60;
const BYTES_OF_CHARACTER = 4;

/** Whether one more active escalation is within the limits, besides those `started` by now. Escalations that end with a former repeat do not count. */
export function withinLimits(
  active: ActiveEscalation,
  state: EscalationState,
  { started }: { readonly started: readonly ActiveEscalation[] },
): boolean {
  const restarted = started.filter(({ repeatNumber }) => repeatNumber > 0);
  const kept = state.escalations.filter(
    ({ id }) => !restarted.some((one) => one.id === id) && !isOfFormerRepeat(restarted, id),
  );
  const all = [...kept, ...started, active];
  return (
    all.length <= MAX_ESCALATIONS &&
    sumOf(all, ({ rules }) => rules.length) <= MAX_RULES &&
    sumOf(all, bytesOfEscalation) <= MAX_BYTES_OF_ESCALATIONS
  );
}

/** The look-ups that an escalation state waits for, each once. */
export class LookUps {
  readonly #all: Map<string, LookUp>;
  #bytes: number;

  constructor(before: readonly LookUp[]) {
    this.#all = new Map(before.map((lookUp) => [lookUp.id, lookUp]));
    this.#bytes = sumOf(before, bytesOfLookUp);
  }

  get all(): readonly LookUp[] {
    return [...this.#all.values()];
  }

  /** Adds a look-up, or replaces the one with the same id. False where it exceeds the limit. */
  add(lookUp: LookUp): boolean {
    const bytes = this.#bytes - this.#bytesOf(lookUp.id) + bytesOfLookUp(lookUp);
    const count = this.#all.size + (this.#all.has(lookUp.id) ? 0 : 1);
    if (count > MAX_LOOK_UPS || bytes > MAX_BYTES_OF_LOOK_UPS) return false;
    this.#all.set(lookUp.id, lookUp);
    this.#bytes = bytes;
    return true;
  }

  remove(id: string): void {
    this.#bytes -= this.#bytesOf(id);
    this.#all.delete(id);
  }

  #bytesOf(id: string): number {
    const lookUp = this.#all.get(id);
    return lookUp === undefined ? 0 : bytesOfLookUp(lookUp);
  }
}

/** Each rule that was skipped is named twice by the id of its active escalation, which grows with its route. */
const bytesOfEscalation = ({ escalationName, id, rules, targets }: ActiveEscalation): number =>
  (rules.length + 1) * (2 * id.length + BYTES_OF_RULE) +
  targets.length * BYTES_OF_TARGET +
  escalationName.length * BYTES_OF_CHARACTER;

const bytesOfLookUp = ({ id, route: { origin, targets } }: LookUp): number =>
  BYTES_OF_LOOK_UP +
  id.length +
  origin.routeId.length +
  targets.length * BYTES_OF_TARGET +
  origin.why.length * BYTES_OF_CHARACTER;

const sumOf = <T>(items: readonly T[], weight: (item: T) => number): number =>
  items.reduce((sum, item) => sum + weight(item), 0);
