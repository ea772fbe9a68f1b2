import { describe, expect, it } from '@jest/globals';
import { settingsOf } from './settings.ts';

describe('the settings of a cluster run', () => {
  it('are what a cluster of kind with pullable images needs where nothing is set', () => {
    expect(settingsOf({})).toMatchObject({ kubectl: 'kubectl', helm: 'helm', loadImage: [], sigkill: [], rate: 5 });
  });

  it('take a command with its arguments apart', () => {
    expect(settingsOf({ CLUSTER_LOAD_IMAGE: 'kind load  docker-image' }).loadImage).toEqual([
      'kind',
      'load',
      'docker-image',
    ]);
  });

  it.each(['0', '-1', 'many', 'Infinity'])('refuse a rate of %s and name the variable', (RATE) => {
    expect(() => settingsOf({ RATE })).toThrow('RATE should be a number above 0.');
  });
});
