export * from './teams.ts';
export * from './users.ts';
