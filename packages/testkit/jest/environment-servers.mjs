import { registerHooks } from 'node:module';
import Environment from './environment.mjs';

// `importOnce` loads the sources, as imports of test files do.
registerHooks({
  resolve: (specifier, context, next) => next(specifier, { ...context, conditions: ['source', ...context.conditions] }),
});

/**
 * The environment of unit tests with two more globals. Servers in `endsWithFile` are ended after the last hook of the test file, so
 * that they are still there in every `afterAll`. `importOnce` gives a module that Node itself loads, once for all files of this
 * process; a plain import loads everything again for each file.
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
