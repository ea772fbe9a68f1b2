import { describe, expect, test } from '@jest/globals';
import { type Action, actionChanges, actionText, bodyWithout, contentTexts, inOrder, movedBody } from './actions.ts';
import type { Actions } from './queries.ts';

const all = { conditionMatchType: 'match-all', conditions: [] };
const common = { order: 0, filter: all, alias: '{{alias}}', user: '{{user}}', note: '{{note}}' };
const simple = (type: 'ignore' | 'close' | 'acknowledge' | 'addNote', name: string, over: object = {}) =>
  ({ type, name, ...common, ...over }) as Action;
const create = (name: string, over: object = {}) =>
  ({
    type: 'create',
    name,
    ...common,
    source: '{{source}}',
    message: '{{message}}',
    description: '{{description}}',
    entity: '{{entity}}',
    appendAttachments: true,
    alertActions: [],
    tags: [],
    recipients: [],
    responders: [],
    extraProperties: {},
    ignoreAlertActionsFromPayload: false,
    ignoreRecipientsFromPayload: false,
    ignoreTeamsFromPayload: false,
    ignoreRespondersFromPayload: false,
    ignoreTagsFromPayload: false,
    ignoreExtraPropertiesFromPayload: false,
    ...over,
  }) as Action;
const startingWith = (field: string, expectedValue: string) => ({
  conditionMatchType: 'match-all-conditions',
  conditions: [{ field, not: false, operation: 'starts-with', expectedValue }],
});
const actionsOf = (groups: object): Actions =>
  ({
    _parent: { id: '1', name: 'Scripts', enabled: true, type: 'API' },
    ignore: [],
    create: [create('Create Alert')],
    close: [],
    acknowledge: [],
    addNote: [],
    ...groups,
  }) as Actions;

describe('the actions of an integration', () => {
  test('They are in the order in which they are tried, and the default action is known by what it does.', () => {
    const actions = actionsOf({
      addNote: [simple('addNote', 'Note')],
      create: [create('Create Alert', { tags: ['x'] }), create('Create Alert')],
      ignore: [simple('ignore', 'Tests')],
    });

    expect(inOrder(actions).map(({ action, index, isDefault }) => [action.name, index, isDefault])).toEqual([
      ['Tests', 0, false],
      ['Create Alert', 0, false],
      ['Create Alert', 1, true],
      ['Note', 0, false],
    ]);
  });

  test.each<[Action, 'request' | 'mail', string]>([
    [create('Create Alert'), 'request', 'Creates an alert of every request.'],
    [
      simple('ignore', 'News', { filter: startingWith('from-address', 'news') }),
      'mail',
      'Ignores mails whose address of the sender starts with “news”.',
    ],
    [
      simple('close', 'Recovered', { filter: startingWith('Subject', '[OK]') }),
      'mail',
      'Closes the alert whose alias is “{{alias}}”, for mails whose subject starts with “[OK]”.',
    ],
    [
      simple('acknowledge', 'Seen', { alias: 'db' }),
      'request',
      'Acknowledges the alert whose alias is “db”, for every request.',
    ],
    [
      simple('addNote', 'Note'),
      'request',
      'Adds the note “{{note}}” to the alert whose alias is “{{alias}}”, for every request.',
    ],
  ])('%j of a %s is a sentence.', (action, of, text) => {
    expect(actionText(action, of)).toBe(text);
  });

  test('What an action makes other than the request says is listed.', () => {
    expect(contentTexts(create('Create Alert'))).toEqual([]);
    expect(
      contentTexts(
        create('All', {
          message: '{{from_name}}',
          customPriority: '{{details.priority}}',
          priority: 'P5',
          tags: ['a', 'b'],
          extraProperties: { region: 'eu' },
          recipients: [{ type: 'team', id: '1', name: 'Web' }],
          ignoreRespondersFromPayload: true,
          ignoreTeamsFromPayload: true,
          ignoreTagsFromPayload: true,
          appendAttachments: false,
        }),
      ),
    ).toEqual([
      'message: “{{from_name}}”',
      'priority: {{details.priority}}',
      'further tags: a, b',
      'further details: region = eu',
      'also to: team Web',
      'left out: responders, tags',
      'without the files of a mail',
    ]);
  });
});

describe('a change of the actions', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((name, order) => create(name, { order, tags: [name] }));
  const actions = actionsOf({ ignore: [simple('ignore', 'Tests')], create: [one, two, three] });
  const created = (body: Readonly<Record<'create', readonly Action[]>>) =>
    body.create.map(({ name, order }) => [name, order]);

  test('An action moves within its group, whose orders follow its places; the other groups stay.', () => {
    const body = movedBody(actions, 'create', 1, -1);

    expect(created(body)).toEqual([
      ['two', 0],
      ['one', 1],
      ['three', 2],
    ]);
    expect(body.ignore).toEqual(actions.ignore);
    expect(Object.keys(body)).not.toContain('_parent');
    expect(created(movedBody(actions, 'create', 1, 1)).map(([name]) => name)).toEqual(['one', 'three', 'two']);
  });

  test('An action is left out.', () => {
    expect(created(bodyWithout(actions, 'create', 0))).toEqual([
      ['two', 0],
      ['three', 1],
    ]);
  });

  test('What another person changed is named by group.', () => {
    expect(actionChanges(actions, actions)).toEqual([]);
    expect(actionChanges(actions, { ...actions, create: [], ignore: [...actions.ignore, ...actions.ignore] })).toEqual([
      'Actions that ignore: now Tests, Tests.',
      'Actions that create alerts: none now.',
    ]);
  });
});
