import { z } from 'zod';

/** A user in a path. */
export const USER = z.string().min(1).meta({ description: 'The id or the user name of the user.' });

/** A team in a path. */
export const TEAM = z.string().min(1).meta({ description: 'The id of the team, or its name where the query says so.' });

/** The path of something that a user has. */
export const OF_USER = z.object({ userIdentifier: USER });

/** The path of something that a team has. */
export const OF_TEAM = z.object({ teamIdentifier: TEAM });
