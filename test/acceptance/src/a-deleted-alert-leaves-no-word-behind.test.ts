import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { byAlias, stepTo, type Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();

/** Until every user would have been notified. */
const LONG = 90;

/** All texts of an alert and its actions, each with a word of its own that begins with `stem`. */
function wordsOf(stem: string) {
  const word = (of: string) => `${stem}${of}`;
  return {
    content: {
      message: word('message'),
      alias: word('alias'),
      description: word('description'),
      source: word('source'),
      entity: word('entity'),
      user: word('user'),
      note: word('note'),
      tags: [word('tag')],
      actions: [word('action')],
      details: { [word('key')]: word('value') },
    },
    later: {
      message: word('later_message'),
      description: word('later_description'),
      user: word('later_user'),
      note: word('later_note'),
      tags: [word('later_tag')],
      details: { [word('later_key')]: word('later_value') },
    },
    file: { name: word('filename'), text: word('filetext') },
  };
}

/** So unlike any other word that no other test has it. */
const newStem = () => `q${randomBytes(5).toString('hex')}`;

type Words = ReturnType<typeof wordsOf>;

const allOf = (words: unknown): readonly string[] =>
  typeof words === 'string'
    ? [words]
    : Object.entries(words as object).flatMap(([key, value]) => [key, ...allOf(value)]);

/** Ada is notified after so many minutes each, and all of it once more after ten; Grace after an hour. */
async function people(scenario: Scenario, ...minutes: readonly number[]): Promise<void> {
  await scenario.users('ada', 'grace');
  await scenario.changeRule('ada', 'create-alert', {
    steps: minutes.map((after) => stepTo(scenario.address('ada'), after)),
    repeat: { loopAfter: 10, enabled: true },
  });
  const [ada, grace] = [{ type: 'user', name: 'ada' } as const, { type: 'user', name: 'grace' } as const];
  await scenario.repeatingEscalation(
    'Duty',
    { waitInterval: 30, count: 2 },
    { delay: 0, to: ada },
    { delay: 60, to: grace },
  );
  await system.settle();
}

const open = (scenario: Scenario, { content }: Words) =>
  scenario.alert({ ...content, responders: [scenario.responder('escalation', 'Duty')] });

/** Everything that can be written about an alert. */
async function write(scenario: Scenario, { content: { alias, actions }, later, file }: Words): Promise<void> {
  const { description, details, message, note, tags, user } = later;
  const by = { user };
  await scenario.act(alias, 'notes', { note, ...by });
  await scenario.act(alias, 'tags', { tags, note, ...by });
  await scenario.act(alias, 'details', { details, ...by });
  await scenario.act(alias, `actions/${actions[0] ?? ''}`, by);
  await scenario.act(alias, 'assign', { owner: { username: scenario.address('grace') }, ...by });
  await scenario.act(alias, 'message', { message }, 'PUT');
  await scenario.act(alias, 'description', { description }, 'PUT');
  const form = new FormData();
  form.append('user', user);
  form.append('file', new Blob([file.text], { type: 'text/plain' }), file.name);
  await system.api.create(`/v2/alerts/${alias}/attachments?alertIdentifierType=alias`, form);
}

const inAnHour = () => new Date(system.clock.now().getTime() + 3_600_000).toISOString();

/** The actions on an alert before its delete. */
const STATES: Readonly<Record<string, (scenario: Scenario, alias: string) => Promise<unknown>>> = {
  'other alerts still have to be sent': () => Promise.resolve(),
  snoozed: (scenario, alias) => scenario.act(alias, 'snooze', { endTime: inAnHour() }),
  acknowledged: (scenario, alias) => scenario.act(alias, 'acknowledge'),
  closed: (scenario, alias) => scenario.act(alias, 'close'),
};

describe('a deleted alert', () => {
  it('leaves nothing of its content in any database but its alias with its requests, whatever state it was in', async () => {
    const scenario = system.scenario();
    const stem = newStem();
    const alerts = Object.entries(STATES).map(([state, bring]) => ({ bring, words: wordsOf(`${stem}${state[0]}`) }));
    const aliases = alerts.map(({ words }) => words.content.alias).sort();
    await people(scenario, 0, 5);
    for (const { bring, words } of alerts) {
      await open(scenario, words);
      await system.mailed(scenario.address('ada'), words.content.message);
      await write(scenario, words);
      await bring(scenario, words.content.alias);
    }
    await system.settle();
    const stored = Object.values(await system.stored().wordsOf(stem)).flat();
    expect(allOf(alerts).filter((word) => word.startsWith(stem) && !stored.includes(word))).toEqual([]);

    for (const { words } of alerts) {
      const query = `tag:${words.content.tags[0] ?? ''}`;
      const [alert] = await system.api.read<readonly { id: string }[]>(`/v2/alerts?query=${query}`);
      await system.api.expect(202, 'DELETE', `/v2/alerts/${alert?.id}?source=${stem}last&user=${stem}last`);
      await scenario.act(words.content.alias, 'notes', { note: `${stem}late` });
    }
    await system.settle();
    expect(await system.stored().wordsOf(stem)).toEqual({ 'alert_processor.request_statuses': aliases });
    await system.pass(LONG);
    expect(await system.stored().wordsOf(stem)).toEqual({ 'alert_processor.request_statuses': aliases });
  });

  it('leaves no more than that where other services receive its delete at the time of its create', async () => {
    const scenario = system.scenario();
    const stem = newStem();
    const words = wordsOf(stem);
    await people(scenario, 5);
    await open(scenario, words);
    await system.api.expect(202, 'DELETE', byAlias(words.content.alias));
    await system.pass(LONG);
    expect(await system.stored().wordsOf(stem)).toEqual({ 'alert_processor.request_statuses': [words.content.alias] });
  });
});
