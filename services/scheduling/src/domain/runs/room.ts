import { isOfFormerRound, type Branch, type LookUp, type Run } from './run.ts';

/** A run is one document, which may have 16 MB. What is bounded here takes at most 11 MB of it. */
const MOST_BRANCHES = 1_000;
const MOST_RULES = 20_000;
const MOST_BYTES_OF_BRANCHES = 8_000_000;
const MOST_LOOK_UPS = 1_000;
const MOST_BYTES_OF_LOOK_UPS = 3_000_000;

/** About what a rule, or a look-up, takes besides ids and texts. */
const BYTES_OF_RULE = 200;
const BYTES_OF_LOOK_UP = 500;
/** One of the things on a way. */
const BYTES_OF_THING = 60;
const BYTES_OF_CHARACTER = 4;

/** Whether there is room for one more branch besides those `started` by now. What ends with a former round makes room. */
export function hasRoomFor(branch: Branch, run: Run, { started }: { readonly started: readonly Branch[] }): boolean {
  const again = started.filter(({ round }) => round > 0);
  const kept = run.branches.filter(({ id }) => !again.some((one) => one.id === id) && !isOfFormerRound(again, id));
  const all = [...kept, ...started, branch];
  return (
    all.length <= MOST_BRANCHES &&
    sumOf(all, ({ rules }) => rules.length) <= MOST_RULES &&
    sumOf(all, bytesOfBranch) <= MOST_BYTES_OF_BRANCHES
  );
}

/** The look-ups that a run waits for, each once. */
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

  /** Replaces one with the same id. False where there is no room for it. */
  add(lookUp: LookUp): boolean {
    const bytes = this.#bytes - this.#bytesOf(lookUp.id) + bytesOfLookUp(lookUp);
    const count = this.#all.size + (this.#all.has(lookUp.id) ? 0 : 1);
    if (count > MOST_LOOK_UPS || bytes > MOST_BYTES_OF_LOOK_UPS) return false;
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

/** Each rule that was skipped is named twice by the id of its branch, which has grown with the way there. */
const bytesOfBranch = ({ escalationName, id, path, rules }: Branch): number =>
  (rules.length + 1) * (2 * id.length + BYTES_OF_RULE) +
  path.length * BYTES_OF_THING +
  escalationName.length * BYTES_OF_CHARACTER;

const bytesOfLookUp = ({ id, step: { cause, path } }: LookUp): number =>
  BYTES_OF_LOOK_UP +
  id.length +
  cause.branchId.length +
  path.length * BYTES_OF_THING +
  cause.why.length * BYTES_OF_CHARACTER;

const sumOf = <T>(items: readonly T[], weight: (item: T) => number): number =>
  items.reduce((sum, item) => sum + weight(item), 0);
