import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import { FAULTS } from './faults.ts';

describe('the faults of the failure suite', () => {
  const names = FAULTS.map(({ name }) => name);

  it('have names of their own that can be arguments', () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
  });

  it.each(SERVICES)('kill and freeze a process of %s', (service) => {
    expect(names).toEqual(expect.arrayContaining([`${service}-killed`, `${service}-frozen`]));
  });

  it('need root only where a node is cut off or its disk is full', () => {
    const rooted = FAULTS.filter(({ needsRoot }) => needsRoot === true).map(({ name }) => name);
    expect(rooted).toEqual(['broker-cut-off', 'primary-cut-off', 'broker-disk-full', 'primary-disk-full']);
  });
});
