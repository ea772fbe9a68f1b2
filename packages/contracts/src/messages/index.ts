export * from './alert-commands.ts';
export * from './alert-events.ts';
export * from './conditions.ts';
export * from './dead-letters.ts';
export * from './decisions.ts';
export * from './pages.ts';
export * from './shared.ts';
export * from './states.ts';
