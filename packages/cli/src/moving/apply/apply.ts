import { CliError, EXIT } from '../../cli-error.ts';
import { mapConcurrent } from '../../map-concurrent.ts';
import { ApiReadError } from '../answer.ts';
import { canonical, IMPORT_KINDS, type ImportKind, keyOf } from '../bodies/body.ts';
import { type Json, textIn } from '../json.ts';
import { CONCURRENT_REQUESTS, segment } from '../kinds.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import { type Applied, AppliedFile, appliedIn } from '../plan/applied.ts';
import type { Plan, PlannedThing } from '../plan/plan.ts';
import { listKindOf } from '../plan/present.ts';
import type { Progress } from '../progress.ts';
import type { IntegrationKey } from './keys.ts';

/** A thing that Tocsin does not take. */
export interface Refused {
  readonly kind: ImportKind | 'keys';
  readonly id: string;
  readonly name: string;
  readonly why: string;
  /** What is wrong with each field. */
  readonly errors: readonly string[];
}

/** What was done. */
export interface AppliedPlan {
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  /** Things and keys that were there already: an earlier run had written them. */
  readonly unchanged: number;
  /** Keys that Tocsin did not have yet. */
  readonly keys: number;
  readonly refused: readonly Refused[];
}

/** Kinds of which the order counts in which things are created: they are written one after the other. */
const PLACED: ReadonlySet<ImportKind> = new Set(['forwarding-rules', 'maintenance', 'policies', 'policies-v1']);
/** Where things are deleted; a heartbeat by its name. */
const DELETED_AT: Readonly<Partial<Record<ImportKind, string>>> = {
  policies: '/v2/policies',
  'policies-v1': '/v1/policies',
  maintenance: '/v1/maintenance',
  'saved-searches': '/v2/alerts/saved-searches',
};

/** Where a plan is carried out. The folder is locked. */
export interface Application {
  readonly client: OpsgenieClient;
  readonly folder: string;
  readonly progress: Progress;
}

/**
 * Writes what the plan says, kind after kind. What is refused is tried once again at the end; the rest goes on. It may be broken off
 * anywhere: the next run plans what is left.
 *
 * @throws ApiReadError where Tocsin cannot be written at all.
 */
export async function apply(
  plan: Plan,
  keys: readonly IntegrationKey[],
  application: Application,
): Promise<AppliedPlan> {
  const file = new AppliedFile(application.folder, application.client.url);
  try {
    const before = appliedIn([application.folder], application.client.url);
    const run = new ApplyRun(application, file, before);
    for (const [id, ours] of plan.adopted) if (before.adopted.get(id) !== ours) file.adopt(id, ours);
    for (const kind of IMPORT_KINDS)
      await run.write(
        kind,
        plan.things.filter((thing) => thing.kind === kind),
      );
    await run.repeatRefused();
    await run.writeKeys(keys);
    return run.result();
  } finally {
    file.close();
  }
}

class ApplyRun {
  readonly #application: Application;
  /** What the folder records of earlier runs. */
  readonly #before: Applied;
  readonly #file: AppliedFile;
  readonly #counts = { created: 0, changed: 0, deleted: 0, unchanged: 0, keys: 0 };
  #refused: { readonly thing: PlannedThing; readonly refused: Refused }[] = [];
  readonly #refusedKeys: Refused[] = [];
  readonly #begun = new Set<string>();

  constructor(application: Application, file: AppliedFile, before: Applied) {
    this.#before = before;
    this.#application = application;
    this.#file = file;
  }

  result(): AppliedPlan {
    return { ...this.#counts, refused: [...this.#refused.map(({ refused }) => refused), ...this.#refusedKeys] };
  }

  async write(kind: ImportKind, things: readonly PlannedThing[]): Promise<void> {
    for (const thing of things) this.#recordEqual(thing);
    const due = things.filter(({ state }) => ['create', 'change', 'delete'].includes(state));
    const { progress } = this.#application;
    progress.begin(kind);
    progress.expect(due.length, due.length);
    await mapConcurrent(PLACED.has(kind) ? 1 : CONCURRENT_REQUESTS, due, async (thing) => {
      await this.#writeThing(thing);
      progress.done();
    });
  }

  /** A thing may have been refused because one that it names came later. */
  async repeatRefused(): Promise<void> {
    const again = this.#refused;
    this.#refused = [];
    for (const { thing } of again) await this.#writeThing(thing, { isLast: true });
  }

  async writeKeys(keys: readonly IntegrationKey[]): Promise<void> {
    const { client, progress } = this.#application;
    progress.begin('keys');
    progress.expect(keys.length, keys.length);
    await mapConcurrent(CONCURRENT_REQUESTS, keys, async ({ apiKey, id, name }) => {
      try {
        const path = `/v2/imports/keys/${segment(id)}`;
        this.#count(await client.write(path, { method: 'PUT', body: { apiKey } }), 'keys');
      } catch (error) {
        this.#refusedKeys.push({ kind: 'keys', id, name, ...refusalOf(error) });
      }
      progress.done();
    });
  }

  /** What Tocsin has already, or keeps by a decision, is known to later runs. */
  #recordEqual(thing: PlannedThing): void {
    if (!['same', 'keep'].includes(thing.state) || thing.wanted === undefined) return;
    const before = this.#before.bodies.get(keyOf(thing));
    if (before?.isAnswered === true && canonical(before.body) === canonical(thing.wanted)) return;
    this.#file.answered(thing, thing.wanted);
  }

  async #writeThing(thing: PlannedThing, { isLast = false } = {}): Promise<void> {
    try {
      await (thing.state === 'delete' ? this.#delete(thing) : this.#put(thing));
    } catch (error) {
      const { id, kind, name } = thing;
      this.#refused.push({ thing, refused: { kind, id, name, ...refusalOf(error) } });
      if (!isLast && error instanceof ApiReadError && error.fault === 'missing') await this.#putWithoutRotations(thing);
    }
  }

  /** An escalation may name a schedule with a rotation of that escalation: the schedule comes before without its rotations. */
  async #putWithoutRotations(thing: PlannedThing): Promise<void> {
    if (thing.kind !== 'schedules' || thing.state !== 'create') return;
    const body = { ...thing.body, rotations: [], overrides: [] };
    this.#file.begin(thing, body);
    try {
      await this.#send(thing, body);
    } catch (error) {
      refusalOf(error);
    }
  }

  /** Once for each thing: after a broken run the recorded body is one that Tocsin may have. */
  #begin(thing: PlannedThing, body: Json): void {
    // Rules are there once their owner is, whether or not they were written.
    if (this.#begun.has(keyOf(thing)) || listKindOf(thing.kind) !== thing.kind) return;
    this.#begun.add(keyOf(thing));
    this.#file.begin(thing, body);
  }

  #send({ id, kind }: PlannedThing, body: Json): Promise<Json> {
    const path = `/v2/imports/${kind}/${segment(id)}`;
    return this.#application.client.write(path, { method: 'PUT', body });
  }

  async #put(thing: PlannedThing): Promise<void> {
    const { body = {}, state, wanted = body } = thing;
    if (state === 'create') this.#begin(thing, wanted);
    const answer = await this.#send(thing, body);
    this.#file.answered(thing, wanted);
    this.#count(answer, state === 'create' ? 'created' : 'changed');
  }

  /** Counts as the plan says: Tocsin calls the rules of a new user a change. */
  #count(answer: Json, as: 'created' | 'changed' | 'keys'): void {
    this.#counts[textIn(answer, 'result') === 'Unchanged' ? 'unchanged' : as] += 1;
  }

  async #delete(thing: PlannedThing): Promise<void> {
    const path = `${DELETED_AT[thing.kind] ?? `/v2/${thing.kind}`}/${segment(thing.id)}`;
    try {
      await this.#application.client.write(path, { method: 'DELETE' });
    } catch (error) {
      if (!(error instanceof ApiReadError) || error.fault !== 'missing') throw error;
    }
    this.#file.deleted(thing);
    this.#counts.deleted += 1;
  }
}

const NO_HANDLER = 'No handler found';

/** Why one thing was refused. @throws the error where no other thing would be taken either. */
export function refusalOf(error: unknown): Pick<Refused, 'why' | 'errors'> {
  if (!(error instanceof ApiReadError)) throw error;
  if (error.fault === 'missing' && error.said === NO_HANDLER)
    throw new CliError(EXIT.cannotSay, 'This Tocsin takes no imports.', [
      'Set IMPORT=on of its gateway for the time of the move, and run the same command again.',
    ]);
  if (!['missing', 'answer', 'plan'].includes(error.fault)) throw error;
  return { why: error.said ?? error.message, errors: error.details };
}
