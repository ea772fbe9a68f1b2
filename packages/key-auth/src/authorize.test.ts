import { describe, expect, it } from '@jest/globals';
import { OPERATIONS, type Operation } from '@tocsin/api';
import { authorize, type KeyPrincipal } from './index.ts';
import { full } from './testing/principal-samples.ts';

const ofTeam = { ...full, teamId: 'b8f1d1b0-1d5c-4f0e-8a8a-6a3e7f0d9c11' };

const message = (principal: KeyPrincipal, operation: Operation): string | undefined => {
  try {
    authorize(principal, operation);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};
const NO_RIGHT = 'To perform this action, use an API key from an API integration.';
const NO_TEAM = 'Team API Keys are not authorized to perform this action.';

describe.each(OPERATIONS.map((entry) => [entry.id, entry] as const))('authorize %s', (_, operation) => {
  const writes = operation.right.startsWith('write');
  const configures = operation.right.endsWith('configuration');

  it('lets an account key with both rights pass', () => {
    expect(message(full, operation)).toBeUndefined();
  });

  it('asks for configuration access where configuration is read or written (K3)', () => {
    expect(message({ ...full, mayConfigure: false }, operation)).toBe(configures ? NO_RIGHT : undefined);
  });

  it('asks for write access where something is changed (K3)', () => {
    expect(message({ ...full, mayWrite: false }, operation)).toBe(writes ? NO_RIGHT : undefined);
  });

  it('keeps team keys from what concerns the account, whatever their rights (K8)', () => {
    const powerless = { ...ofTeam, mayWrite: false, mayConfigure: false };
    const refused = operation.teamKeys === 'refused';
    expect([message(ofTeam, operation), message(powerless, operation)]).toEqual(
      refused
        ? [NO_TEAM, NO_TEAM]
        : [undefined, ['read', 'link', 'callback'].includes(operation.right) ? undefined : NO_RIGHT],
    );
  });
});
