import { MOVE_CONDITIONS, type MoveBody } from '@tocsin/api';

type Sample = Omit<MoveBody, 'checkedAt'> & { readonly checkedAt: string };

/** A check at the start of the clock of tests, whose conditions are met. */
export const moveBody = (): Sample => ({
  from: 'https://api.opsgenie.com',
  checkedAt: '2026-01-01T00:00:00Z',
  conditions: MOVE_CONDITIONS.map((name) => ({ name, state: 'met', summary: `Of ${name}.`, missing: ['a', 'b'] })),
});
