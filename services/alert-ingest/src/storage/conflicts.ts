import type { Integration } from '../domain/integration.ts';

/** What every store says of a name that another integration has. */
export const nameTaken = ({ name }: Integration): string => `Integration with name [${name}] already exists.`;

/** What every store says of an address that another integration has. */
export const emailUsernameTaken = ({ emailUsername = '' }: Integration): string =>
  `Integration with emailUsername [${emailUsername}] already exists.`;
