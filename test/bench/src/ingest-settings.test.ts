import { describe, expect, it } from '@jest/globals';
import { ingestSettings } from './ingest-settings.ts';

describe('the settings of the ingest bench', () => {
  it('are the bar of the product by default', () => {
    expect(ingestSettings({})).toMatchObject({ rate: 2_000, seconds: 60 });
    expect(ingestSettings({ RATE: '500', SECONDS: '5' })).toMatchObject({ rate: 500, seconds: 5 });
  });

  it('may have no actions, and not fewer', () => {
    expect(ingestSettings({ ACTIONS: '0' })).toMatchObject({ actions: 0 });
    expect(() => ingestSettings({ ACTIONS: '-1' })).toThrow(/ACTIONS/);
  });

  it.each(['0', '-1', '1.5', 'fast'])('refuse a rate of %s by name', (RATE) => {
    expect(() => ingestSettings({ RATE })).toThrow(/RATE/);
  });
});
