import { describe, expect, it } from '@jest/globals';
import { type PresetFile, presetPages, type SampleFile } from './preset-pages.ts';

const PRESET: PresetFile = {
  name: 'tool',
  title: 'Tool',
  docs: 'https://tool.example.com/webhooks',
  types: ['Tool', 'ToolV2'],
  vendors: ['tool'],
  items: 'checks',
  fields: { state: ['status'], key: ['id', '{{_item.a}}|{{_item.b}}'], summary: ['title'], zone: ['region'] },
  states: { 'down*': 'open', up: 'close' },
  priorities: { low: 'P4', high: 'P1', urgent: 'P1' },
  details: ['labels'],
  tags: ['tags'],
  setUp: ['Settings, Webhooks: URL `<URL>`, and again `<URL>?`.'],
  notes: ['It sends tests.'],
  unsure: ['Whether it sends an end.'],
};
const SAMPLES: readonly SampleFile[] = [
  { name: 'open-check', about: 'It is down.', body: { id: 7 }, headers: { 'user-agent': 'tool' } },
];

const pagesOf = (changes: Partial<PresetFile> = {}) =>
  presetPages([
    { preset: { ...PRESET, ...changes }, samples: SAMPLES },
    { preset: { name: 'other', title: 'Another tool', fields: { key: ['id'], summary: ['text'] } }, samples: [] },
  ]);
const pageOf = (changes?: Partial<PresetFile>): string => pagesOf(changes)['tool.md'] ?? '';

describe('the page of a preset', () => {
  it('says what to set in the tool, with the address in each place', () => {
    expect(pageOf()).toContain('an integration of the type `Tool` or `ToolV2`');
    expect(pageOf()).toContain(
      'URL `https://tocsin.example.com/hooks/<apiKey>`, and again `https://tocsin.example.com/hooks/<apiKey>?`.',
    );
    expect(pageOf()).toContain('can send to `/v1/json/tool?apiKey=<apiKey>`');
  });

  it('names the preset in the address where no type of integration says which tool it is', () => {
    expect(pageOf({ types: [] })).toContain('an integration of the type `API`');
    expect(pageOf({ types: [] })).toContain('URL `https://tocsin.example.com/hooks/<apiKey>/tool`');
  });

  it('says what each word does, what becomes of each field, what to know and what is unsure', () => {
    const page = pageOf().replaceAll(/ +/g, ' ');
    for (const line of [
      '| `down*` | opens an alert, or counts on the open one |',
      '| `up` | closes the alert |',
      '| `key` | `id`, `{{_item.a}}\\|{{_item.b}}` | the key in the alias of the alert |',
      '| `zone` | `region` | for filters and templates of actions |',
      '| | `labels` | details |',
      '| | `tags` | tags |',
      '| P1 | `high`, `urgent` |',
      '## What to know\n\n- It sends tests.\n',
      '## What is unsure\n\n- Whether it sends an end.\n',
      'Each item of `checks` is an alert of its own.',
    ])
      expect(page).toContain(line);
  });

  it('has no heading without content', () => {
    const page = pageOf({ notes: [], unsure: [] });
    expect(page).not.toContain('## What to know');
    expect(page).not.toContain('## What is unsure');
  });

  it('shows each sample with its effect and headers', () => {
    expect(pageOf()).toContain(
      'It is down. The request opens an alert, or counts on the open one. With the header `user-agent: tool`.\n\n```json\n{\n  "id": 7\n}\n```',
    );
  });
});

it('the index has each preset by its title, and whether its alerts close', () => {
  const rows = (pagesOf()['README.md'] ?? '').split('\n').filter((line) => line.startsWith('| ['));
  expect(rows.map((row) => row.split('|').map((cell) => cell.trim()))).toEqual([
    ['', '[Another tool](other.md)', '`API`', 'no', ''],
    ['', '[Tool](tool.md)', '`Tool`, `ToolV2`', 'yes', ''],
  ]);
});
