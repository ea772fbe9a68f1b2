import { testApp, type TestApp } from './app-fixture.ts';

/** `data` of an answer. */
export const dataOf = ({ body }: { readonly body: unknown }): Record<string, unknown> =>
  (body as { data: Record<string, unknown> }).data;

export const none = { type: 'none' } as const;

/** The fields of a rule in an answer that most tests compare. */
export interface Rule {
  readonly id: string;
  readonly name: string;
  readonly order: number;
  readonly isDefault: boolean;
}

/** An app with a team, and what tests do with the rules of that team. */
interface TeamWithRules extends TestApp {
  readonly teamId: string;
  readonly defaultId: string;
  readonly path: string;
  readonly list: () => Promise<readonly Rule[]>;
  /** The id of a rule that has no target unless `body` has one. */
  readonly create: (body: object) => Promise<string>;
  /** The log entries with their actors, oldest first. */
  readonly history: () => Promise<readonly string[]>;
  readonly version: () => Promise<number | undefined>;
}

/** A team of its own with its default rule, and the means to reach its rules. */
export async function setUp(): Promise<TeamWithRules> {
  const app = await testApp();
  const teamId = await app.team('Ops');
  app.scheduling.addSchedule('night', 'Night shift');
  const path = `/v2/teams/${teamId}/routing-rules`;
  const list = async () => dataOf(await app.get(path)) as unknown as readonly Rule[];
  const create = async (body: object) => String(dataOf(await app.post(path, { notify: none, ...body }))['id']);
  const history = async () => {
    const lines = await app.stores.teams.history(teamId, { order: 'asc', limit: 100, after: undefined });
    return lines.map(({ owner, log }) => `${owner}: ${log}`);
  };
  const version = async () => (await app.stores.teams.find({ id: teamId }))?.version.n;
  const defaultId = (await list()).find(({ isDefault }) => isDefault)?.id ?? '';
  return { ...app, teamId, path, list, create, history, version, defaultId };
}
