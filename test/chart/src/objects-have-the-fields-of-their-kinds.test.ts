import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Kubeconform } from './testing/kubeconform.ts';
import { renderedText, VALUE_SETS } from './testing/rendered.ts';

let kubeconform: Kubeconform;

beforeAll(async () => {
  kubeconform = await Kubeconform.prepare();
});

afterAll(async () => {
  await kubeconform.remove();
});

describe('every object of the chart has the fields of its kind and no other', () => {
  test.each(VALUE_SETS)('with the values %s', async (set) => {
    const { problems, objects } = await kubeconform.judge(await renderedText({ set }));
    expect(problems).toEqual([]);
    expect(objects).toBeGreaterThan(20);
  });

  test('a field that its kind does not have is reported', async () => {
    const text = await renderedText({ set: 'minimal' });
    const { problems } = await kubeconform.judge(text.replaceAll('readinessProbe:', 'readyProbe:'));
    expect(problems).toHaveLength(7);
    expect(problems[0]).toContain('readyProbe');
  });
});
