/** The tools of this package for tests of services. */
export { RestorableService } from './restorable-service.ts';
