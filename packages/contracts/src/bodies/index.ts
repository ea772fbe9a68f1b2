export * from './alert-reads.ts';
export * from './alerts.ts';
export * from './escalations.ts';
export * from './integrations.ts';
export * from './schedules.ts';
export * from './teams.ts';
export * from './users.ts';
