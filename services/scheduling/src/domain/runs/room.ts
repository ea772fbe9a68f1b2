import { isOfFormerRound, type Branch, type LookUp, type Run } from './run.ts';

/** A run is one document, which may have 16 MB. What is bounded here takes at most 10 MB of it. */
const MOST_BRANCHES = 1_000;
const MOST_RULES = 20_000;
const MOST_BYTES_OF_BRANCHES = 7_000_000;
const MOST_LOOK_UPS = 1_000;
const MOST_BYTES_OF_LOOK_UPS = 3_000_000;

/** About what a rule, or a look-up, takes besides ids and texts. */
const BYTES_OF_RULE = 200;
const BYTES_OF_LOOK_UP = 500;
/** One of the things on a way. */
const BYTES_OF_THING = 60;
const BYTES_OF_CHARACTER = 4;

/** What a settlement has done so far. What ends with a former round makes room. */
interface Settled {
  readonly started: readonly Branch[];
  readonly lookUps: readonly LookUp[];
  readonly lookedUp: readonly string[];
}

export function hasRoomFor(branch: Branch, run: Run, { started }: Settled): boolean {
  const again = startedAgain(started);
  const kept = run.branches.filter(({ id }) => !again.some((one) => one.id === id) && !isOfFormerRound(again, id));
  const all = [...kept, ...started, branch];
  return (
    all.length <= MOST_BRANCHES &&
    sumOf(all, ({ rules }) => rules.length) <= MOST_RULES &&
    sumOf(all, bytesOfBranch) <= MOST_BYTES_OF_BRANCHES
  );
}

export function hasRoomToLookUp(lookUp: LookUp, run: Run, { lookedUp, lookUps, started }: Settled): boolean {
  const again = startedAgain(started);
  const kept = run.lookUps.filter(({ id }) => !lookedUp.includes(id) && !isOfFormerRound(again, id));
  const all = [...kept, ...lookUps, lookUp];
  return all.length <= MOST_LOOK_UPS && sumOf(all, bytesOfLookUp) <= MOST_BYTES_OF_LOOK_UPS;
}

const startedAgain = (started: readonly Branch[]): readonly Branch[] => started.filter(({ round }) => round > 0);

/** Each rule that has fired is named by the id of its branch, which has grown with the way there. */
const bytesOfBranch = ({ escalationName, id, path, rules }: Branch): number =>
  (rules.length + 1) * (id.length + BYTES_OF_RULE) +
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
