import { registerHooks } from 'node:module';
import Environment from './environment.mjs';

// What is loaded by `importOnce` comes from the sources, as everything in test files does.
registerHooks({
  resolve: (specifier, context, next) => next(specifier, { ...context, conditions: ['source', ...context.conditions] }),
});

/**
 * As in unit tests, with two globals more. What a test file left in `endsWithFile` is ended after its last hook: servers that a file shares
 * outlive every `afterAll` of it, whichever was declared first. `importOnce` gives a module that Node itself loads, once for
 * all files of this process; a plain import loads everything anew for each file.
 */
export default class ServersEnvironment extends Environment {
  async setup() {
    await super.setup();
    this.global.endsWithFile = [];
    this.global.importOnce = (url) => import(url);
  }

  async teardown() {
    await Promise.all((this.global.endsWithFile ?? []).map((end) => end()));
    await super.teardown();
  }
}
