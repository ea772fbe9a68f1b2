import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person, ScriptedApi, type Reply } from '../testing/command-fixture.ts';

const PRESETS = {
  body: {
    data: [
      {
        name: 'alertmanager',
        title: 'Alertmanager',
        types: ['Prometheus'],
        setUp: ["Set `url: '<URL>'`."],
        notes: ['It sends groups.'],
      },
      { name: 'jenkins', title: 'Jenkins', types: [], setUp: ['Paste `<URL>`.'], notes: [] },
    ],
  },
};
const made = (name: string) => ({ status: 201, body: { data: { id: 'i1', name, type: 'Prometheus', apiKey: 'k-1' } } });

let person: Person;
let api: ScriptedApi;
let url: string;

async function answering(...replies: readonly Reply[]): Promise<void> {
  api = new ScriptedApi(...replies);
  url = await api.start();
  person.env = { TOCSIN_URL: url, TOCSIN_KEY: 'key' };
}

beforeEach(() => {
  person = new Person();
});
afterEach(() => {
  api.stop();
  person.leave();
});

describe('tocsin integration add', () => {
  it('makes an integration of the type of the tool, and says what to set in the tool', async () => {
    await answering(PRESETS, made('Alertmanager'));
    const { code, stdout, stderr } = await person.types('integration', 'add', 'alertmanager', '--team', 'Ops');
    expect(code).toBe(0);
    expect(api.received.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v2/integrations',
      body: {
        type: 'Prometheus',
        name: 'Alertmanager',
        allowReadAccess: false,
        allowWriteAccess: false,
        ownerTeam: { name: 'Ops' },
      },
    });
    expect(stdout).toBe(`Created the integration Alertmanager. Its address has its key, and is shown this once:

  ${url}/hooks/k-1

In the tool
  - Set \`url: '${url}/hooks/k-1'\`.

To know
  - It sends groups.
`);
    expect(stderr).toBe('`tocsin integration watch Alertmanager` shows what the tool sends\n');
  });

  it('names the preset in the address where no type stands for the tool', async () => {
    await answering(PRESETS, made("Ada's Jenkins"));
    const { stdout, stderr } = await person.types('integration', 'add', 'Jenkins', '--name', "Ada's Jenkins", '--json');
    expect(JSON.parse(stdout)).toEqual({
      id: 'i1',
      name: "Ada's Jenkins",
      type: 'Prometheus',
      preset: 'jenkins',
      url: `${url}/hooks/k-1/jenkins`,
      setUp: [`Paste \`${url}/hooks/k-1/jenkins\`.`],
      notes: [],
    });
    expect(api.received.at(-1)?.body).toMatchObject({ type: 'API', name: "Ada's Jenkins" });
    expect(stderr).toContain(`watch 'Ada'\\''s Jenkins'`);
  });

  it.each([
    ['n\n', 2],
    ['\n', 3],
  ])('asks a person at a terminal whether to watch: %j', async (typed, requests) => {
    await answering(PRESETS, made('Alertmanager'), { status: 403, body: { message: 'No.' } });
    person.typesAtTerminal = true;
    const { stderr } = await person.feeds(typed, 'integration', 'add', 'alertmanager');
    expect(stderr).toContain('Show the requests of the tool as they come? [Y/n] ');
    expect(api.received).toHaveLength(requests);
  });

  it('watches without a question with --watch, and not with --no-watch', async () => {
    await answering(PRESETS, made('Alertmanager'), { status: 403, body: { message: 'No.' } });
    expect(await person.types('integration', 'add', 'alertmanager', '--watch')).toMatchObject({ code: 4 });
    expect(api.received.at(-1)?.path).toBe('/v2/integrations/i1/samples');
    api.stop();
    await answering(PRESETS, made('Alertmanager'));
    person.typesAtTerminal = true;
    expect(await person.types('integration', 'add', 'alertmanager', '--no-watch')).toMatchObject({ code: 0 });
  });

  it('ends with 5 for a tool that has no preset, and makes nothing', async () => {
    await answering(PRESETS);
    const { code, stderr } = await person.types('integration', 'add', 'no-such');
    expect(code).toBe(5);
    expect(stderr).toContain('`tocsin integration presets` lists them');
    expect(api.received).toHaveLength(1);
  });
});
