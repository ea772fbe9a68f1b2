import { describe, expect, it, test } from '@jest/globals';
import { hookUrl, lineParts, type Preset, presetOf, presetOptions } from './hook.ts';

const presetNamed = (name: string, over: Partial<Preset> = {}): Preset => ({
  name,
  title: name.toUpperCase(),
  types: [],
  vendors: [],
  fields: [],
  setUp: [],
  notes: [],
  samples: [],
  origin: 'tocsin',
  ...over,
});
const fallback = presetNamed('fallback', { title: 'Webhook' });
const grafana = presetNamed('grafana', { title: 'Grafana', types: ['Grafana', 'GrafanaV2'] });
const PRESETS = [fallback, grafana];

describe('the preset of an integration', () => {
  it.each([
    ['grafana', grafana],
    ['API', fallback],
  ])('of the type %s is that of the type, or what reads the rest', (type, expected) => {
    expect(presetOf(type, PRESETS)).toBe(expected);
  });

  it('is none where the server has none', () => {
    expect(presetOf('API', [])).toBeUndefined();
  });

  it('is chosen by its title', () => {
    expect(presetOptions(PRESETS)).toEqual([
      { value: 'grafana', name: 'Grafana' },
      { value: 'fallback', name: 'Webhook' },
    ]);
  });
});

describe('the URL for requests of a tool', () => {
  const place = { origin: 'https://tocsin.example.com', apiKey: undefined, own: grafana };

  it('names the preset where the type does not', () => {
    expect(hookUrl(place, fallback)).toBe('https://tocsin.example.com/hooks/YOUR-KEY/fallback');
  });

  it('has the key that was just shown', () => {
    expect(hookUrl({ ...place, apiKey: 'k1' }, grafana)).toBe('https://tocsin.example.com/hooks/k1');
  });
});

test('A line of Markdown is its code, its emphasised words and its text, with the URL in its place.', () => {
  expect(lineParts('Type **Webhook**, URL `<URL>`, *one* for 2 * 3', 'https://x/hooks/k')).toEqual([
    { kind: 'text', text: 'Type ' },
    { kind: 'strong', text: 'Webhook' },
    { kind: 'text', text: ', URL ' },
    { kind: 'code', text: 'https://x/hooks/k' },
    { kind: 'text', text: ', ' },
    { kind: 'strong', text: 'one' },
    { kind: 'text', text: ' for 2 ' },
    { kind: 'text', text: '*' },
    { kind: 'text', text: ' 3' },
  ]);
});
