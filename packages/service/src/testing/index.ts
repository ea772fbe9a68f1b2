/** What tests of services need of this package. */
export { RestorableService } from './restorable-service.ts';
