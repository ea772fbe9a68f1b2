export * from './alerts.ts';
export * from './integrations.ts';
export * from './teams.ts';
export * from './users.ts';
