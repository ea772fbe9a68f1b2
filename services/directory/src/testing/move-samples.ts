import { MOVE_CONDITIONS } from '@tocsin/api';

interface SampleCondition {
  readonly name: string;
  readonly state: string;
  readonly summary: string;
  readonly missing: readonly string[];
}

interface Sample {
  readonly from: string;
  readonly checkedAt: string;
  readonly conditions: readonly SampleCondition[];
}

/** A check at the start of the clock of tests, whose conditions are met. */
export const moveBody = (): Sample => ({
  from: 'https://api.opsgenie.com',
  checkedAt: '2026-01-01T00:00:00Z',
  conditions: MOVE_CONDITIONS.map((name) => ({ name, state: 'met', summary: `Of ${name}.`, missing: ['a', 'b'] })),
});
