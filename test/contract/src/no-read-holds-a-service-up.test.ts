import { describe, expect, it } from '@jest/globals';
import { OPERATIONS, type ServiceName } from '@tocsin/contracts';

/** Each has a test of the name of this one, in which all its reads are measured. */
const MEASURED: readonly ServiceName[] = [
  'alert-ingest',
  'alert-processor',
  'directory',
  'heartbeat-monitor',
  'scheduling',
];

/** What is not measured, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'list-request-limits': 'There is one limit for each domain.',
  'show-acknowledgement': 'The page is that of one alert and has its message alone.',
};

describe('every read', () => {
  it('is measured by the service that answers it, or named here', () => {
    const others = OPERATIONS.filter(({ method, owner }) => method === 'GET' && !MEASURED.includes(owner));
    expect(others.map(({ id }) => id).sort()).toEqual(Object.keys(LEFT_OUT).sort());
  });
});
