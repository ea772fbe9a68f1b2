import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_ACTIONS } from '../integrations/action.ts';
import { NAMES, rulesOf } from '../testing/evaluation.ts';
import { ITEM_OPTIONS, presetsWithSamples, samplesOf, type Sample } from '../testing/preset-samples.ts';
import { evaluateItem, type EvaluatedItem } from './hook-alert.ts';
import { knows, readItem, valuesOf, type HookItem } from './item.ts';
import { FALLBACK, Presets, type Preset } from './preset.ts';
import { PRESETS_FOLDER, readPresets } from './preset-store.ts';

const PRESETS = new Presets(await readPresets(PRESETS_FOLDER));
const RULES = rulesOf(DEFAULT_ACTIONS);
const ORIGIN = { alertId: 'id-1', ownerTeamId: undefined };

const NO_KEY = "The request has no key, so the sender's closes cannot find its alert.";

interface Result {
  readonly item: HookItem;
  readonly made: EvaluatedItem;
}

function resultsOf(preset: Preset, { request }: Sample): readonly Result[] {
  return valuesOf(preset, request).map((value) => {
    const item = readItem(preset, value, request, ITEM_OPTIONS);
    return { item, made: evaluateItem(RULES, item, ORIGIN, NAMES) };
  });
}

const aliasesOf = (results: readonly Result[]): readonly string[] => results.map(({ item }) => item.alias);

const KIND_OF_EFFECT: Readonly<Record<string, string>> = {
  open: 'create',
  close: 'close',
  acknowledge: 'acknowledge',
  ignore: 'dropped',
};

it('there are samples of every preset, and no others', () => {
  expect(presetsWithSamples()).toEqual(PRESETS.all.map(({ name }) => name));
  expect(readdirSync(PRESETS_FOLDER).sort()).toEqual(PRESETS.all.map(({ name }) => `${name}.json`));
});

describe.each(PRESETS.all.map((preset) => [preset.name, preset] as const))('the preset [%s]', (_, preset) => {
  const samples = samplesOf(preset.name);

  it('has a sample that opens an alert, and one that closes it where the tool says so', () => {
    const effects = new Set(samples.map(({ effect }) => effect));
    expect(effects).toContain('open');
    for (const state of new Set(Object.values(preset.states))) expect(effects).toContain(state);
  });

  it.each(samples.map((sample) => [sample.name, sample] as const))(
    'reads its sample [%s] as it is named',
    (__, sample) => {
      const results = resultsOf(preset, sample);
      for (const { item, made } of results) {
        expect(made.evaluated.kind).toBe(KIND_OF_EFFECT[sample.effect]);
        // No state and no severity is unrecognised, nothing is cut, and only what has no key says so.
        expect(made.alert.remarks ?? []).toEqual(sample.keyless ? [NO_KEY] : []);
        expect(item.alias === '').toBe(sample.keyless);
        expect(sample.effect !== 'open' || item.fields['summary']).not.toBe('');
      }
      // Two items of a request are two alerts.
      const aliases = aliasesOf(results).filter((alias) => alias !== '');
      expect(new Set(aliases).size).toBe(aliases.length);
    },
  );

  it('closes by each closing sample what the sample opens that is named alike', () => {
    const aliasesMade = (sample: Sample | undefined) =>
      sample && resultsOf(preset, sample).map(({ made: { evaluated } }) => 'alias' in evaluated && evaluated.alias);
    for (const closing of samples.filter(({ effect }) => effect === 'close')) {
      const opening = samples.find(({ name }) => name === closing.name.replace('close', 'open'));
      expect(aliasesMade(closing)).toEqual(aliasesMade(opening));
    }
  });

  it('is chosen for its types and vendors, and by its samples where neither says so', () => {
    for (const type of preset.types) expect(PRESETS.chosen({ type: type.toUpperCase() }, () => false)).toBe(preset);
    for (const vendor of preset.vendors) expect(PRESETS.chosen({ type: 'API', vendor }, () => false)).toBe(preset);
    const expected = preset.detect === undefined ? PRESETS.named(FALLBACK) : preset;
    for (const { request } of samples)
      expect(PRESETS.chosen({ type: 'API' }, (each) => knows(each, request))).toBe(expected);
  });
});
