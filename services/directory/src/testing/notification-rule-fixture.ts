import { testApp, type TestApp } from './app-fixture.ts';

export const ADA = 'ada@example.com';
export const RULES = `/v2/users/${ADA}/notification-rules`;

/** The least that a rule needs. */
export const nights = { name: 'Nights', actionType: 'create-alert', enabled: true };
/** The least that a rule about shifts needs. */
export const shifts = { name: 'Shifts', actionType: 'schedule-start', enabled: true, notificationTime: ['1-hour-ago'] };
export const mailStep = { contact: { method: 'email', to: ADA }, sendAfter: { timeAmount: 5 }, enabled: true };

/** The app with a user, who has the rules of every new user, and the means to make more for the purpose of a test. */
export interface RulesApp extends TestApp {
  readonly adaId: string;
  /** The id of a rule of the user that is created. */
  readonly rule: (body?: object) => Promise<string>;
  /** `data` of a GET that is answered 200. */
  readonly read: (path: string) => Promise<unknown>;
  /** `[name, order]` of the user's rules of that type, as listed. */
  readonly places: (actionType: string) => Promise<readonly (readonly [string, number])[]>;
  /** The version of the published state of the user. */
  readonly version: () => Promise<number>;
}

interface Listed {
  readonly name: string;
  readonly actionType: string;
  readonly order: number;
}

/** `given` replaces default parts of the app. */
export async function rulesApp(given?: Parameters<typeof testApp>[0]): Promise<RulesApp> {
  const app = await testApp(given);
  const adaId = await app.user(ADA);
  const read = async (path: string): Promise<unknown> => {
    const { status, body } = await app.get(path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`);
    return (body as { data: unknown }).data;
  };
  return {
    ...app,
    adaId,
    read,
    rule: async (body = nights) => {
      const { status, body: answer } = await app.post(RULES, body);
      if (status !== 201) throw new Error(`POST ${RULES} answered ${status}: ${JSON.stringify(answer)}`);
      return (answer as { data: { id: string } }).data.id;
    },
    places: async (actionType) =>
      ((await read(RULES)) as readonly Listed[])
        .filter((listed) => listed.actionType === actionType)
        .map(({ name, order }) => [name, order]),
    version: async () => (await app.directory.users.get(ADA)).version.n,
  };
}
