export { appOptions, internalClient, serve } from './http.ts';
export { openPublisher } from './kafka.ts';
export { openMongo } from './mongo.ts';
export { openOutbox, openStateOutbox } from './outbox.ts';
export { openTimers, startTimers } from './timers.ts';
