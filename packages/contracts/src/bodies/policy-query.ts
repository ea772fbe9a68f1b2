import { z } from 'zod';
import { optionalReference } from '../primitives.ts';

/** Whose policies version 2 is asked for: those of the team, or of the account where none is named (wire facts 5). */
export const PolicyScopeQuery = z.object({ teamId: optionalReference() });
export type PolicyScopeQuery = z.infer<typeof PolicyScopeQuery>;
