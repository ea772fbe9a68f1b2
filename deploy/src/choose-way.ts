import type { Way } from './settings.ts';
import { TroubleError } from './trouble.ts';

/** What decides how an installation runs. A reason is a sentence for the person at the terminal. */
export interface WayFacts {
  /** What the person asked for. */
  readonly asked: Way | undefined;
  /** Who keeps the data of the installation, if it has any. */
  readonly keptBy: Way | undefined;
  /** Whether it is to use a Kafka or a MongoDB of the person. */
  readonly ownEngines: boolean;
  /** Why Kafka and MongoDB cannot be had on this machine; undefined where they can. */
  readonly lackHere: () => Promise<string | undefined>;
  /** Why Docker cannot be used; undefined where it can. */
  readonly dockerTrouble: () => Promise<string | undefined>;
}

/** How an installation runs, and why where the user did not choose it. */
export interface ChosenWay {
  readonly way: Way;
  readonly because?: string;
}

const ASK_DOCKER = 'npm start -- --docker';
const ASK_HERE = 'npm start -- --no-docker';

/**
 * What was asked for goes first, then the data that is there, then this machine; Docker where this machine lacks a part.
 *
 * @throws TroubleError where the way asked for or kept to cannot be gone, and where neither can: it names both.
 */
export async function chooseWay(facts: WayFacts): Promise<ChosenWay> {
  if (facts.asked === 'here' || (facts.asked === undefined && facts.ownEngines)) return { way: 'here' };
  if (facts.asked === 'docker') return await docker(facts, (trouble) => `Docker cannot be used: ${trouble}`);
  if (facts.keptBy === 'here') return { way: 'here' };
  if (facts.keptBy === 'docker') {
    const chosen = await docker(
      facts,
      (trouble) =>
        `The data of this installation is kept by Docker, which cannot be used: ${trouble}\nWithout it, and its data: ${ASK_HERE}`,
    );
    return { ...chosen, because: `it keeps the data of this installation (${ASK_HERE} starts another without it)` };
  }
  const lack = await facts.lackHere();
  if (lack === undefined) return { way: 'here' };
  const chosen = await docker(
    facts,
    (trouble) => `${lack}\nOr let Docker bring everything (${ASK_DOCKER}): ${trouble}`,
  );
  return { ...chosen, because: `this machine lacks a part. ${lack}` };
}

async function docker(
  { dockerTrouble }: WayFacts,
  explain: (trouble: string) => string,
): Promise<{ readonly way: 'docker' }> {
  const trouble = await dockerTrouble();
  if (trouble !== undefined) throw new TroubleError(explain(trouble));
  return { way: 'docker' };
}
